"""Random graphs, as networkx and as components of maps, and what divides them."""

import random
from itertools import combinations

import networkx as nx
import numpy as np

from atleastk import ConnectedPartition
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.connected_partition import reach
from atleastk.models.windows import Window
from atleastk.solvers.connected_partition import auto
from atleastk.solvers.connected_partition.component import components_of


def stacked(n, rng):
    """Return a triangulation of the plane: every new node goes into a triangle."""
    graph = nx.complete_graph(4)
    triangles = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    for v in range(4, n):
        a, b, c = triangles.pop(rng.randrange(len(triangles)))
        triangles += [(a, b, v), (a, c, v), (b, c, v)]
        graph.add_edges_from([(a, v), (b, v), (c, v)])
    return graph


def random_component(rng, most_nodes, weights=(0, 1, 1, 2, 3, 5, 9)):
    n = rng.randint(1, most_nodes)
    edges = {(rng.randrange(v), v) for v in range(1, n)}
    pairs = list(combinations(range(n), 2))
    edges |= set(rng.sample(pairs, min(len(pairs), rng.randint(0, n))))
    chosen = [rng.choice(weights) for _ in range(n)]
    return components_of(ConnectedPartition(chosen, sorted(edges), 1))[0]


def graph_of(component):
    graph = nx.empty_graph(component.n)
    graph.add_edges_from(
        (u, v) for u, around in enumerate(component.neighbours) for v in around
    )
    return graph


def instance_of(component, k):
    """Return the instance that a component is, with its own numbers of nodes."""
    around = enumerate(component.neighbours)
    edges = [(u, v) for u, near in around for v in near if u < v]
    return ConnectedPartition(component.weights.tolist(), edges, k)


def piece_of(search):
    """Return the run of a map once it has begun, and its first piece."""
    whole = auto._Map(search)
    whole.begin(search.budget)
    return whole, whole.pieces.to_do()[0]


def require_partition(component, window, found):
    assert sorted(v for part in found for v in part) == list(range(component.n))
    assert len(found) == window.parts
    for part in found:
        assert window.holds(sum(int(component.weights[v]) for v in part))
        assert len(reach(component.neighbours, part)) == len(part)


def heavy_component(seed, n, weights):
    """Return a planar map of these weights."""
    instance = delaunay(seed, n, parts=4)
    return components_of(ConnectedPartition(weights, instance.edges, 1))[0]


def random_window(seed):
    """Return a small map, and a window with little room or some."""
    rng = random.Random(seed)
    n = rng.randint(3, 14)
    scale = rng.choice([1, 1, 2**62 // (9 * n)])
    weights = [scale * rng.choice((0, 1, 1, 2, 3, 5, 9)) for _ in range(n)]
    component = heavy_component(seed, n, weights)
    parts = rng.randint(1, 5)
    mean = max(1, component.total // parts)
    slack = rng.choice((1, scale, max(1, mean // 5)))
    least = rng.randint(max(1, mean - slack), mean)
    return component, Window(parts, least, rng.randint(mean, mean + slack))


def planted(seed, n, parts):
    """Return a map of millions in which so many parts weigh exactly the same.

    Nodes are given to the nearest of some of them; the first of each part makes up for
    what the others lack.
    """
    rng = np.random.default_rng(seed)
    component = heavy_component(seed, n, [1] * n)
    label = np.full(n, -1)
    queue = rng.choice(n, parts, replace=False).tolist()
    firsts = list(queue)
    label[queue] = range(parts)
    for node in queue:
        for v in component.neighbours[node]:
            if label[v] < 0:
                label[v] = label[node]
                queue.append(v)
    weights = rng.integers(10_000, 100_000, n)
    weights[firsts] = 0
    sums = np.bincount(label, weights).astype(np.int64)
    each = int(sums.max()) + 50_000
    weights[firsts] = each - sums
    return heavy_component(seed, n, weights.tolist()), Window(parts, each, each)
