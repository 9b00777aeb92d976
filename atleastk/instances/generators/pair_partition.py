"""Pair partition: families of instances, drawn by a seed.

The parameters of a function are those of `atleastk generate`, by the same names.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

from atleastk.instances.family import Family, at_least, families, require
from atleastk.instances.pair_partition import Objective, PairPartition


def uniform(
    seed: int, n: int = 20, high: int = 100, k: int = 3, objective: Objective = "sum"
) -> PairPartition:
    """Every pair costs a number uniform in 0..high."""
    at_least(0, n=n, high=high)
    rng = random.Random(seed)
    costs = [(i, j, rng.randint(0, high)) for i, j in combinations(range(n), 2)]
    return PairPartition(items=n, costs=costs, k=k, objective=objective)


def points(
    seed: int,
    n: int = 30,
    dimension: int = 2,
    high: int = 1000,
    k: int = 3,
    objective: Objective = "squares",
) -> PairPartition:
    """Points uniform in a box of 0..high: microaggregation with ``squares``."""
    at_least(1, dimension=dimension)
    at_least(0, n=n, high=high)
    rng = random.Random(seed)
    drawn = [[rng.randint(0, high) for _ in range(dimension)] for _ in range(n)]
    return PairPartition(points=drawn, k=k, objective=objective)


def network(
    seed: int,
    n: int = 20,
    density: int = 40,
    high: int = 20,
    parts: int = 4,
    k: int = 2,
) -> PairPartition:
    """Draw a connected graph with costs 1..high, in exactly so many groups."""
    at_least(1, n=n, high=high, parts=parts)
    require(0 <= density <= 100, f"density: need 0 to 100 percent, got {density}")
    rng = random.Random(seed)
    tree = {(rng.randrange(j), j) for j in range(1, n)}
    more = {p for p in combinations(range(n), 2) if 100 * rng.random() < density}
    costs = [(i, j, rng.randint(1, high)) for i, j in sorted(tree | more)]
    groups = (parts, parts)
    return PairPartition(items=n, costs=costs, k=k, connected=True, groups=groups)


def worst_places(_seed: int, distance: int = 10, more: int = 0) -> PairPartition:
    """Two places of 6 and 5 points, k = 4, one beside the second: the optimum is 4.

    Groups of 4 taken one by one leave both places points that have to meet; with one
    more at the second place they are 4, a group of their own.
    """
    at_least(3, distance=distance)
    at_least(0, more=more)
    drawn = [[0]] * 6 + [[distance]] * (4 + more) + [[distance + 1]]
    return PairPartition(points=drawn, k=4)


FAMILIES: Sequence[Family[PairPartition]] = families(
    uniform, points, network, worst_places
)
