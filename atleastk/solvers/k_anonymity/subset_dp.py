"""A dynamic program over all subsets of the rows of a small table.

best(A) is the least cost of partitioning the rows A into groups of k..2k-1; the group
that holds the first row of A is tried in every possible way. O(3^n) time at most;
O(2^n) space. It uses no bounds, patterns or solver, so it is an independent reference
for up to 20 rows.
"""

from __future__ import annotations

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.subsets import Priced, best_groups
from atleastk.solvers.tables.subset_prices import price_sets

MOST_ROWS = 20
"""The most rows: all their subsets, a million, get a cost."""


def refuses(instance: KAnonymity) -> str | None:
    """Say why the dynamic program cannot take a table, or None if it can."""
    if instance.n > MOST_ROWS:
        return f"{instance.n} rows have too many subsets; it takes {MOST_ROWS}"
    return None


def best_partition(instance: KAnonymity, budget: Budget) -> list[list[int]] | None:
    """Return groups of least cost; None if there are none or the budget ends first."""
    n, k = instance.n, instance.k
    if n < k:
        return None if n else []
    return best_groups(priced(instance), budget)


def priced(instance: KAnonymity) -> Priced:
    """Return the cells that each set of rows hides, as a group of at most 2k - 1."""
    n, k = instance.n, instance.k
    codes = instance.records.codes[instance.records.record_of].T
    apart = ((1, (x[:, None] != x).astype(int)) for x in codes)
    return price_sets(apart, [1] * n, k, 2 * k - 1)
