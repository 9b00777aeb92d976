"""The rule that cuts trees, against the rule by definition, and both lemmas."""

import random

import networkx as nx
import numpy as np
import pytest

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.solvers.brute_force.connected_partition import optimum
from atleastk.solvers.connected_partition.algorithms.tree_cuts import cut, roots


def parts_of(parent, weights, k):
    labels = cut(np.array(parent), np.array(weights), k).tolist()
    groups = {}
    for node, label in enumerate(labels):
        groups.setdefault(label, []).append(node)
    return sorted(groups.values())


def rooted(tree, root=0):
    parent = [-1] * len(tree)
    for above, below in nx.bfs_edges(tree, root):
        parent[below] = above
    return parent


def by_definition(tree, weights, k, fewest=True):
    """Cut as the paper says, of equally light sides one with fewest (most) nodes."""
    tree = tree.copy()
    parts = []
    while True:
        best = None
        for edge in list(tree.edges):
            tree.remove_edge(*edge)
            sides = [(node, nx.node_connected_component(tree, node)) for node in edge]
            tree.add_edge(*edge)
            levels = [sum(weights[x] for x in side) for _, side in sides]
            if min(levels) < k:
                continue
            for (node, side), level in zip(sides, levels, strict=True):
                key = (level, len(side) if fewest else -len(side), node)
                if best is None or key < best[0]:
                    best = key, side
        if best is None:
            return [*parts, sorted(tree)]
        parts.append(sorted(best[1]))
        tree.remove_nodes_from(best[1])


def random_tree(rng, seed):
    n = rng.randint(1, 13)
    tree = nx.random_labeled_tree(n, seed=seed)
    k = rng.randint(1, 9)
    heaviest = rng.choice((1, k, 2 * k))
    weights = [rng.choice((0, rng.randint(0, heaviest))) for _ in range(n)]
    return tree, weights, k


def test_the_rule_is_that_of_the_definition():
    rng = random.Random(1)
    cuts = 0
    for seed in range(600):
        tree, weights, k = random_tree(rng, seed)
        expected = sorted(by_definition(tree, weights, k))
        for root in (0, len(tree) - 1):
            assert parts_of(rooted(tree, root), weights, k) == expected, seed
        cuts += len(expected) - 1
    assert cuts > 300


def test_a_tie_in_which_the_subtree_below_weighs_k():
    """{0} and {1, 2} are equally light: Lemma 2's proof holds for the first only."""
    path = nx.path_graph(3)
    assert parts_of([-1, 0, 1], [1, 0, 1], 1) == [[0], [1, 2]]
    assert by_definition(path, [1, 0, 1], 1) == [[0], [1, 2]]
    assert by_definition(path, [1, 0, 1], 1, fewest=False) == [[1, 2], [0]]


def test_a_path_with_two_nodes_all_arrows_point_to():
    """Weights 1, 0, 1 and k = 2: Lemma 1's node is not unique, its bound holds."""
    assert parts_of([-1, 0, 1], [1, 0, 1], 2) == [[0, 1, 2]]


@pytest.mark.parametrize("k", [2, 3, 20, 10**6])
def test_degree_three_is_tight(k):
    """4k - 3 in a 3-connected planar graph whose optimum is k: a wheel."""
    weights = [k, *[k - 1, k, 1] * 3]
    parent = [-1, 0, 1, 2, 0, 4, 5, 0, 7, 8]
    parts = parts_of(parent, weights, k)
    assert parts == [[0, 1, 4, 7], [2, 3], [5, 6], [8, 9]]
    assert sum(weights[node] for node in parts[0]) == 4 * k - 3
    wheel = nx.wheel_graph(10)
    assert all(u < 0 or wheel.has_edge(v, u) for v, u in enumerate(parent))
    assert nx.node_connectivity(wheel) == 3
    assert optimum(ConnectedPartition(weights, list(wheel.edges), k))[0] == k


@pytest.mark.parametrize("k", [3, 4, 20, 10**6])
def test_degree_two_is_tight(k):
    """3k - 2 in a 4-connected planar graph whose optimum is k: two poles, a rim."""
    weights = [1, k, k - 1, k, k - 1, k, 1]
    rim, poles = [0, 1, 3, 5, 6], [2, 4]
    graph = nx.Graph((rim[i - 1], rim[i]) for i in range(5))
    graph.add_edges_from((pole, node) for pole in poles for node in rim)
    assert all(graph.has_edge(v, v + 1) for v in range(6))
    assert nx.node_connectivity(graph) == 4
    assert nx.check_planarity(graph)[0]
    parts = parts_of(range(-1, 6), weights, k)
    assert parts == [[0, 1], [2, 3, 4], [5, 6]]
    assert sum(weights[node] for node in parts[1]) == 3 * k - 2
    assert optimum(ConnectedPartition(weights, list(graph.edges), k))[0] == k


def test_forests_and_light_trees():
    parent = [-1, 0, -1, 2, -1]
    assert parts_of(parent, [3, 3, 3, 2, 1], 3) == [[0], [1], [2, 3], [4]]
    assert roots(np.array(parent)).tolist() == [0, 0, 2, 2, 4]
    assert parts_of(parent, [1] * 5, 10**30) == [[0, 1], [2, 3], [4]]
    assert cut(np.empty(0, np.int64), np.empty(0, np.int64), 1).tolist() == []


def test_great_weights_do_not_overflow():
    weights = [2**60, 2**60 - 1, 2**60, 2**60]
    assert parts_of([-1, 0, 1, 2], weights, 2**60) == [[0], [1, 2], [3]]
    assert parts_of([-1, 0, 1, 2], weights, 2**62) == [[0, 1, 2, 3]]


def test_long_paths_and_large_stars():
    n = 30_000
    path = parts_of(range(-1, n - 1), [1] * n, 3)
    assert {len(part) for part in path} == {3}
    star = parts_of([-1, *[0] * (n - 1)], [1] * n, 2)
    assert len(star) == 1
