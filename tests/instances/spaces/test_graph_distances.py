import networkx as nx
import numpy as np
import pytest

from atleastk import CellularClustering, InvalidInstanceError, RGather
from atleastk.instances.spaces.graph_distances import shortest_paths
from atleastk.instances.spaces.metric_spaces import FAR


@pytest.mark.parametrize("seed", range(4))
def test_shortest_paths(seed):
    rng = np.random.default_rng(seed)
    graph = nx.gnp_random_graph(14, 0.15, seed=seed)
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = int(rng.integers(0, 9))
    expected = nx.floyd_warshall_numpy(graph)
    found = shortest_paths(graph)
    assert any(None in row for row in found)
    for row, lengths in zip(found, expected.tolist(), strict=True):
        assert [float("inf") if d is None else d for d in row] == lengths


def test_lengths_of_numpy_are_summed_exactly():
    """In 64 bits, two of 2^62 would be less than none."""
    graph = nx.path_graph(3)
    nx.set_edge_attributes(graph, np.int64(2**62), "weight")
    assert shortest_paths(graph)[0] == (0, 2**62, 2**63)
    assert shortest_paths(nx.MultiGraph(graph))[0] == (0, 2**62, 2**63)


def test_nodes_keep_their_order():
    graph = nx.Graph()
    graph.add_nodes_from(["c", "a", "b"])
    graph.add_edge("a", "b", km=7)
    graph.add_edge("c", "a", km=1.0)
    assert shortest_paths(graph, "km") == ((0, 1, 8), (1, 0, 7), (8, 7, 0))
    assert shortest_paths(graph, None) == ((0, 1, 2), (1, 0, 1), (2, 1, 0))


def test_lengths_that_are_not_there():
    graph = nx.path_graph(3)
    assert shortest_paths(graph) == ((0, 1, 2), (1, 0, 1), (2, 1, 0))
    graph.edges[0, 1]["length"] = 5
    for fields, message in (
        ({}, 'no attribute of edges "weight"; there are length;'),
        ({"weight": "lenght"}, 'no attribute of edges "lenght"; did you mean "length"'),
        ({"weight": "length"}, "graph: edge 1 - 2: no 'length', which others have"),
    ):
        with pytest.raises(InvalidInstanceError, match=message):
            shortest_paths(graph, **fields)
        with pytest.raises(InvalidInstanceError, match=message):
            RGather.of_graph(graph, r=2, **fields)


def test_parallel_edges_and_loops():
    graph = nx.MultiGraph()
    graph.add_weighted_edges_from([(0, 1, 3), (0, 1, 2), (1, 0, 4), (1, 1, 0)])
    assert shortest_paths(graph) == ((0, 2), (2, 0))


def test_lengths_of_numpy_do_not_overflow():
    graph = nx.path_graph(3)
    nx.set_edge_attributes(graph, np.int8(100), "weight")
    assert shortest_paths(graph)[0] == (0, 100, 200)


def test_huge_lengths_are_exact():
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=2**53 + 1)
    graph.add_edge(1, 2, weight=np.int64(2**53 + 1))
    assert shortest_paths(graph)[0] == (0, 2**53 + 1, 2**54 + 2)


@pytest.mark.parametrize("problem", [RGather, CellularClustering])
def test_instances_of_graphs(problem):
    graph = nx.Graph([(0, 1), (1, 2)])
    graph.add_node(3)
    instance = problem.of_graph(graph, r=2, max_outliers=1)
    assert instance.distances[0] == (0, 1, 2, None)
    assert (instance.space.matrix[3, :3] == FAR).all()
    assert instance.max_outliers == 1
    assert instance.not_metric is None


@pytest.mark.parametrize("length", [-1, 0.5, "1", True, None])
def test_lengths_are_whole_and_not_negative(length):
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=length)
    with pytest.raises(InvalidInstanceError, match="edge 'a' - 'b': expected a whole"):
        shortest_paths(graph)


def test_graphs_are_not_directed():
    with pytest.raises(InvalidInstanceError, match="undirected"):
        shortest_paths(nx.DiGraph([(0, 1)]))
