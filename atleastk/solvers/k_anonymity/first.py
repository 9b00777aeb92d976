"""k-anonymity: what every method does first.

Tables below k rows are infeasible, the empty table is done. The others get a solution
to start from: all rows as one group, and groups of k to 2k-1 neighbours in the order of
the sorted rows, where the columns of fewest values come first.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.models.solution import Solution
from atleastk.solvers.search import Search

__all__ = ["begin", "neighbours"]


def begin(search: Search[KAnonymity], source: str) -> bool:
    """Give a search a solution and a bound; tell whether there is more to do."""
    instance = search.instance
    if 0 < instance.n < instance.k:
        search.close_infeasible(source, {"kind": "count"})
        return False
    if search.cost is None:
        search.offer([range(instance.n)] if instance.n else [], source)
        if instance.n:
            labels = neighbours(instance.records, instance.k)
            search.offer(Solution.labelled(labels), source)
    search.raise_bound(0, source)
    return not search.done


def neighbours(records: Records, k: int) -> IntArray:
    """Return the group of every row, of k to 2k-1 neighbours numbered in their order.

    There are k rows at least.
    """
    codes, n = records.codes, records.n
    columns = np.argsort(codes.max(axis=0, initial=0), kind="stable")
    order = np.lexsort((*codes.T[columns[::-1]], np.zeros(len(codes))))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rows = np.argsort(place[records.record_of], kind="stable")
    labels = np.empty(n, dtype=np.int64)
    labels[rows] = np.arange(n) * (n // k) // n
    return labels
