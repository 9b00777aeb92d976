"""The diagram of connected groups: its ways are the connected sets."""

import random
from itertools import combinations

import networkx
import numpy as np
import pytest

from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates.weights import Prices
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition import connected_diagram
from atleastk.solvers.pair_partition.pricing import PairOracle

GRAPHS = {
    "path": networkx.path_graph(9),
    "star": networkx.star_graph(7),
    "cycle": networkx.cycle_graph(8),
    "grid": networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(3, 3)),
    "clique": networkx.complete_graph(6),
    "two": networkx.disjoint_union(networkx.cycle_graph(4), networkx.path_graph(3)),
    "lonely": networkx.empty_graph(4),
}


def instance_of(graph, k):
    rng = random.Random(7)
    costs = [(u, v, rng.randint(1, 99)) for u, v in graph.edges]
    return PairPartition(items=len(graph), costs=costs, k=k, connected=True)


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("k", [1, 2, 4])
def test_ways_are_the_connected_sets(name, k):
    graph = GRAPHS[name]
    instance = instance_of(graph, k)
    oracle = PairOracle(instance, Budget())
    nothing = Prices(oracle.frame.scale, np.zeros(instance.n, dtype=np.int64))
    spare = oracle.frame.scale * instance.total
    groups = oracle.listed(nothing, spare, 10_000, Budget())
    sets = {
        some: sum(
            cost for u, v, cost in instance.costs or () if u in some and v in some
        )
        for size in range(k, instance.most_size + 1)
        for some in combinations(graph, size)
        if networkx.is_connected(graph.subgraph(some))
    }
    found = zip(map(tuple, groups.members), groups.cost.tolist(), strict=True)
    assert sorted(found) == sorted(sets.items())


@pytest.mark.parametrize("name", GRAPHS)
def test_ways_lead_on_or_end(name):
    diagram = PairOracle(instance_of(GRAPHS[name], 2), Budget())._diagram
    states = np.arange(len(diagram.pays))
    for after in (diagram.without, diagram.taking):
        ends = np.isin(after, (connected_diagram._DEAD, connected_diagram._DONE))
        assert ends[after < 0].all()
        assert (after[~ends] > states[~ends]).all()
        assert (after < len(states)).all()


def test_there_is_none_where_it_is_too_large(monkeypatch):
    narrow, wide = instance_of(GRAPHS["path"], 2), instance_of(GRAPHS["clique"], 2)
    monkeypatch.setattr(connected_diagram, "_MOST_STATES", 50)
    diagrams = [PairOracle(each, Budget())._diagram for each in (narrow, wide)]
    assert [diagram is None for diagram in diagrams] == [False, True]
    assert PairOracle(narrow, Budget(memory=100.0))._diagram is None
