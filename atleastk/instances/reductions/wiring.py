"""Wires from triples to their elements, in the plane.

Triples stand side by side at the bottom, with three wires each that go up; elements
stand side by side at the top. In between, neighbouring wires cross until the wires of
every element are side by side below it: bubble sort, in layers of disjoint crossings.
Every pair of wires crosses at most once.

Elements are ordered by the average place of their triples, which saves crossings and
does not matter otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)


@dataclass(frozen=True, slots=True)
class Wiring:
    """Wires between triples and elements."""

    ends: tuple[int, ...]
    """The element of every wire, from left to right at the bottom; wires 3i, 3i + 1 and
    3i + 2 are those of triple i."""
    elements: tuple[int, ...]
    """All elements from left to right at the top."""
    layers: tuple[tuple[int, ...], ...]
    """The crossings from bottom to top: in each layer p stands for a crossing of the
    wires that are at places p and p + 1 then."""

    @property
    def degrees(self) -> tuple[int, ...]:
        """The number of wires of every element, from left to right."""
        wires = Counter(self.ends)
        return tuple(wires[element] for element in self.elements)


def wiring_of(problem: ThreeDimensionalMatching) -> Wiring:
    """Return wires for all triples."""
    places: list[list[int]] = [[] for _ in range(problem.elements)]
    for i, held in enumerate(problem.sets):
        for element in held:
            places[element].append(i)
    last = len(problem.sets)
    order = sorted(range(problem.elements), key=lambda e: fmean(places[e] or [last]))
    rank = {element: r for r, element in enumerate(order)}
    ranks = [r for held in problem.sets for r in sorted(rank[e] for e in held)]
    ends = tuple(order[r] for r in ranks)
    return Wiring(ends, tuple(order), tuple(_sorted(ranks)))


def _sorted(ranks: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the layers of exchanges of neighbours that sort a list."""
    now = list(ranks)
    layers: list[tuple[int, ...]] = []
    while True:
        layer, p = [], 0
        while p < len(now) - 1:
            if now[p] > now[p + 1]:
                now[p], now[p + 1] = now[p + 1], now[p]
                layer.append(p)
                p += 1
            p += 1
        if not layer:
            return layers
        layers.append(tuple(layer))
