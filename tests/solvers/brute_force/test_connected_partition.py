import random

import networkx as nx
import pytest

from atleastk import ConnectedPartition, NotApplicableError, Solution
from atleastk.models.connected_partition import check
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.brute_force.connected_partition import (
    is_connected,
    optimum,
)

PATH = [(0, 1), (1, 2), (2, 3)]


def test_costs_by_hand():
    assert optimum(ConnectedPartition([2, 1, 1, 2], PATH, 3)) == (3, [[0, 1], [2, 3]])
    assert optimum(ConnectedPartition([1, 2, 2, 1], PATH, 4))[0] == 6
    star = [(0, 1), (0, 2), (0, 3)]
    assert optimum(ConnectedPartition([3, 1, 1, 1], star, 2))[0] == 6
    assert optimum(ConnectedPartition([3, 1, 1, 2], star, 2)) == (5, [[0, 1, 2], [3]])


def test_heavy_and_weightless_nodes():
    assert optimum(ConnectedPartition([9, 1], [(0, 1)], 2)) == (10, [[0, 1]])
    assert optimum(ConnectedPartition([2, 0, 2], PATH[:2], 2))[0] == 2
    assert optimum(ConnectedPartition([0, 0], [(0, 1)], 1)) is None


def test_components_are_independent():
    assert optimum(ConnectedPartition([3, 3, 4, 4], [(0, 1), (2, 3)], 4))[0] == 6
    assert optimum(ConnectedPartition([3, 3, 1], [(0, 1)], 3)) is None


def test_limits():
    assert optimum(ConnectedPartition([], [], 1)) == (0, [])
    with pytest.raises(NotApplicableError, match="at most 10 nodes, got 11"):
        optimum(ConnectedPartition([1] * 11, [], 1))


def test_is_connected_is_that_of_networkx():
    rng = random.Random(1)
    for seed in range(300):
        graph = nx.gnp_random_graph(rng.randint(1, 8), rng.random(), seed=seed)
        nodes = rng.sample(list(graph), rng.randint(1, len(graph)))
        expected = nx.is_connected(graph.subgraph(nodes))
        assert is_connected(nodes, list(graph.edges)) == expected


def test_the_checker_finds_the_same_optimum():
    rng = random.Random(2)
    infeasible = 0
    for seed in range(120):
        n = rng.randint(1, 6)
        graph = nx.gnp_random_graph(n, rng.choice((0.3, 0.6, 1)), seed=seed)
        weights = [rng.randint(0, rng.choice((1, 4, 9))) for _ in range(n)]
        instance = ConnectedPartition(weights, list(graph.edges), rng.randint(1, 8))
        verdicts = [check(instance, Solution.of(groups)) for groups in partitions(n)]
        costs = [verdict.cost for verdict in verdicts if verdict.feasible]
        best = optimum(instance)
        assert (best is None) == (not costs), instance
        infeasible += best is None
        if best is not None:
            assert best[0] == min(costs), instance
            assert check(instance, Solution.of(best[1])).cost == best[0]
    assert 20 < infeasible < 100
