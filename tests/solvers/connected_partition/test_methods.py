import pytest
from searching import searched

import atleastk
from atleastk import ConnectedPartition, NotApplicableError, Status
from atleastk.instances.generators.connected_partition import grid, path
from atleastk.solvers.connected_partition.methods import METHODS, solve


def run_named(name):
    return next((method.run for method in METHODS if method.name == name), solve)


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
