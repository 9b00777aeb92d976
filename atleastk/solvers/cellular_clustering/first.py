"""Cellular clustering: trivial cases, a first bound, and start heuristics.

Instances of too few points, or without any cluster, are infeasible; those of which all
points may be outliers are done. The others get a bound from near neighbours, and a
start solution if one is found.

Theorem
-------
Let d_r(c) be the distance of c to the r-th of all points in the order of distance,
itself the first. With centres "input" or "member", a point p in a cluster pays at least

    y_p = min over c of max(d(p, c), d_r(c)),

since a ball about c with r points or more reaches as far as d_r(c). That is d_r(p) / 2
or more if distances are a metric: such a ball is within twice its radius of p. With
centres "any" y_p = d_r(p). Any solution costs at least the sum of y less the
max_outliers greatest.

Of many points weights in balance prove more
(:mod:`~atleastk.solvers.cellular_clustering.balanced_weights`), and with costs of
facilities the duals of
:mod:`~atleastk.solvers.cellular_clustering.algorithms.catalogue`. Blocks of a tree
(:mod:`~atleastk.solvers.clustering.blocks`) are a quick start, and so are the groups of
MDAV microaggregation (:mod:`~atleastk.solvers.clustering.mdav`), so that up to
some thousand points no answer costs more than these.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR, Matrix
from atleastk.instances.spaces.near_points import is_indexed
from atleastk.models.certificates.cellular_clustering import is_checkable
from atleastk.models.certificates.clustering import TOO_FEW, too_few
from atleastk.models.certificates.weights import Prices
from atleastk.models.clustering import solution_of
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.algorithms.catalogue import dual_bound
from atleastk.solvers.cellular_clustering.balanced_weights import (
    balanced_weights,
)
from atleastk.solvers.cellular_clustering.by_squares import suits
from atleastk.solvers.cellular_clustering.certify import quick_certificate_of
from atleastk.solvers.cellular_clustering.local_search import beginning
from atleastk.solvers.clustering.blocks import (
    FEW,
    Cut,
    as_cut,
    centred,
    coordinates_of,
    first_clusters,
    is_wide,
    least_size,
)
from atleastk.solvers.clustering.mdav import far_groups
from atleastk.solvers.clustering.neighbourhoods import (
    count_within,
    least_radii,
    nearest,
    nearest_at_least,
    neighbourhoods,
)
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.in_time import result_within
from atleastk.solvers.precision import SCALE
from atleastk.solvers.search import Search

_MANY: Final = 300
"""Points from which on the duals are worth their time."""

LARGE: Final = 4_000
"""Points from which on the duals take seconds."""

_MOST_DUALS: Final = 20_000
"""Points for which the duals fit into memory."""

_NEAR: Final = (
    (2.0, 1.0, 2 * 10**5),
    (1.4, 1.0, 10**6),
    (1.2, 0.99, 10**7),
    (1.2, 0.9, 10**7),
    (1.2, 0.5, 10**7),
)
"""How far weights are compared, in distances to the r-th nearest point of all but the
farthest points: a factor, a share of the points, and the most neighbours that this may
mean. Lonely points weigh as much at most: by the first 200 points, r = 10, and 600,
r = 5, are bounded 1.1 and 1 % higher than by the third, within 0.1 s; 5,000, r = 10,
0.02 % higher than by the second, in twice the time."""


def begin(search: Search[CellularClustering], source: str) -> bool:
    """Give a search a solution and a bound; return whether there is more to do."""
    instance, budget = search.instance, search.budget
    if instance.least_clustered == 0:
        search.offer(solution_of([], (), range(instance.n)), "outliers only")
        search.raise_bound(0, "outliers only")
        return False
    if too_few(instance):
        search.close_infeasible("count", TOO_FEW)
        return False
    search.raise_bound(0, "distances")
    many = instance.n > _MANY and not _has_gaps(instance)
    if not many or (instance.any_centre and instance.n <= LARGE):
        paid = least_payments(instance, budget)
        if paid is not None and not _raise_by(search, paid):
            return False
    _start(search, source)
    return not search.done


def first_answers(instance: CellularClustering) -> Iterator[tuple[str, Solution]]:
    """Yield named solutions, some of which may join points that are too far apart.

    Those of all clusterings, and of few points the groups of far ones.
    """
    if too_few(instance):
        return
    yield from first_clusters(instance)
    if instance.n <= FEW and instance.least_clustered:
        cut = far_cut(instance, Budget())
        if cut is not None:
            yield "far groups", as_cut(instance, cut, centred(instance, cut)[0])


def raise_by_much(
    search: Search[CellularClustering],
    budget: Budget,
    known: tuple[IntArray, IntArray] | None = None,
) -> IntArray | None:
    """Raise the bound of many points, uncertified, in a part of the time.

    Return weights in balance, at the common scale, if there are any. What all points
    pay may be `known`.
    """
    known = known or raise_by_neighbours(search, budget)
    if known is None or search.done:
        return None
    if not search.instance.facilities.any():
        return _raise_by_balance(search, *known, budget)
    if _MANY < search.instance.n <= _MOST_DUALS:
        _raise_by_duals(search, budget)
    return None


def raise_by_neighbours(
    search: Search[CellularClustering], budget: Budget
) -> tuple[IntArray, IntArray] | None:
    """Raise the bound by what points pay, which takes near neighbours only if indexed.

    Points that are not reached in time pay nothing. Return what they pay, and their
    distances to the r-th nearest, 0 if not reached; None where some are missing.
    """
    instance, space = search.instance, search.instance.space
    if _has_gaps(instance):
        return None
    indexed = is_indexed(space)
    quick = None if indexed else nearest_at_least(space, instance.r, budget)
    if quick is not None:
        _raise_by_sum(search, _paid_at_least(instance, quick))
    reach = nearest(space, instance.r, budget)
    reach[reach >= FAR] = 0
    paid = _paid_at_least(instance, reach)
    if not instance.any_centre:
        np.maximum(paid, least_radii(space, instance.r, reach, budget), out=paid)
    _raise_by_sum(search, paid)
    return paid, reach


def _raise_by_balance(
    search: Search[CellularClustering], paid: IntArray, reach: IntArray, budget: Budget
) -> IntArray | None:
    """Raise the bound by weights in balance, from what points pay at least."""
    instance = search.instance
    for factor, share, most in _NEAR:
        limit = int(factor * np.quantile(reach, share))
        if count_within(instance.space, limit) <= most:
            break
    else:
        return None
    near = neighbourhoods(instance.space, limit, budget)
    if budget.spent:  # rows are missing
        return None
    outliers = instance.n - instance.least_clustered
    weights = balanced_weights(near, instance.r, paid, outliers, budget)
    least = np.sort(weights)[: instance.least_clustered]
    whole, rest = (int(part.sum()) for part in np.divmod(least, SCALE))
    search.raise_bound(whole - (-rest // SCALE), "balance")
    return weights


def _paid_at_least(instance: CellularClustering, reach: IntArray) -> IntArray:
    """Return what points pay at least, given lower bounds of their r-th distances."""
    if instance.any_centre:
        return reach
    if isinstance(instance.space, Matrix):  # which need not be a metric
        return np.zeros_like(reach)
    return (reach + 1) // 2


def _raise_by_sum(search: Search[CellularClustering], paid: IntArray) -> None:
    """Raise the bound to what all points pay but the outliers."""
    bound = int(np.sort(paid)[: search.instance.least_clustered].sum())
    search.raise_bound(bound, "neighbours")


def _start(search: Search[CellularClustering], source: str) -> None:
    """Give a search a solution if one is found in time, of many points a quick one."""
    instance, seed = search.instance, search.budget.seed
    offer_first(search, first_answers(instance))
    searched = instance.n > LARGE and suits(instance)  # squares are better, and sooner
    if instance.n > FEW and not (searched or is_wide(instance) or search.done):
        _offer_far_groups(search)
    if instance.n > LARGE and (search.solution is not None or instance.any_centre):
        return
    found = result_within(search.budget, partial(beginning, instance, seed))
    if found is not None:
        search.offer(found, source)


def _offer_far_groups(search: Search[CellularClustering]) -> None:
    """Offer the groups of MDAV microaggregation, within a part of the time."""
    instance = search.instance
    cut = far_cut(instance, search.budget.share(0.25))
    if cut is not None:
        centres, cost = centred(instance, cut)
        if cost < FAR:
            search.offer(as_cut(instance, cut, centres), "far groups")


def far_cut(instance: CellularClustering, budget: Budget) -> Cut | None:
    """Return the groups of MDAV; None if points have no coordinates."""
    coordinates = coordinates_of(instance.space)
    if coordinates is None:
        return None
    return far_groups(coordinates, least_size(instance), budget)


def _raise_by_duals(search: Search[CellularClustering], budget: Budget) -> None:
    """Raise the bound to the dual solutions of the algorithms, uncertified."""
    instance = search.instance
    for setup in (0,) if instance.r == 1 else (1, 0):
        raised = result_within(
            budget, partial(dual_bound, instance, setup, budget.seed)
        )
        if raised is not None:
            search.raise_bound(raised[0], "duals")


def _has_gaps(instance: CellularClustering) -> bool:
    """Tell whether some distances are missing."""
    space = instance.space
    return isinstance(space, Matrix) and bool((space.given >= FAR).any())


def _raise_by(search: Search[CellularClustering], paid: IntArray) -> bool:
    """Raise the bound to what points pay; return whether there may be a solution."""
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
        proof = None
        with search.budget.awaiting():  # the bound holds without it
            proof = quick_certificate_of(instance, Prices(1, weights), bound)
        search.raise_bound(bound, source, proof)
    return not search.infeasible


def least_payments(instance: CellularClustering, budget: Budget) -> IntArray | None:
    """Return what every point pays at least, FAR if it has to be an outlier.

    None if the budget is spent before that is known.
    """
    paid = nearest(instance.space, instance.r, budget)
    if not instance.any_centre:
        paid = least_radii(instance.space, instance.r, paid, budget)
    return None if budget.spent else paid
