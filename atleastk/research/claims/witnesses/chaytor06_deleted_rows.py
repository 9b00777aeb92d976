"""Deleted rows need equals, too: rows a, b, b and k = 2.

Only a has less than k - 1 equals; deleted alone it is the only row of stars.
"""

from itertools import combinations

rows, k = ["a", "b", "b"], 2
rare = [i for i, row in enumerate(rows) if rows.count(row) < k]


def anonymous(deleted: tuple[int, ...]) -> bool:
    """Tell whether the table is k-anonymous without these rows."""
    left = ["*" if i in deleted else row for i, row in enumerate(rows)]
    return min(map(left.count, left)) >= k


least = next(
    size
    for size in range(len(rows) + 1)
    if any(map(anonymous, combinations(range(len(rows)), size)))
)
print(f"rows {rows}, k = {k}: the rule deletes {len(rare)}, needed are {least}")
raise SystemExit(anonymous(tuple(rare)) or least == len(rare))
