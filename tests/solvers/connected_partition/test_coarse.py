import random

import networkx as nx
import numpy as np
import pytest
from maps import graph_of, piece_of, random_component
from searching import search_of

from atleastk import ConnectedPartition
from atleastk.solvers.connected_partition import auto
from atleastk.solvers.connected_partition.annealing import Annealer
from atleastk.solvers.connected_partition.region_growing import coarse


@pytest.mark.parametrize("seed", range(30))
def test_blocks_are_connected_and_keep_weights_and_borders(seed):
    component = random_component(random.Random(seed), 30)
    rng = np.random.default_rng(seed)
    blocks = int(rng.integers(1, component.n + 1))
    small, block_of = coarse(component, blocks, rng)
    assert small.n <= blocks
    graph, weights = graph_of(component), np.zeros(small.n, dtype=np.int64)
    np.add.at(weights, block_of, component.weights)
    assert small.weights.tolist() == weights.tolist()
    for block in range(small.n):
        assert nx.is_connected(graph.subgraph(np.flatnonzero(block_of == block)))
    ends = {(int(block_of[u]), int(block_of[v])) for u, v in graph.edges}
    ends |= {(b, a) for a, b in ends}
    assert set(graph_of(small).to_directed().edges) == {
        (a, b) for a, b in ends if a != b
    }


def test_a_large_map_meets_its_bound_by_blocks():
    side = 80
    weights = np.random.default_rng(0).integers(1, 21, side**2).tolist()
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side))
    search = search_of(ConnectedPartition(weights, [*graph.edges], sum(weights) // 9))
    whole, piece = piece_of(search)
    work = auto._Work(search, whole.pieces, piece, 0, 0)
    assert work.is_coarse
    work.improve_coarsely(search.budget)
    assert search.cost == search.bound


def test_bounds_of_components_are_kept_up_to_date():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6)]
    search = search_of(ConnectedPartition([1, 3, 1, 3, 1, 2, 2], edges, 2))
    whole, piece = piece_of(search)
    pieces = whole.pieces
    assert (pieces.bound, piece.bound, piece.cost) == (4, 4, 5)
    pieces.refute(piece, piece.counts.window(3, 4), 4, "by hand")
    assert (pieces.bound, search.bound, pieces.to_do()) == (5, 5, [])


def test_blocks_become_no_more_parts_than_they_are(monkeypatch):
    """Heavy nodes among many of no weight: the counted parts are more than blocks."""
    asked, run = [], Annealer.run

    def spy(annealer, wanted, *given, **named):
        asked.append((wanted.parts, annealer.component.n))
        return run(annealer, wanted, *given, **named)

    monkeypatch.setattr(Annealer, "run", spy)
    rng, graph = random.Random(0), nx.grid_2d_graph(40, 40)
    edges = [*nx.convert_node_labels_to_integers(graph).edges]
    weights = [0] * 1600
    for node in rng.sample(range(1600), 25):
        weights[node] = rng.choice((10, 10, 10, 10, 1000))
    search = search_of(ConnectedPartition(weights, edges, 300))
    whole, piece = piece_of(search)
    work = auto._Work(search, whole.pieces, piece, 0, 0)
    work.improve_coarsely(search.budget)
    assert all(parts <= blocks for parts, blocks in asked)
