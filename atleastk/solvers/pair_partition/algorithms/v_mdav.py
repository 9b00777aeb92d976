"""V-MDAV: maximum distance to average, with groups of varying size [SolanasMartinez06].

Of the items that are left, the one that is furthest from all and its nearest make a
group of k. While it has less than 2k - 1, the item that is left and is nearest to it
joins, if it is nearer than gamma times its way to the nearest other that is left. At
last those that are left, less than k, each join the group of their nearest.

gamma = 0 never adds; 0.2 is what the authors take for scattered points and 1.1 for
clustered ones. It compares lengths, of which pairs cost the squares. O(n^2).

References
----------
[SolanasMartinez06] A. Solanas, A. Martinez-Balleste, "V-MDAV: a multivariate
microaggregation with variable group size", COMPSTAT 2006.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import BoolArray
from atleastk.instances.pair_partition import MOST_PAIRED, PairPartition
from atleastk.solvers.pair_partition import point_search

GAMMAS: Final = (0.2, 1.1)
"""Of the groups by each, the cheaper ones are taken."""

Row = NDArray[Any]


def v_mdav(instance: PairPartition) -> list[list[int]]:
    """Return the groups of V-MDAV; of many points without a matrix of pairs."""
    if instance.n <= MOST_PAIRED or point_search.refuses(instance):
        rows: Callable[[int], Row] = instance.matrix.__getitem__
        far: Row = instance.matrix.sum(axis=1)
    else:
        places = point_search.coordinates_of(instance)

        def rows(item: int) -> Row:
            lengths: Row = np.square(places - places[item]).sum(axis=1)
            return lengths

        far = np.square(places).sum(axis=1)  # of places about their mean
    made = (grown_groups(rows, far, instance.k, gamma) for gamma in GAMMAS)
    return min(made, key=lambda groups: sum(map(instance.cost_of, groups)))


def grown_groups(
    rows: Callable[[int], Row], far: Row, k: int, gamma: float
) -> list[list[int]]:
    """Return the groups by one gamma.

    `rows` gives what an item's pairs with all others cost, `far` says how far it is
    from all.
    """
    left, groups = np.ones(len(far), dtype=np.bool_), []
    while left.sum() >= max(1, k):
        first = int(np.where(left, far, -np.inf).argmax())
        groups.append(_grown(first, rows, left, k, gamma))
    rest = np.flatnonzero(left).tolist()
    if not groups:
        return [rest]
    of = np.zeros(len(far), dtype=np.int64)
    for g, group in enumerate(groups):
        of[group] = g
    for item in rest:
        nearest = int(np.where(left, np.inf, rows(item)).argmin())
        groups[of[nearest]].append(item)
    return groups


def _grown(
    first: int, rows: Callable[[int], Row], left: BoolArray, k: int, gamma: float
) -> list[int]:
    """Return the group about an item; its items are not left then."""
    left[first] = False
    near = np.argsort(np.where(left, rows(first), np.inf), kind="stable")
    group = [first, *near[: k - 1].tolist()]
    left[group] = False
    beside = np.min([rows(item) for item in group], axis=0)
    while len(group) < 2 * k - 1 and left.any():
        item = int(np.where(left, beside, np.inf).argmin())
        left[item] = False
        others = rows(item)[left]
        if len(others) and beside[item] >= gamma * gamma * others.min():
            left[item] = True
            break
        group.append(item)
        beside = np.minimum(beside, rows(item))
    return group
