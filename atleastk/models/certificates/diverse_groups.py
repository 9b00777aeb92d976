"""An upper bound of the worth of groups under l-diversity and t-closeness.

Rows have integer worths, and a group is any admissible subset of some rows
(:mod:`~atleastk.instances.diversity`). `greatest_worth` is an upper bound: the least of
the bounds of single sensitive columns.

*Distinct values.* Of a group of l different values take the best row of each; those of
the l greatest best rows are worth no less. The greatest other rows fill up to the least
size, and all further ones above 0 join: this is exact.

*Shares.* Let a group have s rows, of n in the table, and c_v of them with the value v,
which p_v rows of the table have. By frequency c_v <= floor(s / l). By closeness the sum
of max(0, n c_v - p_v s) is at most B, `Diversity.reach`. If parts of rows may be taken
then such c are the bases of a polymatroid [f(W) = (p(W) s + B) / n, with l cut off at
s / l and the whole at s], so the greedy algorithm is exact: the greatest rows first, of
each as much as allowed. The first s p_v / n rows of a value are free, and parts of
others are paid out of B. With whole rows a group is worth no more.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.diversity import Diversity


def greatest_worth(
    instance: Diversity, worth: IntArray, values: Int32Array, least: int
) -> int | None:
    """Return an upper bound of the worth of a group; None if there is none.

    `worth` and `values`, an array [row, sensitive column], are of the rows that may be
    in the group, `least` of them at least.
    """
    order = np.argsort(-worth, kind="stable")
    worth, values = worth[order], values[order]
    found = [_of_distinct(worth, np.zeros_like(worth), 1, least)]
    for column, totals in zip(values.T, instance.totals, strict=True):
        if instance.reading == "distinct":
            found.append(_of_distinct(worth, column, instance.l, least))
        if instance.reading == "frequency" or instance.t is not None:
            found.append(_of_shares(instance, worth, column, totals, least))
    known = [value for value in found if value is not None]
    return min(known) if len(known) == len(found) else None


def _of_distinct(
    worth: IntArray, values: Int32Array | IntArray, different: int, least: int
) -> int | None:
    """Return the greatest worth with `different` values; worths decrease."""
    firsts = np.sort(np.unique(values, return_index=True)[1])[:different]
    if len(firsts) < different or len(worth) < least:
        return None
    others = np.delete(worth, firsts)
    missing = max(0, least - different)
    more = others[:missing].sum() + np.maximum(0, others[missing:]).sum()
    return int(worth[firsts].sum() + more)


def _of_shares(
    instance: Diversity,
    worth: IntArray,
    values: Int32Array,
    totals: IntArray,
    least: int,
) -> int | None:
    """Return the result of the greedy algorithm, for the best number of rows s.

    Amounts are n-th parts of a row, [s, row].
    """
    n, rows = instance.n, np.arange(max(1, least), len(worth) + 1)
    by_value = np.argsort(values, kind="stable")
    before = np.empty(len(worth), dtype=np.int64)
    starts = np.searchsorted(values[by_value], values[by_value])
    before[by_value] = np.arange(len(worth)) - starts
    free = np.clip(totals[values] * rows[:, None] - n * before, 0, n)
    dear = n - free
    if instance.reading == "frequency":
        within = before < rows[:, None] // min(instance.l, n + 1)
        free, dear = free * within, dear * within
    purse = np.array([instance.reach(s) for s in rows.tolist()], dtype=np.int64)
    spent = dear.cumsum(axis=1) - dear
    amount = free + np.clip(purse[:, None] - spent, 0, dear)
    taken = amount.cumsum(axis=1) - amount
    amount = np.clip(n * rows[:, None] - taken, 0, amount)
    full = amount.sum(axis=1) == n * rows
    return int((amount[full] @ worth).max() // n) if full.any() else None
