"""Cellular clustering: families of generated instances.

Points are those of r-gather, with facility costs that are uniform in 0..facility.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.family import Family, at_least, families, require
from atleastk.instances.generators.metric_points import (
    Fields,
    clustering_families,
    of_points,
)
from atleastk.instances.reductions.cellular_clustering import (
    SetCover,
    to_cellular_clustering,
)
from atleastk.packages import nx


def _priced(
    seed: int, fields: Fields, facility: int, **limits: Any
) -> CellularClustering:
    """Add uniform facility costs to points."""
    at_least(0, facility=facility)
    if facility:
        rng = random.Random(f"facilities {seed}")
        count = len(fields.get("points") or fields["distances"])
        costs = [rng.randint(0, facility) for _ in range(count)]
        fields = {**fields, "facility_costs": costs}
    return of_points(CellularClustering, fields, limits)


def tight_facilities(
    _seed: int, leaves: int = 8, distance: int = 10
) -> CellularClustering:
    """Make two centres that share a leaf: the 3-approximation opens only one of them.

    One has `leaves` leaves, the other has one, and all are at the same distance. Both
    centres cost 1, other points more than anything. As one point is in reach of both,
    one is shut down, and its leaf is three times as far from the other.
    """
    at_least(1, leaves=leaves)
    at_least(2, distance=distance)
    drawn: nx.Graph[str] = nx.Graph()
    drawn.add_nodes_from(("centre", "other centre"))
    reached = ("shared", *(f"leaf {i}" for i in range(leaves)))
    drawn.add_edges_from((("centre", leaf) for leaf in reached), weight=distance)
    for leaf in ("shared", "other leaf"):
        drawn.add_edge("other centre", leaf, weight=distance)
    high = 4 * distance * len(drawn)
    costs = [1, 1, *[high] * (len(drawn) - 2)]
    return CellularClustering.of_graph(drawn, facility_costs=costs)


def worst_five_points(_seed: int, unit: int = 1) -> CellularClustering:
    """Five points, r = 2, of which r-cellular makes one cluster: 65/19 of the optimum.

    All distances are multiples of the unit. Found by search.
    """
    at_least(1, unit=unit)
    apart = [
        [0, 3, 13, 3, 8],
        [3, 0, 10, 3, 5],
        [13, 10, 0, 10, 5],
        [3, 3, 10, 0, 5],
        [8, 5, 5, 5, 0],
    ]
    scaled = [[unit * x for x in row] for row in apart]
    return CellularClustering(distances=scaled, r=2, centres="any")


def worst_chains(
    _seed: int, chains: int = 3, payers: int = 4, distance: int = 10
) -> CellularClustering:
    """Make chains that r-cellular has as clusters, of which only `payers` points cost.

    A chain is a point, a place of r copies, points side by side, a point, and a place
    of copies, 2r - 1 with the points; the steps are d - 1, d - 1, d and d long. The
    points, which pay for clusters, are r in all chains, so far from those of other
    chains that the cluster of all, which is the best, does not open first.
    """
    at_least(2, chains=chains, distance=distance)
    at_least(3, payers=payers)
    r, near = chains * payers, distance - 1
    # Radius d is paid for at d (1 + r / (payers - 1)), and by r points at twice it.
    apart = -(-distance * (payers - 1 + r) // (2 * payers - 2))
    drawn: nx.Graph[tuple[int, str, int]] = nx.Graph()
    for chain in range(chains):
        place, end = [
            [(chain, name, i) for i in range(copies)]
            for name, copies in (("place", r), ("end", 2 * r - 1 - payers))
        ]
        first, *middle, last = [(chain, "payer", i) for i in range(payers)]
        drawn.add_edges_from(((place[0], copy) for copy in place[1:]), weight=0)
        drawn.add_edges_from(((end[0], copy) for copy in end[1:]), weight=0)
        drawn.add_edges_from(((place[0], i) for i in (first, *middle)), weight=near)
        drawn.add_edges_from(((last, i) for i in (*middle, end[0])), weight=distance)
    paying = [node for node in drawn if node[1] == "payer"]
    for one, other in combinations(paying, 2):
        if one[0] != other[0]:
            drawn.add_edge(one, other, weight=apart)
    return CellularClustering.of_graph(drawn, r=r, centres="any")


def set_cover(
    seed: int, elements: int = 12, sets: int = 10, density: int = 25
) -> CellularClustering:
    """Reduce random sets: the optimum is elements + sets + the fewest that cover."""
    reduced = to_cellular_clustering(random_sets(seed, elements, sets, density))
    costs = reduced.facility_costs
    return CellularClustering(distances=reduced.distances, facility_costs=costs)


def random_sets(seed: int, elements: int, sets: int, density: int) -> SetCover:
    """Return sets of each element with density %, in one more set if it is in none."""
    at_least(1, elements=elements, sets=sets)
    require(0 <= density <= 100, f"density: expected per cent, 0..100, got {density}")
    rng = random.Random(seed)
    drawn: list[list[int]] = [[] for _ in range(sets)]
    for element in range(elements):
        inside = [given for given in drawn if rng.random() < density / 100]
        for given in inside or [rng.choice(drawn)]:
            given.append(element)
    return SetCover(elements, drawn)


FAMILIES: Sequence[Family[CellularClustering]] = (
    *clustering_families(_priced, facility=0),
    *families(tight_facilities, worst_five_points, worst_chains, set_cover),
)
