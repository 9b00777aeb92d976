"""Pair partition: approximation algorithms. None has a proven ratio.

``mdav``
    Maximum distance to average [DomingoFerrer02], for any costs of pairs: k items of
    least added cost about the item that is furthest from all left, again and again.
``v-mdav``
    The same with groups of k to 2k - 1 [SolanasMartinez06]
    (:mod:`~atleastk.solvers.pair_partition.algorithms.v_mdav`).
``sorted``
    Points in the order of their first coordinates, in runs of k.

References
----------
[DomingoFerrer02] J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented
microaggregation for statistical disclosure control", IEEE TKDE 14(1), 2002.
[SolanasMartinez06] A. Solanas, A. Martinez-Balleste, "V-MDAV: a multivariate
microaggregation with variable group size", COMPSTAT 2006.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from atleastk.instances.pair_partition import MOST_PAIRED, PairPartition
from atleastk.models.pair_partition import check
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.mdav import far_groups
from atleastk.solvers.method import Algorithm
from atleastk.solvers.pair_partition import point_search
from atleastk.solvers.pair_partition.algorithms.v_mdav import v_mdav
from atleastk.solvers.pair_partition.first import cheapest_first, in_order

Made = Callable[[PairPartition], Sequence[Sequence[int]]]


def _algorithm(
    name: str, summary: str, groups: Made, most: float = inf
) -> Algorithm[PairPartition]:
    """Return an algorithm that knows sizes only, and refuses where these are wrong.

    It takes so many items, but for points by least squares.
    """

    def run(instance: PairPartition, _seed: int) -> Solution:
        return Solution.of(groups(instance) if instance.n else [])

    def refuses(instance: PairPartition) -> str | None:
        if point_search.refuses(instance) and instance.n > most:
            return f"it takes a matrix of all pairs, of at most {most:,} items"
        asked = instance.is_windowed or instance.connected
        if not asked or not 0 < instance.k <= instance.n:
            return None
        violated = check(instance, run(instance, 0)).violations
        return f"it knows no windows: {violated[0]}" if violated else None

    return Algorithm(name, summary, run, refuses=refuses)


def mdav(instance: PairPartition) -> Sequence[Sequence[int]]:
    """Return the groups of MDAV; of many points without a matrix of pairs."""
    if instance.n <= MOST_PAIRED or point_search.refuses(instance):
        return cheapest_first(instance)
    places = point_search.coordinates_of(instance)
    return PackedGroups(*far_groups(places, instance.k, Budget()))


ALGORITHMS: Sequence[Algorithm[PairPartition]] = (
    _algorithm(
        "mdav",
        "The item furthest from all left, and what costs least to add, until k",
        mdav,
        MOST_PAIRED,
    ),
    _algorithm(
        "v-mdav",
        "As `mdav`; items that are near its group join, up to 2k - 1",
        v_mdav,
        MOST_PAIRED,
    ),
    _algorithm("sorted", "Runs of k in the order of coordinates", in_order),
)
