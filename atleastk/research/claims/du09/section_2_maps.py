"""[Du09] section 2, maps: Lemmas 1 and 2, Theorem 3, the image of 3DM, its gadgets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any, Final

from atleastk.packages import nx
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.du09.shared import of_matchings
from atleastk.research.claims.map_gadgets import every_gadget, wrong_states
from atleastk.research.claims.map_images import IMAGES
from atleastk.research.claims.trials import cases, optimum_of, promise
from atleastk.runs import api

_TREES: Final = "trees of 1 to 9 nodes, weights 0 to 7"

Tree = tuple[list[int], list[int], int]
"""Parents, weights and k."""


def _map(rng: Random) -> Any:
    family, parameters = rng.choice(
        [
            ("delaunay", {"n": 9, "parts": 3}),
            ("tree", {"n": 11, "parts": 4}),
            ("wheel", {"n": 9, "parts": 3}),
            ("cubic", {"n": 10}),
            ("grid", {"rows": 3, "columns": 4, "parts": 3}),
        ]
    )
    seed = rng.randrange(2**31)
    return api.generate("connected-partition", family, seed, **parameters)


def _tree(rng: Random) -> Tree:
    """Draw the parents and weights of a tree, and k of at most its weight."""
    n = rng.randint(1, 9)
    parents = [rng.randrange(node) if node else -1 for node in range(n)]
    weights = [rng.choice([0, 0, 1, 2, 3, 7]) for _ in range(n)]
    return parents, weights, rng.randint(1, max(1, sum(weights)))


def _parts_cut(
    tree: Tree, fewest: bool = False
) -> Iterator[tuple[set[int], int | None, nx.Graph[int]]]:
    """Yield every part with its node at the cut edge, and the tree it was cut from.

    The lightest part goes first; of these, one of the `fewest` nodes if so asked. The
    last part is the tree that no edge splits, and has no such node.
    """
    parents, weights, k = tree
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(parents)))
    graph.add_edges_from((v, p) for v, p in enumerate(parents) if p >= 0)
    while True:
        cuts = []
        for edge in graph.edges:
            rest = nx.restricted_view(graph, [], [edge])
            sides = [set(nx.node_connected_component(rest, end)) for end in edge]
            first, second = (sum(weights[v] for v in side) for side in sides)
            if min(first, second) >= k:
                cuts += [(first, sides[0], edge[0]), (second, sides[1], edge[1])]
        if not cuts:
            yield set(graph), None, graph.copy()
            return
        _weight, side, node = min(
            cuts, key=lambda cut: (cut[0], len(cut[1]) if fewest else 0)
        )
        yield side, node, graph.copy()
        graph.remove_nodes_from(side)


def _beyond_lemmas(tree: Tree) -> str | None:
    """Tell which part is heavier than Lemma 1 or 2 allows."""
    _parents, weights, k = tree
    kappa = max(k, *weights)
    degree: int | None = None
    for part, node, graph in _parts_cut(tree):
        if degree is None:
            degree = max(d for _, d in graph.degree())
        weight = sum(weights[v] for v in part)
        most = kappa + (degree - (node is not None)) * (k - 1)
        if k <= weight and weight > most:
            return f"the part {sorted(part)} weighs {weight}, more than {most}"
    return None


def _heavy_below(tree: Tree) -> str | None:
    """Cut the lightest part of fewest nodes; tell which subtree below it weighs k."""
    _parents, weights, k = tree
    for part, node, graph in _parts_cut(tree, fewest=True):
        if node is not None:
            below = graph.subgraph(part - {node})
            for subtree in nx.connected_components(below):
                if sum(weights[v] for v in subtree) >= k:
                    return (
                        f"below {node} the subtree {sorted(subtree)} weighs k or more"
                    )
    return None


def _polyhedral(rng: Random, connectivity: int) -> nx.Graph[int]:
    """Draw a planar graph of 5 to 8 nodes, 3- or 4-connected.

    A wheel, or one with two hubs, has edges moved, added and taken away.
    """
    rim, hubs = rng.randint(4, 6), connectivity - 2
    graph: nx.Graph[int] = nx.cycle_graph(rim)
    graph.add_edges_from((rim + hub, v) for hub in range(hubs) for v in range(rim))
    for _ in range(12):
        changed = nx.Graph(graph)
        if rng.random() < 0.7:
            changed.remove_edge(*rng.choice(list(changed.edges)))
        if rng.random() < 0.7:
            changed.add_edge(*rng.sample(range(len(graph)), 2))
        connected = nx.node_connectivity(changed) >= connectivity
        if connected and nx.check_planarity(changed)[0]:
            graph = changed
    return graph


def _without_low_tree(rng: Random) -> str | None:
    """Look for a 3-connected planar graph without a spanning tree of degree 3."""
    graph = _polyhedral(rng, 3)
    if _has_path(graph):
        return None
    low = any(
        max(d for _, d in nx.Graph(list(tree)).degree()) <= 3
        for tree in combinations(graph.edges, len(graph) - 1)
        if nx.is_tree(nx.Graph(list(tree))) and len(nx.Graph(list(tree))) == len(graph)
    )
    return None if low else f"{sorted(graph.edges)}: every spanning tree has degree 4"


def _without_cycle(rng: Random) -> str | None:
    """Look for a 4-connected planar graph without a Hamiltonian cycle."""
    graph = _polyhedral(rng, 4)
    found = _has_path(graph, closed=True)
    return None if found else f"{sorted(graph.edges)}: no Hamiltonian cycle"


def _has_path(graph: nx.Graph[int], *, closed: bool = False) -> bool:
    """Tell whether a graph has a Hamiltonian path, or cycle, by trying all."""

    def extended(path: list[int]) -> bool:
        if len(path) == len(graph):
            return not closed or graph.has_edge(path[-1], path[0])
        return any(extended([*path, v]) for v in graph[path[-1]] if v not in path)

    return any(extended([v]) for v in ([0] if closed else graph))


def _without_sink(tree: Tree) -> str | None:
    """Orient edges to the heavier side, ties at random; look at where none leaves."""
    parents, weights, k = tree
    graph: nx.Graph[int] = nx.Graph((v, p) for v, p in enumerate(parents) if p >= 0)
    graph.add_nodes_from(range(len(parents)))
    rng = Random(sum(weights))
    left: set[int] = set()
    split = False
    for edge in graph.edges:
        rest = nx.restricted_view(graph, [], [edge])
        sides = [
            sum(weights[v] for v in nx.node_connected_component(rest, end))
            for end in edge
        ]
        split |= min(sides) >= k
        tie = sides[0] == sides[1]
        left.add(rng.choice(edge) if tie else edge[sides[0] > sides[1]])
    sinks = set(graph) - left
    for sink in sinks:
        below = nx.connected_components(graph.subgraph(set(graph) - {sink}))
        heavy = any(sum(weights[v] for v in side) >= k for side in below)
        if heavy and not split:
            return f"a subtree of {sink} weighs k or more"
    return None if sinks else "every node has an edge that leaves it"


def _ill_made(_rng: Random) -> str | None:
    wrong = [gadget.name for gadget in every_gadget() if wrong_states(gadget)]
    return f"{wrong}: states are wrong or missing" if wrong else None


def _below_kappa(instance: Any) -> str | None:
    cost = optimum_of(instance)
    kappa = max(instance.k, *instance.weights)
    return f"{cost} < {kappa}" if cost is not None and cost < kappa else None


def _feasible(instance: Any) -> str | None:
    enough = sum(instance.weights) >= instance.k
    found = optimum_of(instance) is not None
    return None if found == enough else f"feasible {found}"


TRIALS: Final[Mapping[str, Trial]] = {
    "section 2, hypotheses": cases(
        "maps of 9 to 12 nodes of weight k or more", _map, _feasible
    ),
    "section 2, kappa": cases("maps of 9 to 12 nodes", _map, _below_kappa),
    "section 2, 3DM to connected partition": Trial(
        "3DM of 1 to 3 elements a side and n to 2n triples, drawn planar and "
        "3-regular, one of the two, or neither",
        of_matchings(IMAGES[:4]),
    ),
    "sections 2 and 3, gadgets": Trial(
        "all states of all 39 gadgets: choices of 2 to 8 triples, choosers of 1 to "
        "6, corridors to cover the points and the plane",
        _ill_made,
    ),
    "Lemma 1": cases(_TREES, _tree, _beyond_lemmas),
    "Lemma 1, proof": cases(_TREES, _tree, _without_sink),
    "Lemma 2": cases(_TREES, _tree, _beyond_lemmas),
    "Lemma 2, proof": cases(_TREES, _tree, _heavy_below),
    "Theorem 3, trees": Trial(
        "wheels of 5 to 7 nodes with edges moved, added and taken away",
        _without_low_tree,
    ),
    "Theorem 3, cycles": Trial(
        "wheels with two hubs of 6 to 8 nodes, edges moved, added and taken away",
        _without_cycle,
    ),
    "Theorem 3": promise(
        "maps of 9 to 12 nodes", _map, "tree-cut", "hamiltonian-cut", "balanced-cut"
    ),
}
