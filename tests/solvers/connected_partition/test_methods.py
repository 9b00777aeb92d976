import random

import pytest
from searching import search_of, searched

import atleastk
from atleastk import ConnectedPartition, NotApplicableError, Status
from atleastk.instances.generators.connected_partition import (
    delaunay,
    grid,
    path,
    tight_3_connected,
    tight_4_connected,
)
from atleastk.solvers.connected_partition.methods import METHODS, solve

NAMES = ["auto", *(method.name for method in METHODS)]
PIECES = ((0, 1), (1, 2), (3, 4))


def run_named(name):
    return next((method.run for method in METHODS if method.name == name), solve)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_against_the_judge(name, sweep, fault):
    rng = random.Random(1)
    for seed in range(40):
        instance = sweep.random_map(rng, rng.choice([0, 1, 3, 5, 6, 7]))
        assert fault(instance, method=name, portfolio=True, seed=seed) is None, instance


@pytest.mark.parametrize(
    "instance",
    [
        delaunay(1, n=12, w=9, parts=4),
        grid(2, rows=3, columns=4, parts=3),
        path(3, n=20, parts=5),
    ],
    ids=lambda instance: instance.name,
)
def test_methods_agree(instance):
    names = [name for name in NAMES if name not in ("rooted-flow", "subset-dp")]
    searches = [search_of(instance) for _ in names]
    for name, search in zip(names, searches, strict=True):
        run_named(name)(search)
    assert all(search.closed for search in searches)
    assert len({search.cost for search in searches}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_tight_graphs(name):
    for instance in (tight_3_connected(0, k=9), tight_4_connected(0, k=9)):
        result = atleastk.solve(instance, method=name)
        assert (result.status, result.cost) == (Status.OPTIMAL, 9)


@pytest.mark.parametrize("name", NAMES)
def test_components_are_independent(name):
    result = atleastk.solve(ConnectedPartition([3, 1, 2, 0, 3], PIECES, 3), method=name)
    assert (result.status, result.cost) == (Status.OPTIMAL, 3)
    assert result.solution.groups == ((0,), (1, 2), (3, 4))
    result = atleastk.solve(ConnectedPartition([3, 1, 2, 0, 2], PIECES, 3), method=name)
    assert result.status is Status.INFEASIBLE
    result = atleastk.solve(ConnectedPartition([], [], 3), method=name)
    assert (result.status, result.cost) == (Status.OPTIMAL, 0)


@pytest.mark.parametrize("name", NAMES)
def test_heavy_nodes_take_in_light_ones(name):
    """A node of weight k is no part of its own if its neighbours need it."""
    instance = ConnectedPartition([9, 1, 1, 0, 9], [(0, 1), (0, 2), (2, 3), (3, 4)], 5)
    result = atleastk.solve(instance, method=name)
    assert (result.status, result.cost) == (Status.OPTIMAL, 10)


@pytest.mark.parametrize("name", NAMES)
def test_a_spent_budget(name):
    instance = delaunay(2, n=18, parts=4)
    search = searched(run_named(name), instance, seconds=0)
    exact = searched(run_named("frontier"), instance)
    assert exact.closed
    assert (search.bound or 0) <= exact.cost
    assert search.cost is None or search.cost >= exact.cost


@pytest.mark.parametrize("name", NAMES)
def test_one_worker_is_deterministic(name):
    instance = delaunay(4, n=10, parts=3)
    first, second = (
        atleastk.solve(instance, method=name, workers=1, seed=5) for _ in range(2)
    )
    assert first.status is second.status is Status.OPTIMAL
    assert first.solution == second.solution


@pytest.mark.parametrize("name", NAMES)
def test_a_start_is_kept(name):
    instance = delaunay(5, n=10, parts=3)
    best = atleastk.solve(instance, method="frontier")
    again = atleastk.solve(instance, method=name, start=best)
    assert (again.status, again.cost) == (Status.OPTIMAL, best.cost)


@pytest.mark.parametrize("name", ["frontier", "connected-sets-sat"])
def test_weights_beyond_32_bits(name):
    weights = [2**59 + i for i in range(7)]
    instance = ConnectedPartition(weights, [(i, i + 1) for i in range(6)], 2**60)
    result = atleastk.solve(instance, method=name)
    assert (result.status, result.cost) == (Status.OPTIMAL, 3 * 2**59 + 3)


def test_too_many_states_end_a_run():
    clique = [(u, v) for u in range(12) for v in range(u)]
    instance = ConnectedPartition([1 + v for v in range(12)], clique, 30)
    search = searched(run_named("frontier"), instance, memory=50_000)
    assert not search.closed
    wide = [(u, v) for u in range(30) for v in range(u)]
    instance = ConnectedPartition([1] * 29 + [900], wide, 3)
    search = searched(run_named("connected-sets"), instance)
    assert not search.closed


@pytest.mark.parametrize(
    ("name", "instance", "message"),
    [
        ("rooted", path(0, n=151), "it takes 150"),
        ("rooted", ConnectedPartition([2**30, 1], [(0, 1)], 1), "too large"),
        ("rooted-flow", path(0, n=41), "it takes 40"),
        ("rooted-flow", ConnectedPartition([10**9, 1], [(0, 1)], 1), "too large"),
        ("connected-sets", path(0, n=301), "it takes 300"),
        ("frontier", grid(0, rows=14, columns=14), "it takes 12"),
    ],
)
def test_refusals_say_why(name, instance, message):
    with pytest.raises(NotApplicableError, match=message):
        atleastk.solve(instance, method=name)
