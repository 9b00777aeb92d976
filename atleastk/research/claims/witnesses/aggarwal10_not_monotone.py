"""Conditions (1) and (2) may hold for one R, and fail for a greater one.

Five points, r = 2, centres by their numbers.
"""

from itertools import combinations, permutations, product

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
raise SystemExit(list(found.values()) != [True, False, True])
