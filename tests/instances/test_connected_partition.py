import networkx as nx
import numpy as np
import pytest

from atleastk.instances.connected_partition import MOST_WEIGHT, ConnectedPartition
from atleastk.instances.fields.errors import InvalidInstanceError

FIELDS = {"weights": [1, 2, 3], "edges": [[0, 1], [1, 2]], "k": 2}


def test_maps_are_kept_as_tuples():
    instance = ConnectedPartition([1, 2, 3], [[0, 1], (2, 1), [1, 0]], 2)
    assert instance.weights == (1, 2, 3)
    assert (instance.n, instance.total, instance.k) == (3, 6, 2)
    assert instance.neighbours == ((1,), (0, 2), (1,))
    assert sorted(map(sorted, instance.graph.edges)) == [[0, 1], [1, 2]]
    assert str(instance) == "connected-partition n=3 edges=2 k=2 total=6"


def test_nodes_without_edges_are_nodes():
    assert list(ConnectedPartition([1, 0], [], 1).graph) == [0, 1]
    assert ConnectedPartition([], [], 1).n == 0


def test_labels_and_positions_define_nothing():
    bare = ConnectedPartition(**FIELDS)
    labelled = ConnectedPartition(
        **FIELDS, labels=["a", "b", "c"], positions=[[0, 0], [1, 0.5], [2, 0]]
    )
    assert labelled == bare
    assert labelled.sha256 == bare.sha256
    for name, other in (("weights", [1, 2, 4]), ("edges", [[0, 1]]), ("k", 3)):
        assert ConnectedPartition(**{**FIELDS, name: other}).sha256 != bare.sha256


def test_graphs_of_networkx():
    graph = nx.Graph()
    graph.add_node("x", people=4)
    graph.add_node("y", people=np.int64(5))
    graph.add_node("z", people=1.0)
    graph.add_edges_from([("z", "x"), ("x", "y"), ("y", "y")])
    instance = ConnectedPartition.of_graph(graph, 3, weight="people", name="xyz")
    assert (instance.weights, instance.edges) == ((4, 5, 1), ((0, 2), (0, 1)))
    assert instance.neighbours == ((1, 2), (0,), (0,))
    assert (instance.labels, instance.name) == (("x", "y", "z"), "xyz")
    assert ConnectedPartition.of_graph(graph, 3, weight=None).weights == (1, 1, 1)
    named = ConnectedPartition.of_graph(graph, 3, weight=None, labels=["a", "b", "c"])
    assert named.labels == ("a", "b", "c")


@pytest.mark.parametrize("called", ["weight", "population"])
def test_the_usual_weights_of_graphs(called):
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, 7, called)
    nx.set_node_attributes(graph, (0, 1), "pos")
    assert ConnectedPartition.of_graph(graph, 7).weights == (7, 7, 7)
    nx.set_node_attributes(graph, 8, "population")
    nx.set_node_attributes(graph, 7, "weight")
    with pytest.raises(InvalidInstanceError, match="weight and population are both"):
        ConnectedPartition.of_graph(graph, 7)
    assert ConnectedPartition.of_graph(graph, 7, weight="weight").weights == (7, 7, 7)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"weight": "wieght"},
            'graph: no attribute of nodes "wieght"; did you mean "weights"? there are '
            "weights, pos; by weight=None each counts 1",
        ),
        (
            {},
            'graph: no attribute of nodes "weight" or "population"; there are '
            "weights, pos; by weight=None each counts 1",
        ),
        ({"weight": "pos"}, "graph: node 1: no 'pos', which others have"),
    ],
)
def test_weights_that_are_not_there(fields, message):
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, 7, "weights")
    graph.nodes[0]["pos"] = 1
    with pytest.raises(InvalidInstanceError) as caught:
        ConnectedPartition.of_graph(graph, 3, **fields)
    assert str(caught.value) == message


def test_graphs_without_any_attributes():
    assert ConnectedPartition.of_graph(nx.path_graph(3), 2).weights == (1, 1, 1)
    assert ConnectedPartition.of_graph(nx.Graph(), 2, weight="w").n == 0
    with pytest.raises(InvalidInstanceError, match='of nodes "w"; there is none'):
        ConnectedPartition.of_graph(nx.path_graph(3), 2, weight="w")


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph, nx.DiGraph, nx.MultiDiGraph])
def test_graphs_of_all_kinds(kind):
    graph = kind([(0, 1), (1, 0), (1, 1), ((2, "b"), 1), (1, (2, "b"))])
    graph.add_edge(0, 1)
    instance = ConnectedPartition.of_graph(graph, 2)
    assert instance.edges == ((0, 1), (1, 2))
    assert instance.labels == ("0", "1", "(2, 'b')")
    graph.add_edge(0, (2, "b"))
    if graph.is_directed():
        with pytest.raises(InvalidInstanceError, match="goes one way only"):
            ConnectedPartition.of_graph(graph, 2)


@pytest.mark.parametrize("weight", [1.5, -1, "2", None, True])
def test_graphs_with_other_weights_are_refused(weight):
    graph = nx.Graph()
    graph.add_node("x", weight=weight)
    with pytest.raises(InvalidInstanceError, match="node 'x': expected a whole weight"):
        ConnectedPartition.of_graph(graph, 1)


def test_the_greatest_total_is_taken():
    assert ConnectedPartition([MOST_WEIGHT - 1, 1], [], 1).total == MOST_WEIGHT
