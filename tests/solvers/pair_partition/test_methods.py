"""Pair partition: every method against brute force, with random windows."""

import pytest
from pair_draws import drawn

import atleastk
from atleastk.instances.generators.pair_partition import network, points, uniform
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.pair_partition import check
from atleastk.models.results.solution import Solution
from atleastk.solvers.brute_force.pair_partition import ITEMS, optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition.auto import solve
from atleastk.solvers.pair_partition.methods import METHODS
from atleastk.solvers.search import Search


def searched(instance, run=solve):
    search = Search(instance, check, Budget())
    run(search)
    return search


@pytest.mark.parametrize("block", range(12))
def test_the_choice_of_methods_is_exact(block):
    for seed in range(25 * block, 25 * block + 25):
        instance = drawn(seed)
        best, search = optimum(instance), searched(instance)
        assert search.closed, seed
        assert search.cost == (None if best is None else best[0]), seed
        assert search.infeasible == (best is None), seed


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_method_finds_the_same(method):
    solved = 0
    for seed in range(1000, 1040):
        instance = drawn(seed)
        if method.refuses(instance) is None:
            best, search = optimum(instance), searched(instance, method.run)
            assert search.closed, seed
            assert search.cost == (None if best is None else best[0]), seed
            solved += best is not None
    assert solved >= 5


def test_the_judge_by_hand():
    """(0, 1) and (7, 9, 10): 1 + 4 + 1 + 9."""
    line = PairPartition(points=[[0], [1], [7], [9], [10]], k=2)
    assert optimum(line) == (15, [[0, 1], [2, 3, 4]])
    assert optimum(PairPartition(items=3, costs=[], k=4)) is None
    with pytest.raises(atleastk.NotApplicableError):
        optimum(PairPartition(items=ITEMS + 1, costs=[], k=1))


@pytest.mark.parametrize(
    "instance",
    [
        uniform(1, n=24, k=3),
        points(2, n=40, k=3),
        points(3, n=30, k=4, objective="sum"),
        network(4, n=24, density=50),
    ],
    ids=str,
)
def test_larger_instances_are_closed(instance):
    search = searched(instance)
    assert search.closed
    assert not check(instance, Solution.of(search.solution.groups)).violations


def test_optima_of_points_are_certified():
    result = atleastk.solve(points(5, n=25, k=3), certify=True, workers=1)
    assert result.status == "OPTIMAL"
    assert atleastk.check(points(5, n=25, k=3), result).feasible


def test_mdav_is_never_below_the_optimum():
    for seed in range(5):
        instance = points(seed, n=20, k=3)
        made = atleastk.approximate(instance, "mdav")
        assert made.cost >= atleastk.solve(instance, workers=1).cost


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_places_and_limits_of_any_magnitude(method):
    far = [[10**30 + x] for x in (0, 1, 7, 9, 10)]
    for limit in ({"at_most": 10**30}, {"at_least": 10**30}):
        asked = [{"of": [1, 2, 3, 4, 5], **limit}, {"of": "items", **limit}]
        instance = PairPartition(points=far, k=2, require=asked)
        search = searched(instance, method.run)
        assert search.cost == (15 if "at_most" in limit else None)
        assert search.closed
