import random
from itertools import pairwise

import networkx as nx
import pytest

from atleastk import ConnectedPartition, Solution, Verdict
from atleastk.models.connected_partition import (
    breadth_first,
    check,
    components,
    counting_bound,
    reach,
)
from atleastk.solvers.brute_force.connected_partition import optimum

CYCLE = ConnectedPartition(
    [1, 2, 3, 4, 5, 0], [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)], 4
)


def verdict_of(*groups):
    return check(CYCLE, Solution(groups))


def test_the_cost_is_the_heaviest_part():
    assert verdict_of((0, 1, 5, 4), (2, 3)) == Verdict(8)
    assert verdict_of((0, 1, 2), (3,), (4, 5)) == Verdict(6)
    assert verdict_of((0, 1, 2, 3, 4, 5)) == Verdict(15)
    assert check(ConnectedPartition([], [], 1), Solution(())) == Verdict(0)
    assert check(ConnectedPartition([3], [], 3), Solution(((0,),))) == Verdict(3)


LIGHT = "group {} weighs 3, below k = 4"
APART = "group {} is not connected: no path from {} to {}"


@pytest.mark.parametrize(
    ("groups", "violations"),
    [
        (((0, 1), (2, 3), (4, 5)), [LIGHT.format(0)]),
        (((0, 1, 3), (2,), (4, 5)), [APART.format(0, 0, 3), LIGHT.format(1)]),
        (((3, 0, 1), (2, 4, 5)), [APART.format(0, 3, 0), APART.format(1, 2, 4)]),
        (((0, 2), (1, 3, 4, 5)), [APART.format(0, 0, 2), APART.format(1, 1, 3)]),
    ],
)
def test_parts_are_heavy_and_connected(groups, violations):
    verdict = verdict_of(*groups)
    assert verdict.cost is not None
    assert list(verdict.violations) == violations


def test_what_is_reached_is_what_networkx_reaches():
    rng = random.Random(1)
    for seed in range(200):
        graph = nx.gnp_random_graph(rng.randint(1, 12), rng.random() / 2, seed=seed)
        instance = ConnectedPartition([1] * len(graph), list(graph.edges), 1)
        nodes = rng.sample(list(graph), rng.randint(1, len(graph)))
        inside = nx.node_connected_component(graph.subgraph(nodes), nodes[0])
        assert reach(instance.neighbours, nodes) == inside
    assert components(ConnectedPartition([], [], 1)) == []


def test_counting_never_exceeds_the_optimum():
    assert counting_bound([2, 2, 2], 3) == 3
    assert counting_bound([9, 1], 3) == 9
    assert counting_bound([4, 4, 4, 4, 5], 10) == 11
    rng = random.Random(2)
    tight = 0
    for seed in range(200):
        n = rng.randint(1, 7)
        tree = nx.random_labeled_tree(n, seed=seed)
        weights = [rng.randint(0, 9) for _ in range(n)]
        k = rng.randint(1, max(1, sum(weights)))
        best = optimum(ConnectedPartition(weights, list(tree.edges), k))
        assert (best is None) == (sum(weights) < k)
        if best is not None:
            assert counting_bound(weights, k) <= best[0], seed
            tight += counting_bound(weights, k) == best[0]
    assert tight > 50


@pytest.mark.parametrize("seed", range(60))
def test_components_are_those_of_a_walk(seed):
    """Long paths with numbers at random are worst for roots below roots."""
    rng = random.Random(seed)
    n = rng.randint(1, 40)
    numbers = rng.sample(range(n), n)
    path = [list(pair) for pair in pairwise(numbers) if rng.random() < 0.8]
    edges = path + [rng.sample(range(n), 2) for _ in range(rng.randint(0, 4) * (n > 1))]
    instance = ConnectedPartition(weights=[1] * n, edges=edges, k=1)
    walked = [sorted(order) for order in breadth_first(instance.neighbours)]
    assert components(instance) == walked
    home = [rng.randrange(3) for _ in range(n)]
    groups = [[v for v in numbers if home[v] == g] for g in sorted(set(home))]
    verdict = check(instance, Solution.of(groups))
    apart = [len(reach(instance.neighbours, group)) < len(group) for group in groups]
    assert verdict.feasible == (not any(apart))
    assert len(verdict.violations) == sum(apart)
