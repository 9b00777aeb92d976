from itertools import product

import networkx as nx
import pytest

from atleastk.solvers.brute_force.gadget_states import (
    boxes_of_weight,
    connected_triples,
    covers,
    states,
)


def test_covers_are_all():
    """Dominoes on a strip of two rows are counted by Fibonacci numbers."""
    for columns, count in [(1, 1), (2, 2), (3, 3), (4, 5), (5, 8)]:
        cells = list(product(range(2), range(columns)))
        graph = nx.grid_2d_graph(2, columns)
        dominoes = [frozenset(map(cells.index, edge)) for edge in graph.edges]
        found = list(covers(dominoes, range(2 * columns)))
        assert len(found) == count
        for chosen in found:
            assert sorted(i for domino in chosen for i in domino) == list(
                range(2 * columns)
            )


def test_states_count_ways():
    path = [frozenset((i, i + 1)) for i in range(4)]
    assert states(path, {1, 2, 3}) == {frozenset({0}): 1, frozenset({4}): 1}
    assert states(path, {1, 2}) == {frozenset(): 1, frozenset({0, 3}): 1}
    assert states([*path, frozenset({1, 2, 3})], {1, 2, 3})[frozenset()] == 1
    assert states([], {1}) == {}
    assert states(path, ()) == {frozenset(): 1}


def test_groups_without_inner_items_are_no_part():
    assert states([frozenset({5, 6})], ()) == {frozenset(): 1}


@pytest.mark.parametrize("seed", range(5))
def test_connected_triples_are_those_of_networkx(seed):
    graph = nx.gnp_random_graph(7, 0.4, seed=seed)
    found = connected_triples([list(graph[v]) for v in graph])
    assert found == {
        frozenset(nodes)
        for nodes in product(range(7), repeat=3)
        if len(set(nodes)) == 3 and nx.is_connected(graph.subgraph(nodes))
    }


@pytest.mark.parametrize("weight", [0, 1, 3])
def test_boxes_are_all(weight):
    cells = {(0, 0): 1, (1, 0): 0, (2, 0): 2, (0, 1): 0, (1, 1): 1, (2, 2): 3}
    expected = set()
    for a, c in cells:
        for b, d in cells:
            box = frozenset(product(range(a, b + 1), range(c, d + 1)))
            inside = box and all(place in cells for place in box)
            if inside and sum(cells[place] for place in box) == weight:
                expected.add(box)
    found = boxes_of_weight(cells, weight)
    assert set(found) == expected
    assert len(found) == len(expected)
    assert expected
