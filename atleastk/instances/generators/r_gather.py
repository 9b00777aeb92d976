"""r-gather: families of generated instances.

Points in the plane are solved by the thousand. Rows of cells, whose distances are few,
are hard for r of ten and more; so are graphs of formulas that nothing satisfies, and
limits on clusters with outliers.

The tight families make an algorithm of [Aggarwal10] pay what it guarantees at most, if
it takes points as they come; the optimum is 1.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from atleastk.instances.family import Family, at_least, families, require
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.generators.metric_points import (
    Fields,
    clustering_families,
    of_points,
)
from atleastk.instances.r_gather import RGather
from atleastk.instances.reductions.formulas import ThreeSat
from atleastk.instances.reductions.r_gather import LEAST_R, to_r_gather
from atleastk.packages import nx

_TRIALS = 1000
"""Attempts to draw a formula before it is given up: not tuned."""

_FAR = 9
"""The distance of an outlier, which is above all others of the family."""


def tight_star(_seed: int, r: int = 3) -> RGather:
    """Make a star, its leaves first: the 2-approximation takes a leaf as a centre."""
    at_least(3, r=r)
    drawn = _star([f"leaf {i}" for i in range(r)])
    return RGather.of_graph(drawn, r=r)


def tight_line(_seed: int, r: int = 3) -> RGather:
    """Take two points 0 first, r - 1 each of -1 and 1: a centre 0 takes them all.

    Centres are anywhere, so costs are diameters: 2 in place of 1.
    """
    at_least(2, r=r)
    points = [(0,), (0,), *[(-1,)] * (r - 1), *[(1,)] * (r - 1)]
    return RGather(points=points, metric="manhattan", r=r, centres="any")


def tight_outliers(_seed: int, r: int = 4, max_outliers: int = 1) -> RGather:
    """Make two stars that share a leaf, and outliers: 3 or 4 times the optimum is paid.

    The 4-approximation takes the first point, a leaf of the first star, and with it the
    shared one. Too few are left for another cluster: the other leaves, at distance 4,
    join the first. The 3-approximation takes the first hub, at distance 3 from them.
    """
    at_least(4, r=r)
    drawn = _star(["first", *(f"leaf {i}" for i in range(r - 2))])
    drawn.add_edges_from((("hub", "shared"), ("shared", "other hub")))
    drawn.add_edges_from(("other hub", f"other leaf {i}") for i in range(r - 2))
    return _with_outliers(drawn, max_outliers, r=r)


def tight_k_outliers(_seed: int, r: int = 3, max_outliers: int = 1) -> RGather:
    """Make two stars, and outliers: with two clusters 4 times the optimum is paid.

    A leaf of one star is at distance 3 from the hub of the other. The 4-approximation
    for two clusters takes this leaf, and every point is covered: the other leaves are
    at distance 4.
    """
    at_least(3, r=r)
    drawn = _star(["first", *(f"leaf {i}" for i in range(r - 1))])
    drawn.add_edge("first", "other hub", weight=3)
    drawn.add_edges_from(("other hub", f"other leaf {i}") for i in range(r - 1))
    return _with_outliers(drawn, max_outliers, r=r, max_clusters=2)


def worst_hubs(_seed: int, distance: int = 1) -> RGather:
    """Two hubs with a leaf each, r = 1 and two clusters: k-center takes both hubs.

    Points are `distance` apart, leaves twice that. Both leaves are as near to the first
    hub as to the second, so they share a cluster; each with a hub is the optimum.
    """
    at_least(1, distance=distance)
    apart = [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 2], [1, 1, 2, 0]]
    scaled = [[distance * x for x in row] for row in apart]
    return RGather(distances=scaled, r=1, max_clusters=2, centres="any")


def _star(leaves: Sequence[str]) -> nx.Graph[Any]:
    drawn: nx.Graph[Any] = nx.Graph()
    drawn.add_nodes_from(leaves)
    drawn.add_edges_from(("hub", leaf) for leaf in leaves)
    return drawn


def _with_outliers(drawn: nx.Graph[Any], max_outliers: int, **fields: Any) -> RGather:
    """Return the distances in a graph and to more points, far from the first."""
    at_least(0, max_outliers=max_outliers)
    for i in range(max_outliers):
        drawn.add_edge("first", f"outlier {i}", weight=_FAR)
    for _, _, edge in drawn.edges(data=True):
        edge.setdefault("weight", 1)
    return RGather.of_graph(drawn, max_outliers=max_outliers, **fields)


def three_sat(
    seed: int, variables: int = 6, clauses: int = 10, width: int = 3, r: int = LEAST_R
) -> RGather:
    """Reduce a random formula: the optimum is 1 if it is satisfiable, else 2 or more.

    Clauses have `width` literals. Every literal is in at most three clauses, so a
    formula is rarely unsatisfiable if its clauses have three literals, but often if
    they have two.
    """
    at_least(LEAST_R, r=r)
    formula = random_formula(seed, variables, clauses, width)
    return RGather(distances=to_r_gather(formula, r).distances, r=r)


def random_formula(seed: int, variables: int, clauses: int, width: int) -> ThreeSat:
    """Return a random formula without a clause twice.

    Raise `InvalidInstanceError` if a thousand attempts do not give one: there are too
    many clauses.
    """
    require(1 <= width <= 3, f"width: expected 1..3, got {width}")
    require(variables >= width, f"variables: expected {width} at least")
    at_least(0, clauses=clauses)
    rng = random.Random(seed)
    for _ in range(_TRIALS):
        drawn = _attempt(rng, variables, clauses, width)
        if drawn is not None:
            return ThreeSat(drawn)
    raise InvalidInstanceError(
        f"clauses: found no {clauses} different ones; give fewer, or variables"
    )


def _attempt(
    rng: random.Random, variables: int, clauses: int, width: int
) -> list[tuple[int, ...]] | None:
    """Draw clauses one by one; None if no literals are left, or a clause repeats."""
    left = {x: 3 for v in range(1, variables + 1) for x in (v, -v)}
    drawn: set[tuple[int, ...]] = set()
    for _ in range(clauses):
        found: dict[int, int] = {}
        for literal in rng.sample(list(left), len(left)):
            if left[literal] and len(found) < width:
                found.setdefault(abs(literal), literal)
        clause = tuple(found[x] for x in sorted(found))
        if len(clause) < width or clause in drawn:
            return None
        drawn.add(clause)
        for literal in clause:
            left[literal] -= 1
    return sorted(drawn)


def _gathering(_seed: int, fields: Fields, **limits: Any) -> RGather:
    return of_points(RGather, fields, limits)


FAMILIES: Sequence[Family[RGather]] = (
    *clustering_families(_gathering),
    *families(
        tight_star, tight_line, tight_outliers, tight_k_outliers, worst_hubs, three_sat
    ),
)
