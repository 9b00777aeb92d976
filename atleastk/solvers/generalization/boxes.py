"""Boxes of a lattice: all nodes between two of them, by bounds of single columns.

If a node is refused that has one column at a level and all others as high as they may
be, that column has to be higher. If a node costs more than a known solution that has
one column at a level and all others as low as they may be, that column has to be lower.
The nodes that were tried prove this of all nodes outside, and belong to a certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from atleastk.instances.generalization import Generalization

Levels = tuple[int, ...]

Test = Callable[[Levels], bool]


@dataclass(frozen=True, slots=True)
class Box:
    """All nodes from `low` to `high`."""

    low: Levels
    high: Levels
    refused: tuple[Levels, ...] = ()
    dear: tuple[Levels, ...] = ()
    """`refused`, `dear`: every other node is below or above one of these."""

    @classmethod
    def whole(cls, instance: Generalization) -> Box:
        """Return all nodes of a lattice."""
        return cls(instance.least_levels, instance.greatest_levels)

    @property
    def nodes(self) -> int:
        """The number of its nodes."""
        pairs = zip(self.low, self.high, strict=True)
        return prod(high - low + 1 for low, high in pairs)


def narrowed(whole: Box, is_refused: Test, is_dear: Test) -> Box:
    """Return the box that is left when no bound of a column moves any more."""
    low, high = list(whole.low), list(whole.high)
    refused: list[Levels] = []
    dear: list[Levels] = []
    moved = True
    while moved:
        moved = False
        for j in range(len(low)):
            while low[j] < high[j] and is_refused(node := with_level(high, j, low[j])):
                refused.append(node)
                low[j] += 1
                moved = True
            while low[j] < high[j] and is_dear(node := with_level(low, j, high[j])):
                dear.append(node)
                high[j] -= 1
                moved = True
    return Box(tuple(low), tuple(high), tuple(refused), tuple(dear))


def with_level(levels: Sequence[int], column: int, level: int) -> Levels:
    """Return a node with a column at another level."""
    return (*levels[:column], level, *levels[column + 1 :])
