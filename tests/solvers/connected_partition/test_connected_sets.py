import random
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from maps import graph_of, random_component

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.generators.connected_partition import cubic
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import connected_sets as module
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.connected_sets import (
    connected_sets,
    sets_that_hold,
)
from atleastk.solvers.connected_partition.graph import Marks


def by_definition(component, least, most, parts):
    graph = graph_of(component)
    found = []
    for size in range(1, component.n + 1):
        for nodes in combinations(range(component.n), size):
            rest = [v for v in range(component.n) if v not in nodes]
            left = [
                sum(int(component.weights[v]) for v in piece)
                for piece in nx.connected_components(graph.subgraph(rest))
            ]
            ways = [
                [m for m in range(1, 20) if m * least <= w <= m * most] for w in left
            ]
            if (
                nx.is_connected(graph.subgraph(nodes))
                and least <= sum(component.weights[v] for v in nodes) <= most
                and all(ways)
                and (
                    parts is None
                    or sum(map(min, ways)) < parts <= sum(map(max, ways)) + 1
                )
            ):
                found.append(nodes)
    return sorted(found)


def listed(sets):
    return [tuple(sets.nodes(i)) for i in range(len(sets))]


@pytest.mark.parametrize("seed", range(60))
def test_sets_are_those_of_the_definition(seed):
    rng = random.Random(seed)
    component = random_component(rng, 8)
    least = rng.randint(1, max(1, component.total))
    most = rng.randint(least, max(least, component.total))
    parts = rng.choice([None, 1, 2, 3])
    sets = connected_sets(component, least, most, Budget(), 1000, parts=parts)
    assert sorted(listed(sets)) == by_definition(component, least, most, parts)
    weights = [sum(component.weights[v] for v in nodes) for nodes in listed(sets)]
    assert sets.weights.tolist() == weights


@pytest.mark.parametrize("seed", range(40))
def test_split_leaves_out_what_splits_only(seed):
    rng = random.Random(seed)
    component = random_component(rng, 8)
    least = rng.randint(1, max(1, component.total // 3))
    most = max(least, component.total)
    every = set(listed(connected_sets(component, least, most, Budget(), 1000)))
    sets = connected_sets(component, least, most, Budget(), 1000, split=least)
    graph = graph_of(component)
    for nodes in every - set(listed(sets)):
        assert any(
            min(sum(component.weights[v] for v in side) for side in sides) >= least
            and all(nx.is_connected(graph.subgraph(side)) for side in sides)
            for size in range(1, len(nodes))
            for one in combinations(nodes, size)
            for sides in [(one, set(nodes) - set(one))]
        )
    assert set(listed(sets)) <= every


def test_a_heavy_node_takes_in_only_what_cannot_be_a_part():
    heavy = components_of(
        ConnectedPartition([40] + [5] * 17, [(0, i) for i in range(1, 18)], 14)
    )[0]
    sets = connected_sets(heavy, 5, 125, Budget(), 1000, split=5)
    assert sorted(listed(sets)) == [(i,) for i in range(18)]
    assert connected_sets(heavy, 5, 125, Budget(), 1000) is None


def test_lists_are_as_long_as_they_may_be():
    component = components_of(cubic(3, 60))[0]
    whole = connected_sets(component, 3, 5, Budget(), 10**6)
    assert len(set(listed(whole))) == len(whole) > 61
    again = connected_sets(component, 3, 5, Budget(), len(whole))
    assert listed(again) == listed(whole)
    assert connected_sets(component, 3, 5, Budget(), len(whole) - 1) is None
    assert connected_sets(component, 3, 5, Budget.of(0.0), 10**6) is None


def test_weights_may_be_large():
    big = 2**60
    component = components_of(
        ConnectedPartition([big] * 4, [(0, 1), (1, 2), (2, 3)], 1)
    )
    sets = connected_sets(
        component[0], big, 2 * big, Budget(), 10, parts=2, split=2**61
    )
    assert listed(sets) == [(0, 1), (2, 3)]


def test_only_picks_sets():
    sets = connected_sets(components_of(cubic(1, 20))[0], 2, 3, Budget(), 1000)
    chosen = sets.only(np.array([4, 0, 7]))
    assert listed(chosen) == [tuple(sets.nodes(i)) for i in (4, 0, 7)]
    assert listed(sets.only(sets.weights == 2)) == [
        nodes for nodes in listed(sets) if len(nodes) == 2
    ]


@pytest.mark.parametrize("room", [5, 6])
def test_sets_that_hold_a_node_are_listed_as_far_as_there_is_room(room, monkeypatch):
    monkeypatch.setattr(module, "_MOST_HELD", room)
    path = ConnectedPartition([1, 1, 1, 1], [[0, 1], [1, 2], [2, 3]], 1)
    (component,) = components_of(path)
    marks, flag = Marks.none_of(4), np.zeros(1, dtype=np.uint8)
    found = sets_that_hold(component.graph, (1, 3, 1, 4), marks, 0, 99, flag)
    listed = None if found is None else sorted(map(tuple, found))
    assert listed == ([(0,), (0, 1), (0, 1, 2)] if room > 5 else None)
    assert not marks.state.any()
