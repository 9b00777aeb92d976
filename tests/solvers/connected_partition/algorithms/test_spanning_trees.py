import random

import networkx as nx
import numpy as np
import pytest
from maps import stacked

from atleastk import ConnectedPartition
from atleastk.solvers.connected_partition.algorithms.spanning_trees import (
    degrees,
    low_degree_forest,
)


def adjacency(graph):
    return ConnectedPartition([1] * len(graph), [*graph.edges], 1).adjacency


def forest_of(graph, seed=0, **options):
    parent = low_degree_forest(*adjacency(graph), seed, **options)
    forest = nx.empty_graph(len(graph))
    forest.add_edges_from((v, u) for v, u in enumerate(parent.tolist()) if u >= 0)
    assert all(graph.has_edge(u, v) for u, v in forest.edges)
    assert len(graph) == 0 or nx.is_forest(forest)
    pieces = nx.number_connected_components
    assert pieces(forest) == pieces(graph)
    assert degrees(parent).tolist() == [forest.degree(v) for v in range(len(graph))]
    return int(degrees(parent).max(initial=0))


def two_poles(n, seed):
    """A random 4-connected triangulation: flips of a double wheel that keep it so."""
    rng = random.Random(seed)
    graph = nx.cycle_graph(n - 2)
    graph.add_edges_from((pole, v) for v in range(n - 2) for pole in (n - 2, n - 1))
    for _ in range(5 * n):
        a, b = rng.choice(sorted(graph.edges))
        c, d = sorted(set(graph[a]) & set(graph[b]))
        around = set(graph[c]) & set(graph[d])
        least = min(graph.degree(a), graph.degree(b))
        if least > 4 and around == {a, b} and not graph.has_edge(c, d):
            graph.remove_edge(a, b)
            graph.add_edge(c, d)
    return graph


def least_degree(graph):
    trees = nx.SpanningTreeIterator(graph)
    return min(max(degree for _, degree in tree.degree) for tree in trees)


def test_at_most_one_above_the_least_degree():
    rng = random.Random(1)
    same = total = 0
    for seed in range(60):
        n = rng.randint(2, 7)
        graph = nx.random_labeled_tree(n, seed=seed)
        for _ in range(rng.randint(0, 3)):
            graph.add_edge(*rng.sample(range(n), 2))
        least = least_degree(graph)
        found = forest_of(graph, seed)
        assert least <= found <= max(2, least + 1), sorted(graph.edges)
        same += found == least
        total += 1
    assert same > 0.9 * total


def test_forests_of_any_graph():
    rng = random.Random(2)
    for seed in range(300):
        graph = nx.gnp_random_graph(rng.randint(0, 15), rng.random(), seed=seed)
        forest_of(graph, seed)
        forest_of(graph, seed, effort=0)


def test_degree_three_in_planar_3_connected_graphs():
    rng = random.Random(3)
    three = 0
    for seed in range(300):
        graph = stacked(rng.choice((6, 10, 20, 40)), rng)
        found = forest_of(graph, seed)
        assert found <= 3
        three += found == 3
    assert three > 50


def test_degree_three_without_some_edges():
    rng = random.Random(4)
    for seed in range(60):
        graph = stacked(rng.choice((8, 14)), rng)
        for edge in rng.sample(list(graph.edges), 10):
            graph.remove_edge(*edge)
            if nx.node_connectivity(graph) < 3:
                graph.add_edge(*edge)
        assert forest_of(graph, seed) <= 3


@pytest.mark.parametrize("n", [6, 7, 10, 20, 50, 100])
def test_hamiltonian_paths_in_planar_4_connected_graphs(n):
    for seed in range(6):
        graph = two_poles(n, seed)
        if n <= 20:
            assert nx.node_connectivity(graph) == 4
            assert nx.check_planarity(graph)[0]
        assert forest_of(graph, seed) == 2


def test_stars_stay_stars():
    assert forest_of(nx.star_graph(200)) == 200


def test_the_seed_shuffles():
    graph = adjacency(stacked(60, random.Random(5)))
    once, again = low_degree_forest(*graph, 1), low_degree_forest(*graph, 1)
    assert np.array_equal(once, again)
    assert not np.array_equal(once, low_degree_forest(*graph, 2))


def test_large_maps():
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(100, 100))
    assert forest_of(grid) <= 3
    assert forest_of(stacked(2000, random.Random(6))) <= 3
