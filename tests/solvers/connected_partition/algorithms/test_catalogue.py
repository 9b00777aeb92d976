"""The algorithms of [Du09, section 2]: feasible always, within their promises."""

import random

import networkx as nx
import pytest
from costs import cost_by
from maps import stacked

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connected_partition import components
from atleastk.models.connectivity import connectivity
from atleastk.solvers.brute_force.connected_partition import optimum
from atleastk.solvers.connected_partition.algorithms.catalogue import (
    ALGORITHMS,
    degree_found,
)

BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}


def weighed(graph, rng):
    """Weights with zeros and nodes heavier than k; None if they are too light."""
    k = rng.randint(1, 12)
    some = [0, 1, k - 1, k, rng.randint(0, 2 * k)]
    weights = [rng.choice(some) for _ in graph]
    instance = ConnectedPartition(weights, list(graph.edges), k)
    levels = [sum(weights[v] for v in part) for part in components(instance)]
    return instance if min(levels) >= k else None


def judged(instance, seed):
    best = optimum(instance)
    assert best is not None
    ran = set()
    for algorithm in ALGORITHMS:
        if algorithm.refuses(instance) is None:
            ran.add(algorithm.name)
            reached = cost_by(algorithm.name, instance, seed)
            shown = (algorithm.name, instance.to_dict(), reached, best)
            assert reached >= best[0], shown
            assert algorithm.guarantee.applies(instance), shown
            assert algorithm.guarantee.holds(instance, reached, best[0]), shown
    return ran


def test_the_ratio_is_four_on_3_connected_planar_graphs():
    rng = random.Random(2)
    solved = 0
    for seed in range(150):
        instance = weighed(stacked(rng.randint(4, 8), rng), rng)
        if instance is not None:
            solved += 1
            assert connectivity(instance).at_least(3)
            assert {"tree-cut", "balanced-cut"} <= judged(instance, seed)
            ceiling = BY_NAME["tree-cut"].guarantee.ceiling(instance, 0)
            assert ceiling <= 4 * max(instance.k, *instance.weights)
    assert solved > 120


def test_the_ratio_is_three_on_4_connected_planar_graphs():
    rng = random.Random(3)
    for seed in range(60):
        rim = rng.randint(4, 6)
        graph = nx.cycle_graph(rim)
        graph.add_edges_from((pole, v) for v in range(rim) for pole in (rim, rim + 1))
        instance = weighed(graph, rng)
        if instance is not None:
            assert connectivity(instance).at_least(4)
            assert len(judged(instance, seed)) == 3


def test_promises_hold_on_larger_maps():
    rng = random.Random(4)
    for seed in range(60):
        instance = weighed(stacked(rng.randint(20, 200), rng), rng)
        if instance is not None:
            for algorithm in ALGORITHMS:
                if algorithm.refuses(instance) is None:
                    reached = cost_by(algorithm.name, instance, seed)
                    assert reached <= algorithm.guarantee.ceiling(instance, 0)


def test_balanced_cut_is_never_worse_than_the_tree_it_starts_with():
    rng = random.Random(5)
    better = 0
    for seed in range(20):
        graph = stacked(60, rng)
        weights = [rng.randint(1, 20) for _ in graph]
        instance = ConnectedPartition(weights, list(graph.edges), 40)
        whole, balanced = (
            cost_by("tree-cut", instance),
            cost_by("balanced-cut", instance),
        )
        assert balanced <= whole, seed
        better += balanced < whole
    assert better > 12


def test_graphs_without_the_trees_are_refused():
    """Stars: the lowest degree is that of the centre."""
    star = ConnectedPartition([1] * 6, list(nx.star_graph(5).edges), 2)
    assert degree_found(star, 2) == 5
    assert BY_NAME["tree-cut"].refuses(star) == (
        "it needs spanning trees of degree 3, the lowest degree found is 5; take "
        "balanced-cut"
    )
    assert (
        BY_NAME["hamiltonian-cut"]
        .refuses(star)
        .startswith("it needs Hamiltonian paths, the lowest degree found is 5")
    )
    for name in ("tree-cut", "hamiltonian-cut"):
        assert not BY_NAME[name].guarantee.applies(star)
    assert cost_by("balanced-cut", star) == 6
    assert BY_NAME["balanced-cut"].guarantee.ceiling(star, 6) == 7


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)
def test_great_weights(algorithm):
    rng = random.Random(6)
    for seed in range(20):
        weights = [rng.randint(0, 9) for _ in range(12)]
        edges = list(nx.cycle_graph(12).edges)
        small = ConnectedPartition(weights, edges, 11)
        great = ConnectedPartition([w * 2**55 for w in weights], edges, 11 * 2**55)
        assert algorithm.run(small, seed) == algorithm.run(great, seed)
