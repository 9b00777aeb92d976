from collections import Counter
from itertools import product

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.generators.rectangle_tiling import FAMILIES
from atleastk.models.rectangle_tiling import check, solution_of_boxes
from atleastk.solvers.brute_force.rectangle_tiling import optimum

BY_NAME = {family.name: family for family in FAMILIES}
SPECIAL = {"ring", "tight-kd", "worst-guillotine"}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_is_covered_and_how(family):
    assert family.make(1).cover == "plane"
    assert not family.make(1).guillotine
    assert family.make(1, cover="points").cover == "points"
    assert family.make(1, guillotine=1).guillotine
    with pytest.raises(InvalidInstanceError, match="cover"):
        family.make(1, cover="sphere")
    with pytest.raises(InvalidInstanceError, match="guillotine"):
        family.make(1, guillotine=2)


@pytest.mark.parametrize("name", sorted(set(BY_NAME) - SPECIAL))
def test_k_is_given_or_the_weight_over_the_parts(name):
    instance = BY_NAME[name].make(2, parts=7)
    assert instance.k == instance.total // 7
    assert "parts=7" in instance.name
    instance = BY_NAME[name].make(2, k=11)
    assert instance.k == 11
    assert "parts" not in instance.name
    for wrong in ({"k": 0}, {"k": 10_000}, {"k": "x"}, {"parts": 0}, {"parts": 10_000}):
        with pytest.raises(InvalidInstanceError, match=next(iter(wrong))):
            BY_NAME[name].make(2, **wrong)


def test_coordinates_in_general_position_are_all_different():
    instance = BY_NAME["uniform"].make(1, n=50, w=3)
    assert len(instance.xs) == len(instance.ys) == instance.n == 50
    assert {weight for _, _, weight in instance.points} == {1, 2, 3}


def test_clusters():
    instance = BY_NAME["clustered"].make(1, n=60, clusters=3, spread=0)
    assert len(set(map(tuple, instance.cells.tolist()))) == 3
    instance = BY_NAME["clustered"].make(1, n=200, spread=20, side=10)
    assert (instance.xs, instance.ys) == (tuple(range(10)), tuple(range(10)))


def test_lattices():
    instance = BY_NAME["lattice"].make(1, n=30, side=6)
    assert len(set(map(tuple, instance.cells.tolist()))) == instance.n == 30
    assert max(instance.xs) <= 5
    instance = BY_NAME["full-lattice"].make(1, rows=3, columns=5)
    assert instance.cells.tolist() == [*map(list, product(range(5), range(3)))]
    assert set(BY_NAME["full-lattice"].make(1, w=1).grid.flat) == {1}


def test_multiplicities():
    instance = BY_NAME["multiplicity"].make(1)
    assert max(Counter(map(tuple, instance.cells.tolist())).values()) > 1
    assert min([weight for _, _, weight in instance.points]) == 0
    assert max(BY_NAME["multiplicity"].make(1, k=5).grid.flat) > 5


@pytest.mark.parametrize(
    ("parameters", "cost"),
    [
        ({}, 4),
        ({"guillotine": 1}, 5),
        ({"cover": "points"}, 4),
        ({"centre": 0}, 6),
        ({"centre": 0, "guillotine": 1}, 6),
        ({"centre": 0, "cover": "points"}, 4),
    ],
)
def test_rings(parameters, cost):
    instance = BY_NAME["ring"].make(0, **parameters)
    assert instance.grid.shape == (5, 5)
    assert optimum(instance)[0] == cost


@pytest.mark.parametrize("k", [2, 3, 10])
def test_tight_kd(k):
    instance = BY_NAME["tight-kd"].make(0, k=k)
    columns = [(0, 0, 1, 7), (1, 0, 3, 7), (4, 0, 6, 7), (6, 0, 7, 7)]
    middle = [(3, 0, 4, 1), (3, 1, 4, 3), (3, 3, 4, 4), (3, 4, 4, 6), (3, 6, 4, 7)]
    best = check(instance, solution_of_boxes(instance, [*columns, *middle]))
    assert (best.violations, best.cost) == ((), k)
    arms = [(0, 0, 2, 7), (5, 0, 7, 7), (2, 0, 5, 2), (2, 5, 5, 7)]
    worst = check(instance, solution_of_boxes(instance, [*arms, (2, 2, 5, 5)]))
    assert (worst.violations, worst.cost) == ((), 5 * k - 4)
    inner = instance.grid[2:5, 2:5]
    for cut in (1, 2):
        assert min(inner[:cut].sum(), inner[cut:].sum()) < k
        assert min(inner[:, :cut].sum(), inner[:, cut:].sum()) < k
