from itertools import combinations

import pytest

import atleastk
from atleastk.instances.generators import r_gather
from atleastk.instances.generators.cellular_clustering import FAMILIES, random_sets
from atleastk.solvers.brute_force.cellular_clustering import optimum

BY_NAME = {family.name: family for family in FAMILIES}
DRAWN = {
    *("uniform", "clustered", "line", "graph", "hamming", "hamming-clustered"),
    "set-cover",
}


def test_points_are_those_of_r_gather():
    others = {family.name: family for family in r_gather.FAMILIES}
    for name in DRAWN - {"set-cover"}:
        free = BY_NAME[name].make(5)
        paid = BY_NAME[name].make(5, facility=3)
        other = others[name].make(5)
        assert (free.points, free.distances) == (other.points, other.distances)
        assert (paid.points, paid.distances) == (other.points, other.distances)
        assert free.facility_costs is None
        assert set(paid.facility_costs) == {0, 1, 2, 3}
        assert " facility=3 " in paid.name
        assert " facility=3" in paid.source


def test_figures_are_as_printed():
    cost, solution = optimum(BY_NAME["figure-1"].make(0))
    assert cost == 2 * 11
    assert solution.groups == ((0, 1), (2, 3, 4))
    assert optimum(BY_NAME["figure-3"].make(0))[0] == 5


@pytest.mark.parametrize(("leaves", "distance"), [(1, 2), (3, 10)])
def test_tight_facilities(leaves, distance):
    """The optimum opens both centres; the 3-approximation pays about three times it."""
    instance = BY_NAME["tight-facilities"].make(0, leaves=leaves, distance=distance)
    best = (leaves + 2) * distance + 4
    assert optimum(instance)[0] == best
    cost = atleastk.approximate(instance, "cellular").cost
    assert cost == 3 * (leaves + 2) * distance + 3


def test_set_covers_cost_what_the_theorem_says():
    sets = random_sets(2, 4, 4, 30)
    fewest = next(
        size for size in range(5) if any(map(sets.covers, combinations(range(4), size)))
    )
    instance = BY_NAME["set-cover"].make(2, elements=4, sets=4, density=30)
    assert optimum(instance)[0] == 4 + 4 + fewest


@pytest.mark.parametrize("density", [0, 25, 100])
def test_sets_cover(density):
    drawn = random_sets(1, 40, 10, density)
    assert drawn.coverable
    held = sum(map(len, drawn.sets))
    assert {0: held == 40, 25: 60 < held < 140, 100: held == 400}[density]
