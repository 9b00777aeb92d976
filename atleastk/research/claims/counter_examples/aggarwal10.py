"""Counter-examples to claims of [Aggarwal10], by the standard library alone.

    python -I aggarwal10.py NAME

Each prints what it found, and returns whether that refutes the claim: exit code 0.
"""

import sys
from itertools import combinations, permutations, product


def both_levels() -> bool:
    """A group of both levels may have 2r - 1 points: 0, 1, 2 on a line, r = 2.

    The shared clusters are 0, 1 about 0 and 1, 2 about 2. The first is opened, and
    point 2 hangs below it: 1 of the second level and 2 of the first are less than 2r.
    """
    r = 2
    opened, leftover = {0, 1}, {1, 2}
    second = leftover - opened
    size = len(second) + (r - len(second))
    if len(second) + len(opened) < 2 * r:
        size = len(second | opened)
    print(f"points 0, 1, 2, r = {r}: a group of {size}, and 2r - 1 = {2 * r - 1}")
    return len(second) < r and size != r and not size < 2 * r - 1


def facilities() -> bool:
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
    for centre, points in sorted(
        shared, key=lambda s: max(matrix[s[0]][p] for p in s[1])
    ):
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
    return bool(groups) and after > before


def no_cover() -> bool:
    """Set cover: an element in no set has no cover, but the points have a clustering.

    One element and two empty sets: the points are the element x and the sets a and b,
    which are near each other (1) and far from x (2). A cluster about a or b pays 1 for
    it.
    """
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
    return min(costs) in wanted


def not_monotone() -> bool:
    """Conditions (1) and (2) may hold for one R, and fail for a greater one.

    Five points, r = 2, centres by their numbers.
    """
    matrix = (
        (0, 5, 2, 7, 8),
        (5, 0, 7, 2, 4),
        (2, 7, 0, 6, 9),
        (7, 2, 6, 0, 6),
        (8, 4, 9, 6, 0),
    )
    r, n = 2, len(matrix)
    for i, j, k in permutations(range(n), 3):
        assert matrix[i][j] <= matrix[i][k] + matrix[k][j]
        assert matrix[i][j] == matrix[j][i]

    def succeeds(reach: int) -> bool:
        """Try both conditions for 2R = reach, with r members for every centre."""
        near = [[q for q in range(n) if matrix[p][q] <= reach] for p in range(n)]
        if min(map(len, near)) < r:
            return False
        centres: list[int] = []
        for p in range(n):
            if all(matrix[p][c] > reach for c in centres):
                centres.append(p)
        choices = [list(combinations(near[c], r)) for c in centres]
        return any(
            len({p for group in groups for p in group}) == r * len(centres)
            for groups in product(*choices)
        )

    found = {reach: succeeds(reach) for reach in (4, 5, 6)}
    print(f"five points, r = {r}: 2R = 4, 5, 6 give {list(found.values())}")
    return list(found.values()) == [True, False, True]


def single_point() -> bool:
    """Filtering once may leave one point: 0, 1, 2 with r = 3, k = 1, 2 outliers.

    All within 2R = 1 of a point are counted in the whole table; then only points of S
    are.
    """
    points, r, reach, most_outliers = (0, 1, 2), 3, 1, 2
    dense = [p for p in points if sum(abs(p - q) <= reach for q in points) >= r]
    centre = dense[0]
    cluster = [p for p in dense if abs(p - centre) <= 2 * reach]
    print(f"points {points}, r = {r}, 2R = {reach}: S = {dense}, the cluster {cluster}")
    return len(dense) >= len(points) - most_outliers and len(cluster) < r


if __name__ == "__main__":
    found = globals().get(sys.argv[-1])
    if not callable(found):
        sys.exit(f"{sys.argv[-1]}: no function of this file; the errata name them")
    raise SystemExit(not found())
