"""Covers and packings: brute force for reductions.

Plain search on the problems themselves, for a dozen items or so: every exact cover, a
largest packing, a largest set of disjoint triangles, a least vertex cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from atleastk.instances.reductions.graphs import GraphInstance

Triples = Sequence[Sequence[int]]


def exact_covers(triples: Triples, elements: int) -> Iterator[tuple[int, ...]]:
    """Yield the indices of all triples that cover every element once."""
    for chosen in combinations(range(len(triples)), elements // 3):
        covered = {element for j in chosen for element in triples[j]}
        if len(covered) == elements:
            yield chosen


def largest_packing(triples: Triples) -> tuple[int, ...]:
    """Return the indices of the most disjoint triples."""

    def beyond(j: int, used: frozenset[int]) -> tuple[int, ...]:
        if j == len(triples):
            return ()
        without = beyond(j + 1, used)
        if used.intersection(triples[j]):
            return without
        chosen = (j, *beyond(j + 1, used.union(triples[j])))
        return max(chosen, without, key=len)

    return beyond(0, frozenset())


def most_disjoint_triangles(graph: GraphInstance) -> list[tuple[int, ...]]:
    """Return the most disjoint triangles."""
    found = [
        triple
        for triple in combinations(range(graph.vertices), 3)
        if all(pair in graph.edges for pair in combinations(triple, 2))
    ]
    return [found[j] for j in largest_packing(found)]


def least_vertex_cover(graph: GraphInstance) -> tuple[int, ...]:
    """Return the fewest vertices that every edge has one of."""
    return next(
        chosen
        for size in range(graph.vertices + 1)
        for chosen in combinations(range(graph.vertices), size)
        if is_vertex_cover(graph, chosen)
    )


def is_vertex_cover(graph: GraphInstance, chosen: Sequence[int]) -> bool:
    """Tell whether every edge has one of the chosen vertices."""
    return all(u in chosen or v in chosen for u, v in graph.edges)
