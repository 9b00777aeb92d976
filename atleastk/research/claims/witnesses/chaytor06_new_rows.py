"""k new rows before the table may make a no a yes: table a, k = 2, r' = 1.

One row is never 2-anonymous. With two rows of a new symbol below it all three are, when
their single cells are suppressed: one entry per row.
"""

from itertools import product

k, per_row = 2, 1


def feasible(table: list[str]) -> bool:
    """Try all ways to suppress the cells of one column."""
    for stars in product((False, True), repeat=len(table)):
        rows = ["*" if star else cell for cell, star in zip(table, stars, strict=True)]
        if max(map(int, stars)) <= per_row and min(map(rows.count, rows)) >= k:
            return True
    return False


before, after = feasible(["a"]), feasible(["a", "new", "new"])
print(f"table a, k = {k}, r' = {per_row}: {before}, with two new rows {after}")
raise SystemExit(before == after)
