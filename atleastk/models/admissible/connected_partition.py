"""Admissible parts of a connected partition with a given number of parts.

A component is cut into p connected parts whose weights lie in a window. A part S is
*admissible* if it is connected, its weight is in the window, and counting allows what
it leaves: the components of weight R of the rest fall into m parts each, where
m * least <= R <= m * most, and these m can add up to p - 1. And it satisfies the
branching decisions on pairs of nodes (:mod:`atleastk.models.admissible.decided`).

The greatest value
------------------
Values y are any integers, one per node. Connected sets are enumerated by their first
node, each once. For any number z the value of a set S is

    y(S)  =  sum over v in S of (y_v - z w_v)  +  z w(S),

so at most the sum of the positive summands that can still be reached, plus z times the
greatest weight of the window (the least one for z < 0). The z that minimises this bound
at the first node prunes all sets with this first node. So do nodes that are left out,
once they are a component of the rest that does not fall into parts.

Exponential in the number of nodes of a part: the number of steps is bounded.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.decided import Bits, Decided, members
from atleastk.models.windows import Window

_MOST_STEPS: Final = 3_000_000
"""Steps of an enumeration: a second or more."""


class Steps:
    """Counts the steps of enumerations and ends them when there are too many."""

    def __init__(self, most: int = _MOST_STEPS) -> None:
        self._left = most

    def take(self, count: int = 1) -> None:
        """Count some steps."""
        self._left -= count
        if self._left < 0:
            raise NotApplicableError("there are too many connected sets to look at")


@dataclass(frozen=True, slots=True)
class AdmissibleParts:
    """The admissible parts of a connected graph."""

    neighbours: Sequence[Bits]
    """The neighbours of every node."""
    weights: Sequence[int]
    """The weight of every node, at least 0."""
    window: Window
    """The number of parts and the bounds of their weights."""
    needed: Sequence[Bits]
    excluded: Sequence[Bits]
    """`needed`, `excluded`: by node, the nodes that it is together with, and apart
    from."""

    @classmethod
    def of(
        cls,
        neighbours: Sequence[Sequence[int]],
        weights: Sequence[int],
        window: Window,
        decided: Decided | None = None,
    ) -> AdmissibleParts:
        """Return the parts of a graph given by lists of neighbours."""
        around = [sum(1 << v for v in found) for found in neighbours]
        if decided is not None:
            return cls(around, weights, window, decided.needed, decided.excluded)
        alone = [1 << v for v in range(len(weights))]
        return cls(around, weights, window, alone, [0] * len(weights))

    def listed(self, steps: Steps) -> Iterator[list[int]]:
        """Yield all parts."""
        nothing = [0] * len(self.weights)
        for root in range(len(self.weights)):
            for _, part in self._rooted(root, nothing, -1, steps, best=False):
                yield list(members(part))

    def most_valuable(
        self, values: Sequence[int], above: int, steps: Steps
    ) -> tuple[int, list[int]] | None:
        """Return the greatest value of a part and such a part.

        None if it is not above a given number.
        """
        best: tuple[int, list[int]] | None = None
        for root in range(len(self.weights)):
            for value, part in self._rooted(root, values, above, steps):
                best, above = (value, list(members(part))), value
        return best

    def _rooted(
        self,
        root: int,
        values: Sequence[int],
        above: int,
        steps: Steps,
        *,
        best: bool = True,
    ) -> Iterator[tuple[int, Bits]]:
        """Yield parts with a node as their first, and their values.

        All that are above a limit, or those of greater value than all before.
        """
        least, most = self.window.least, self.window.most
        weights, neighbours = self.weights, self.neighbours
        left = (1 << len(weights)) - (1 << root)  # the first ones are done
        near = self._near(root, left)
        if sum(weights[v] for v in near) < least or self.needed[root] & ~left:
            return
        price = self._price(near, values)
        top, scale = price.numerator, price.denominator
        spare = top * (most if top > 0 else least)
        reduced = {v: scale * values[v] - top * weights[v] for v in near}
        hope = sum(max(0, z) for z in reduced.values()) + min(0, reduced[root]) + spare
        free = (sum(1 << v for v in near) ^ 1 << root) & ~self.excluded[root]
        if self._cuts_off(neighbours[root], 1 << root, free):
            return
        stack = [
            (
                1 << root,
                free & neighbours[root],
                free,
                weights[root],
                values[root],
                hope,
            )
        ]
        while stack:
            part, edge, free, weight, value, hope = stack.pop()
            steps.take()
            if value > above and weight >= least:
                steps.take(len(weights))
                whole = not any(self.needed[v] & ~part for v in members(part))
                if whole and self._leaves_parts(part):
                    yield value, part
                    above = value if best else above
            while edge and hope > scale * above:
                bit = edge & -edge
                edge ^= bit
                free ^= bit
                v = bit.bit_length() - 1
                z = reduced[v]
                remaining = free & ~self.excluded[v]
                taken = part | bit
                if (
                    weight + weights[v] <= most
                    and not self.needed[v] & ~(taken | remaining)
                    and not self._cuts_off(neighbours[v], taken, remaining)
                ):
                    stack.append(
                        (
                            taken,
                            (edge | neighbours[v]) & remaining,
                            remaining,
                            weight + weights[v],
                            value + values[v],
                            hope + min(0, z),
                        )
                    )
                if self.needed[v] & part or self._cuts_off(bit, part, free):
                    break
                hope -= max(0, z)

    def _cuts_off(self, starts: Bits, part: Bits, free: Bits) -> bool:
        """Tell whether nodes that are cut off cannot be divided into parts.

        The search starts at those of `starts` that are neither in the part nor free.
        """
        least, most = self.window.least, self.window.most
        starts &= ~(part | free)
        while starts:
            inside = ends = starts & -starts
            while ends:
                v = (ends & -ends).bit_length() - 1
                ends ^= 1 << v
                if self.neighbours[v] & free:
                    break
                ends |= self.neighbours[v] & ~(part | inside)
                inside |= ends
            else:
                weight = sum(self.weights[v] for v in members(inside))
                if weight // least < max(1, -(-weight // most)):
                    return True
            starts &= ~inside
        return False

    def _near(self, root: int, left: Bits) -> list[int]:
        """Return the nodes that a part with the root can reach, the root first."""
        reached = {}
        ends = [(self.weights[root], root)]
        while ends:
            weight, node = heapq.heappop(ends)
            if node in reached or weight > self.window.most:
                continue
            reached[node] = weight
            for v in members(self.neighbours[node] & left):
                if v not in reached:
                    heapq.heappush(ends, (weight + self.weights[v], v))
        return list(reached)

    def _price(self, near: Sequence[int], values: Sequence[int]) -> Fraction:
        """Return the z that minimises the bound of the root."""
        weights = self.weights
        ratios = [(Fraction(values[v], weights[v]), v) for v in near if weights[v]]
        taken = 0
        for ratio, v in sorted(ratios, reverse=True):
            if ratio <= 0 and taken >= self.window.least:
                break
            taken += weights[v]
            if taken >= (self.window.most if ratio > 0 else self.window.least):
                return ratio
        return Fraction(0)

    def _leaves_parts(self, part: Bits) -> bool:
        """Tell whether counting allows the other parts."""
        parts, least, most = self.window.parts, self.window.least, self.window.most
        rest = ((1 << len(self.weights)) - 1) ^ part
        fewest = greatest = 0
        while rest:
            inside = self._component(rest)
            rest ^= inside
            weight = sum(self.weights[v] for v in members(inside))
            low, high = -(-weight // most), weight // least
            if high < max(1, low):
                return False
            fewest, greatest = fewest + max(1, low), greatest + high
        return fewest <= parts - 1 <= greatest

    def _component(self, nodes: Bits) -> Bits:
        """Return the component of the first of some nodes within them."""
        inside = ends = nodes & -nodes
        while ends:
            around = 0
            for v in members(ends):
                around |= self.neighbours[v]
            ends = around & nodes & ~inside
            inside |= ends
        return inside
