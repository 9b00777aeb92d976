import random

import networkx as nx
import pytest

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connected_partition import components
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.reduction import reduced


def drawn(rng, most):
    n = rng.randint(1, most)
    edges = {(rng.randrange(v), v) for v in range(1, n)}
    for _ in range(rng.choice([0, 0, 1, 3]) if n > 1 else 0):
        u, v = sorted(rng.sample(range(n), 2))
        edges.add((u, v))
    return [rng.choice([0, 1, 2, 5, 9]) for _ in range(n)], sorted(edges)


def by_definition(weights, edges, k):
    """Contract one branch after the other: the sets of nodes that become one."""
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(len(weights)))
    held = {v: {v} for v in graph}
    while True:
        for v in list(graph):
            rest = graph.subgraph(set(graph) - {v})
            for branch in map(list, nx.connected_components(rest)):
                if sum(weights[i] for u in branch for i in held[u]) < k:
                    for u in branch:
                        held[v] |= held.pop(u)
                    graph.remove_nodes_from(branch)
                    break
            else:
                continue
            break
        else:
            return sorted(map(sorted, held.values()))


@pytest.mark.parametrize("seed", range(3))
def test_by_definition(seed):
    rng = random.Random(seed)
    contracted = 0
    for _ in range(300):
        weights, edges = drawn(rng, 14)
        k = rng.randint(1, max(1, sum(weights)))
        instance = ConnectedPartition(weights, edges, k)
        if instance.total < k:
            continue
        (component,) = components_of(instance)
        small = reduced(component, k)
        expected = by_definition(weights, edges, k)
        if instance.total < 2 * k:
            expected = [list(range(instance.n))]
        assert sorted(map(sorted, small.members)) == expected
        of = {i: v for v, own in enumerate(small.members) for i in own}
        pairs = {(of[u], of[v]) for u, v in edges if of[u] != of[v]}
        around = [
            sorted({b for a, b in pairs if a == v} | {a for a, b in pairs if b == v})
            for v in range(small.n)
        ]
        assert [list(row) for row in small.neighbours] == around
        assert small.weights.tolist() == [
            sum(weights[i] for i in own) for own in small.members
        ]
        contracted += small.n < instance.n
    assert contracted > 30


def test_a_long_path():
    n = 20_001
    edges = [(i, i + 1) for i in range(n - 1)]
    weights = [1] * n
    weights[n // 2] = n
    (component,) = components_of(ConnectedPartition(weights, edges, n // 2 + 1))
    small = reduced(component, n // 2 + 1)
    assert (small.n, small.total) == (1, 2 * n - 1)
    assert components(ConnectedPartition(weights, edges, 1)) == [list(range(n))]
