"""A dynamic program over all subsets of the rows of a small table.

best(A) is the least cost of partitioning the rows A into groups of k..2k-1; the group
that holds the first row of A is tried in every possible way. O(3^n) time at most, less
as fewer sizes are allowed; O(2^n) space. It uses no bounds, patterns or solver, so it
is an independent reference for up to 20 rows.

Cells are compared once, in pairs of rows: the columns on which a group is not constant
are those on which its first row differs from some other one.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.subsets import NEVER, Priced, best_groups

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
    codes = instance.records.codes[instance.records.record_of]
    with budget.flagging() as flag:
        costs = _costs_of_groups(codes, k, NEVER, flag)
    return best_groups(Priced(costs, greatest=False, most_groups=n), budget)


@compiled
def _costs_of_groups(
    codes: Int32Array, k: int, never: int, flag: ByteArray
) -> IntArray:
    """Return the cost of every set of k..2k-1 rows; other sets cannot be groups."""
    n, m = codes.shape
    costs = np.full(1 << n, never, dtype=np.int64)
    for rows in range(1, 1 << n):
        if (rows & 255) == 0 and flag[0] != 0:
            break
        size = 0
        first = -1
        for row in range(n):
            if rows >> row & 1:
                size += 1
                if first < 0:
                    first = row
        if size < k or size >= 2 * k:
            continue
        stars = 0
        for column in range(m):
            for row in range(first + 1, n):
                if rows >> row & 1 and codes[row, column] != codes[first, column]:
                    stars += 1
                    break
        costs[rows] = size * stars
    return costs
