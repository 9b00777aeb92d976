"""3DM into connected partition: the graphs, and all their partitions when small."""

from itertools import product
from random import Random

import networkx as nx
import pytest

from atleastk.instances.reductions.connected_partition import to_connected_partition
from atleastk.instances.reductions.path_gadgets import GadgetGraph
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.models.connected_partition import check
from atleastk.models.results.solution import Solution

EVERY = list(product(range(2), repeat=3))


def test_other_partitions_choose_no_matching():
    problem = ThreeDimensionalMatching(1, [EVERY[0]])
    instance = to_connected_partition(problem)
    assert check(instance, Solution.of([range(instance.n)])).cost == instance.n
    assert problem.matching_of([[i] for i in range(instance.n)]) is None


@pytest.mark.parametrize("size", [0, 1, 3, 5, 6])
def test_graphs_are_planar_and_cubic(size):
    every = list(product(range(3), repeat=3))
    problem = ThreeDimensionalMatching(3, Random(size).sample(every, size))
    for planar, cubic in product([False, True], repeat=2):
        instance = to_connected_partition(problem, planar=planar, cubic=cubic)
        assert instance.k == 3
        assert set(instance.weights) == {1}
        assert len(set(map(frozenset, instance.edges))) == len(instance.edges)
        assert (set(map(len, instance.neighbours)) == {3}) == cubic
        assert not planar or nx.check_planarity(instance.graph)[0]
        components = nx.number_connected_components(instance.graph)
        free = 9 - len({element for held in problem.sets for element in held})
        assert components >= free + bool(size)


def test_crossings_need_crossovers():
    """The eight triples of two elements are the faces of an octahedron; not so three.

    The graph of all 27 triples of three elements is not planar.
    """
    for n, planar in [(2, True), (3, False)]:
        problem = ThreeDimensionalMatching(n, list(product(range(n), repeat=3)))
        instance = to_connected_partition(problem, planar=False)
        assert nx.check_planarity(instance.graph)[0] == planar


@pytest.mark.parametrize(("degree", "nodes"), [(0, 3), (1, 6), (2, 9)])
def test_caps(degree, nodes):
    graph = GadgetGraph()
    node, *beyond = graph.nodes(1 + degree)
    for other in beyond:
        graph.join(node, other)
    graph.cap(node)
    assert len(graph.around) == 1 + degree + nodes
    assert all(len(graph.around[v]) == 3 for v in range(1 + degree, len(graph.around)))
    assert len(graph.around[node]) == 3
    assert all(graph.around[other] == [node] for other in beyond)


@pytest.mark.parametrize("degree", range(9))
def test_fan_out(degree):
    graph = GadgetGraph()
    ends = graph.nodes(degree)
    (choice,) = graph.nodes(1)
    middles = [graph.connector(choice, end) for end in ends]
    before = len(graph.around)
    graph.fan_out(choice)
    assert len(graph.around) - before == 3 * max(0, degree - 3)
    assert len(graph.around[choice]) == min(degree, 3)
    choices = [choice, *range(before, len(graph.around), 3)]
    assert [v for u in choices for v in graph.around[u] if v in middles] == middles
    for middle in middles:
        assert len(set(graph.around[middle])) == 3
    for u, around in enumerate(graph.around):
        assert all(u in graph.around[v] for v in around)
