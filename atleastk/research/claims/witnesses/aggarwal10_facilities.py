"""Clusters made disjoint may pay more facility costs than the shared ones did.

Eight points, r = 2, four shared clusters (centre, points); radii from the matrix.
"""

fees = (1, 0, 2, 10, 2, 5, 1, 10)
matrix = (
    (0, 2, 4, 2, 7, 7, 4, 7),
    (2, 0, 6, 4, 9, 5, 6, 9),
    (4, 6, 0, 6, 3, 11, 8, 11),
    (2, 4, 6, 0, 9, 9, 6, 9),
    (7, 9, 3, 9, 0, 14, 11, 14),
    (7, 5, 11, 9, 14, 0, 11, 14),
    (4, 6, 8, 6, 11, 11, 0, 3),
    (7, 9, 11, 9, 14, 14, 3, 0),
)
r = 2
shared = [(0, {0, 1, 3}), (6, {6, 7}), (2, {2, 4}), (1, {0, 1, 5})]
before = sum(fees[centre] for centre, _ in shared)

# Open clusters by rising radius while r points are unassigned.
opened: list[tuple[int, set[int]]] = []
leftover: list[tuple[int, set[int]]] = []
home: dict[int, int] = {}
for centre, points in sorted(shared, key=lambda s: max(matrix[s[0]][p] for p in s[1])):
    free = {p for p in points if p not in home}
    if len(free) >= r:
        opened.append((centre, free))
        home |= dict.fromkeys(free, centre)
    else:
        leftover.append((centre, points))

# Every leftover cluster hangs below an open one that it shares a point with.
after = sum(fees[centre] for centre, _ in opened)
groups = []
for _centre, points in leftover:
    free = {p for p in points if p not in home}
    parent = next(home[p] for p in sorted(points) if p in home)
    first = next(members for centre, members in opened if centre == parent)
    if len(free) < r and len(free) + len(first) >= 2 * r:
        taken = set(sorted(first & points)[: r - len(free)])
        first -= taken
        groups.append((parent, free | taken))
after += sum(fees[centre] for centre, _ in groups)
print(f"eight points, r = {r}: shared clusters pay {before}, disjoint ones {after}")
raise SystemExit(not groups or after <= before)
