import random

import networkx as nx

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connectivity import MOST, connectivity


def report(graph):
    numbered = nx.convert_node_labels_to_integers(graph)
    return connectivity(ConnectedPartition([1] * len(graph), list(numbered.edges), 1))


def test_all_is_that_of_networkx():
    rng = random.Random(1)
    seen = set()
    for seed in range(400):
        n = rng.randint(1, 10)
        graph = nx.gnp_random_graph(n, rng.choice((0.3, 0.6, 0.8, 1)), seed=seed)
        parts = sorted(nx.connected_components(graph), key=min)
        message = report(graph)
        assert message.sizes == tuple(map(len, parts))
        expected = [
            min(MOST, nx.node_connectivity(graph.subgraph(part)))
            if len(part) > 1
            else 0
            for part in parts
        ]
        assert message.components == tuple(expected), sorted(graph.edges)
        assert message.planar == nx.check_planarity(graph)[0]
        seen.update(expected)
    assert seen == {0, 1, 2, 3, 4}


def test_cut_sets_far_from_the_first_node_are_found():
    torus = nx.convert_node_labels_to_integers(
        nx.triangular_lattice_graph(6, 8, periodic=True)
    )
    n = len(torus)
    for shared in (1, 2, 3):
        again = nx.relabel_nodes(torus, lambda v, s=shared: v + n - s)
        assert report(nx.compose(torus, again)).components == (shared,)
    assert report(torus).components == (4,)


def test_which_theorems_speak():
    octahedra = nx.disjoint_union(nx.octahedral_graph(), nx.path_graph(2))
    assert report(octahedra).at_least(4)
    assert report(nx.wheel_graph(6)).at_least(3)
    assert not report(nx.wheel_graph(6)).at_least(4)
    assert not report(nx.path_graph(3)).at_least(3)
    assert not report(nx.complete_graph(6)).at_least(3)


def test_the_report_in_words():
    assert str(report(nx.octahedral_graph())) == (
        "planar, 1 component, connectivity 4 or more"
    )
    assert str(report(nx.empty_graph(2))) == "planar, 2 components, connectivity 0"
    assert str(report(nx.complete_graph(5))).startswith("not planar")
    assert str(report(nx.empty_graph(0))) == "planar, 0 components"
