"""Cellular clustering: what every method does first.

Instances of too few points, or without any cluster, are infeasible; those of which all
points may be outliers are done. The others get a bound from near neighbours, and a
solution to start from if one is found.

Theorem
-------
Let d_r(c) be the distance of c to the r-th of all points in the order of distance,
itself the first. With centres "input" or "member", a point p in a cluster pays at least

    y_p = min over c of max(d(p, c), d_r(c)),

since a ball about c with r points or more reaches as far as d_r(c); and with centres
"any" y_p = d_r(p). Any solution costs at least the sum of y less the max_outliers
greatest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.metric_spaces import FAR
from atleastk.models.certificates.cellular_clustering import is_checkable
from atleastk.models.clustering import solution_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular.local_search import beginning
from atleastk.solvers.certify.cellular_clustering import quick_certificate_of
from atleastk.solvers.search import Search

__all__ = ["begin", "least_payments"]

IntArray = NDArray[np.int64]


def begin(search: Search[CellularClustering], source: str) -> bool:
    """Give a search a solution and a bound; tell whether there is more to do."""
    instance = search.instance
    if instance.least_clustered == 0:
        search.offer(solution_of([], (), range(instance.n)), source)
        search.raise_bound(0, source)
        return False
    if instance.n < instance.r:
        search.close_infeasible(source, {"kind": "count"})
        return False
    search.raise_bound(0, source)
    paid = least_payments(instance, search.budget)
    if paid is not None and not _raise_by(search, paid):
        return False
    if search.solution is None:
        found = beginning(instance, search.budget.seed)
        if found is not None:
            search.offer(found, source)
    return not search.done


def _raise_by(search: Search[CellularClustering], paid: IntArray) -> bool:
    """Raise the bound to what the points pay; tell whether there may be a solution."""
    instance, source = search.instance, "neighbours"
    alone = paid >= FAR
    if alone.all():
        nothing = {"kind": "weights", "scale": 1, "weights": [0] * instance.n}
        search.close_infeasible(source, nothing if is_checkable(instance) else None)
    elif alone.sum() > instance.max_outliers:
        search.close_infeasible(source)
    else:
        bound = int(np.sort(paid)[: instance.least_clustered].sum())
        weights = np.where(alone, paid[~alone].max(), paid)
        proof = quick_certificate_of(instance, weights, 1, bound)
        search.raise_bound(bound, source, proof)
    return not search.infeasible


def least_payments(instance: CellularClustering, budget: Budget) -> IntArray | None:
    """Return what every point pays at least, FAR if it has to be an outlier.

    None if the budget is spent before that is known.
    """
    space, n, r = instance.space, instance.n, instance.r
    paid = np.full(n, FAR, dtype=np.int64)
    for start in range(0, n, space.at_a_time):
        if budget.spent:
            return None
        chunk = np.arange(start, min(n, start + space.at_a_time))
        rows = space.rows(chunk)
        reach = np.partition(rows, r - 1, axis=1)[:, r - 1]
        if instance.any_centre:
            paid[chunk] = reach
        else:
            np.minimum(paid, np.maximum(rows, reach[:, None]).min(axis=0), out=paid)
    return paid
