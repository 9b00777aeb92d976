import random
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.solvers.brute_force.connected_partition import is_connected, optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import reduction
from atleastk.solvers.connected_partition.bounds import completion, part_counts
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.connected_sets import weight_of_some_set
from atleastk.solvers.connected_partition.graph import Marks
from atleastk.solvers.connected_partition.reduction import pockets_of


def drawn(rng, most):
    n = rng.randint(2, most)
    edges = {(rng.randrange(v), v) for v in range(1, n)}
    for _ in range(rng.randint(0, n)):
        edges.add(tuple(sorted(rng.sample(range(n), 2))))
    high = rng.choice([1, 4, 20])
    weights = [rng.choice([rng.randint(0, high), high, 4 * high]) for _ in range(n)]
    k = rng.randint(1, max(1, sum(weights) // rng.choice([1, 2, 3, 4])))
    return ConnectedPartition(weights, sorted(edges), k)


def partitions(instance, nodes):
    if not nodes:
        yield []
        return
    first, *rest = nodes
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            part = (first, *others)
            weight = sum(instance.weights[v] for v in part)
            if weight >= instance.k and is_connected(part, instance.edges):
                left = [v for v in rest if v not in others]
                for more in partitions(instance, left):
                    yield [part, *more]


def pieces(instance, nodes):
    graph = nx.empty_graph(instance.n)
    graph.add_edges_from(instance.edges)
    found = nx.connected_components(graph.subgraph(nodes))
    return [sum(instance.weights[v] for v in piece) for piece in found]


def by_definition(instance, v, ceiling):
    """The least weight and the least level of a set that holds v, below a ceiling."""
    light = level = ceiling
    for size in range(1, instance.n + 1):
        for part in combinations(range(instance.n), size):
            weight = sum(instance.weights[u] for u in part)
            if v not in part or not is_connected(part, instance.edges):
                continue
            rest = pieces(instance, set(range(instance.n)) - set(part))
            if min(weight, *rest, weight) < instance.k:
                continue
            reached = max([weight, *(-(-r // (r // instance.k)) for r in rest)])
            if reached < ceiling:
                light = min(light, weight)
            level = min(level, reached)
    return light, level


@pytest.mark.parametrize("seed", range(2))
def test_completion_by_definition(seed):
    rng = random.Random(seed)
    raised = 0
    for _ in range(60):
        instance = drawn(rng, 8)
        best = optimum(instance)
        if best is None:
            continue
        (component,) = components_of(instance)
        ceiling = best[0] + rng.randint(0, 3)
        found = completion(component, instance.k, ceiling, Budget())
        levels = [by_definition(instance, v, ceiling) for v in range(instance.n)]
        plain = -(-instance.total // (instance.total // instance.k))
        floor = max(instance.k, *instance.weights, plain)
        assert found.floor == max(floor, *(level for _, level in levels)) <= best[0]
        if found.floor < ceiling:
            for v, (light, _) in enumerate(levels):
                exact = found.lightest[v] == light
                assert exact or found.lightest[v] < light
                raised += exact and light > max(instance.k, instance.weights[v])
    assert raised > 20


@pytest.mark.parametrize("seed", range(2))
def test_levels_hold_for_every_partition(seed):
    rng = random.Random(10 + seed)
    beyond = 0
    for _ in range(60):
        instance = drawn(rng, 8)
        if instance.total < instance.k:
            continue
        least = {}
        for parts in partitions(instance, list(range(instance.n))):
            cost = max(sum(instance.weights[v] for v in part) for part in parts)
            least[len(parts)] = min(cost, least.get(len(parts), cost))
        (component,) = components_of(instance)
        cost = min(least.values()) + rng.randint(0, 5)
        known = completion(component, instance.k, cost, Budget())
        counts = part_counts(component, instance.k, known, cost)
        for p in range(1, instance.n + 2):
            level = counts.level(p)
            reached = least.get(p, cost)
            assert reached >= cost if level is None else level <= reached
            counted = max(known.floor, -(-instance.total // p))
            beyond += p * instance.k <= instance.total and (level or cost) > counted
    assert beyond > 20


def test_pockets_behind_a_cut_node(monkeypatch):
    """A pocket of 58 is too light for two parts; its node takes 20 of it, or all.

    Of the grid beside it there are too many sets to look at. Small pockets are listed.
    """
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(12, 12))
    edges = [*grid.edges, (0, 144), (144, 145), (145, 146), (146, 147)]
    weights = [1] * 144 + [5, 20, 20, 18]
    (component,) = components_of(ConnectedPartition(weights, edges, 30))
    known = completion(component, 30, 63, Budget())
    assert (known.floor, known.lightest[144]) == (38, 30)
    cut, pockets = next(pockets_of(component, 60))
    assert (cut, pockets.tolist()) == (144, [145, 146, 147])
    monkeypatch.setattr(reduction, "_NODES", 5)
    assert [cut for cut, _ in pockets_of(component, 60)] == [145, 146]


def test_heavy_parts_by_hand():
    """Three nodes of 10 and nine of 1 on a path; k = 2.

    Within 10, three parts of 10 leave 9 for four others. Eight parts need two nodes of
    10 in two parts, of 15 each on average.
    """
    weights = [10, 1, 1, 1, 10, 1, 1, 1, 10, 1, 1, 1]
    edges = [(i, i + 1) for i in range(11)]
    (component,) = components_of(ConnectedPartition(weights, edges, 2))
    known = completion(component, 2, 40, Budget())
    assert known.floor == 10
    assert known.lightest.tolist() == [10, 2, 2, 2] * 2 + [10, 3, 2, 2]
    counts = part_counts(component, 2, known, 40)
    assert [counts.level(p) for p in (7, 8)] == [10, 15]
    assert counts.level(2) == 20


def test_large_weights_do_not_overflow():
    weights = [2**60, 2**60, 2**60, 2**60]
    edges = [(0, 1), (1, 2), (2, 3)]
    (component,) = components_of(ConnectedPartition(weights, edges, 2**60 + 1))
    known = completion(component, 2**60 + 1, 2**62, Budget())
    assert known.floor == 2**61
    counts = part_counts(component, 2**60 + 1, known, 2**61 + 1)
    assert [*counts.open_levels()] == [(2**61, 2)]


def test_when_the_time_is_spent_nothing_is_claimed():
    instance = drawn(random.Random(1), 8)
    (component,) = components_of(instance)
    found = completion(component, instance.k, instance.total, Budget.of(0))
    plain = -(-instance.total // (instance.total // instance.k))
    assert found.floor >= max(instance.k, *instance.weights, plain)


def test_nodes_beside_large_sets_are_steps_too():
    """By sets alone a whole part of 400 is grown, and each look at it takes as long."""
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(30, 30))
    (component,) = components_of(ConnectedPartition([1] * 900, [*grid.edges], 400))
    marks, flag = Marks.none_of(900), np.zeros(1, dtype=np.uint8)
    given = component, (400, 900, 400, 900), marks, 0
    assert weight_of_some_set(*given, 20_000, flag)[0] is None
    assert weight_of_some_set(*given, 10**6, flag)[0] == 400
