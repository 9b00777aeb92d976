from collections import Counter
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from atleastk.instances.generators.connected_partition import FAMILIES, tight_tree
from atleastk.solvers.brute_force.connected_partition import optimum

BY_NAME = {family.name: family for family in FAMILIES}
DRAWN = {"delaunay", "grid", "cubic", "wheel", "tree", "path"}


def crossings(instance):
    places = np.array(instance.positions)
    ends = [places[list(edge)] for edge in instance.edges]

    def turn(p, q, r):
        return np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return sum(
        turn(p, q, r) * turn(p, q, s) < 0 and turn(r, s, p) * turn(r, s, q) < 0
        for i, (p, q) in enumerate(ends)
        for r, s in ends[:i]
    )


def cut_weights(tree, weights, k):
    """Return the weights of parts: the lightest that can be is cut off, again."""

    def weigh(nodes):
        return sum(weights[node] for node in nodes)

    parts = []
    while True:
        sides = []
        for edge in tree.edges:
            rest = tree.copy()
            rest.remove_edge(*edge)
            sides.append(sorted(nx.connected_components(rest), key=weigh))
        possible = [(weigh(low), low) for low, _ in sides if weigh(low) >= k]
        if not possible:
            return [*parts, weigh(tree)]
        weight, cut = min(possible, key=lambda found: found[0])
        parts.append(weight)
        tree = tree.subgraph(set(tree) - cut).copy()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_graphs_are_connected_and_planar(family):
    for seed in range(5):
        instance = family.make(seed)
        assert nx.is_connected(instance.graph)
        is_spider = family.name == "tight-spider"
        assert nx.check_planarity(instance.graph)[0] != is_spider
        assert (instance.positions is None) == (family.name == "tree" or is_spider)
        if instance.positions is not None:
            assert len(set(map(tuple, instance.positions))) == instance.n


@pytest.mark.parametrize(
    "name",
    [
        *("delaunay", "grid", "cubic", "wheel", "path"),
        *("tight-3-connected", "tight-4-connected"),
    ],
)
def test_edges_do_not_cross_where_they_are_drawn(name):
    assert crossings(BY_NAME[name].make(2)) == 0


@pytest.mark.parametrize("name", sorted(DRAWN - {"cubic", "grid"}))
@pytest.mark.parametrize("n", [4, 5, 33])
def test_sizes_and_weights_are_as_asked_for(name, n):
    instance = BY_NAME[name].make(1, n=n, w=3, parts=2)
    assert instance.n == n
    assert set(instance.weights) <= {1, 2, 3}
    assert instance.k == instance.total // 2
    instance = BY_NAME[name].make(1, n=n, w=1, k=3)
    assert (instance.weights, instance.k) == ((1,) * n, 3)
    assert "k=3" in instance.name
    assert "parts" not in instance.name


@pytest.mark.parametrize("name", ["delaunay", "tree", "path"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_small_graphs(name, n):
    instance = BY_NAME[name].make(1, n=n, parts=1)
    assert nx.is_connected(instance.graph)
    assert instance.graph.number_of_edges() == (
        3 if (name, n) == ("delaunay", 3) else n - 1
    )


def test_delaunay_triangulations_have_triangles_inside():
    instance = BY_NAME["delaunay"].make(5, n=200)
    h = 3 * instance.n - 3 - len(instance.edges)
    assert 3 <= h <= 40
    triangles = sum(nx.triangles(instance.graph).values()) // 3
    assert triangles >= 2 * instance.n - 2 - h


def test_grids():
    instance = BY_NAME["grid"].make(0, rows=3, columns=5)
    expected = nx.grid_2d_graph(3, 5)
    assert nx.is_isomorphic(instance.graph, expected)
    assert max(BY_NAME["grid"].make(0, rows=1, columns=4, parts=1).positions) == (3, 0)


@pytest.mark.parametrize("n", [4, 6, 60, 120])
def test_cubic_graphs(n):
    instance = BY_NAME["cubic"].make(1, n=n)
    assert (instance.n, instance.k) == (n, 3)
    assert {len(around) for around in instance.neighbours} == {3}
    assert nx.node_connectivity(instance.graph) == 3


def test_wheels_and_trees():
    instance = BY_NAME["wheel"].make(0, n=9)
    assert len(instance.neighbours[0]) == 8
    assert {len(around) for around in instance.neighbours[1:]} == {3}
    shapes = Counter(BY_NAME["tree"].make(s, n=4, parts=1).edges for s in range(300))
    assert len(shapes) == 16


def test_the_counties_of_mississippi():
    instance = BY_NAME["mississippi"].make(0, k=50_000)
    assert (instance.n, instance.total, instance.k) == (82, 2_961_279, 50_000)
    assert "Hinds" in instance.labels
    assert "public domain" in instance.source
    assert instance.comment is None


@pytest.mark.parametrize("k", [2, 3, 20])
@pytest.mark.parametrize(
    ("name", "tree", "connectivity", "cost"),
    [
        ("tight-3-connected", tight_tree(), 3, lambda k: 4 * k - 3),
        ("tight-4-connected", [*pairwise(range(7))], 4, lambda k: 3 * k - 2),
    ],
)
def test_tight_families_cost_what_is_guaranteed(name, tree, connectivity, cost, k):
    instance = BY_NAME[name].make(0, k=k)
    assert nx.node_connectivity(instance.graph) == connectivity
    assert optimum(instance)[0] == k
    assert set(map(frozenset, tree)) <= set(map(frozenset, instance.edges))
    drawn = nx.Graph(tree)
    assert nx.is_tree(drawn)
    assert max(degree for _, degree in drawn.degree) == connectivity % 2 + 2
    weights = cut_weights(drawn, instance.weights, k)
    assert max(weights) == cost(k)
    assert min(weights) >= k


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_positions_are_repeatable(family):
    assert family.make(3).positions == family.make(3).positions
