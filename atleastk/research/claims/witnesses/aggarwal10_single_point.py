"""Filtering once may leave a cluster of one point: 0, 1, 2, r = 3, k = 1, 2 outliers.

All within 2R = 1 of a point are counted in the whole table; then only points of S are.
"""

points, r, reach, most_outliers = (0, 1, 2), 3, 1, 2
kept = [p for p in points if sum(abs(p - q) <= reach for q in points) >= r]
centre = kept[0]
cluster = [p for p in kept if abs(p - centre) <= 2 * reach]
print(f"points {points}, r = {r}, 2R = {reach}: S = {kept}, the cluster {cluster}")
raise SystemExit(len(kept) < len(points) - most_outliers or len(cluster) >= r)
