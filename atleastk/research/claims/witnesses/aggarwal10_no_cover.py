"""Set cover: an element in no set has no cover, but the points have a clustering.

One element and two empty sets: the points are the element x and the sets a and b, which
are near each other (1) and far from x (2). A cluster about a or b pays 1 for it.
"""

from itertools import product

element, sets = 1, 2
points = "abx"


def distance(p: str, q: str) -> int:
    """Return 0 for a point itself, 1 between sets, 2 from sets to x."""
    return 0 if p == q else 2 if "x" in (p, q) else 1


costs = []
for homes in product(range(len(points)), repeat=len(points)):
    clusters = [
        [p for p, h in zip(points, homes, strict=True) if h == c] for c in homes
    ]
    cost = 0
    for cluster in {tuple(cluster) for cluster in clusters}:
        radius = min(max(distance(c, p) for p in cluster) for c in "ab")
        cost += 1 + len(cluster) * radius
    costs.append(cost)
wanted = [k + element + sets for k in range(sets + 1)]
print(f"one element, two empty sets: cost {min(costs)} = 2 + 1 + 2, and no cover")
raise SystemExit(min(costs) not in wanted)
