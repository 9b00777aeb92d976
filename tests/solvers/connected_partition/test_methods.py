import pytest
from searching import searched

import atleastk
from atleastk import ConnectedPartition, Status
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
