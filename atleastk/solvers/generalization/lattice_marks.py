"""Marks on the nodes of a lattice: known to be refused, or settled.

Nodes are numbered in mixed radix. *Refused* nodes are not k-anonymous: neither is any
node below one. *Settled* nodes are no better than the best known one: neither is any
node above one. Marking stops at nodes that have the mark already, so that all of it
takes time O(N m) for N nodes over m columns, however often it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.generalization.boxes import Levels

MOST_NODES: Final = 2**20
"""The most nodes of a lattice that are marked: a few hundredths of a second."""

REFUSED: Final = 1
"""The bit of nodes at which the table is not k-anonymous."""

SETTLED: Final = 2
"""The bit of nodes that cost no less than a known solution, nor do any above."""

LEFT_OUT: Final = 4
"""The bit of nodes that cost no less than a known solution themselves."""


class Marks:
    """The marks of all nodes of a lattice, or of a box of it.

    Attributes
    ----------
    marks
        One byte per node: sums of REFUSED, SETTLED and LEFT_OUT; 0 for open nodes.
    """

    def __init__(
        self, heights: Sequence[int], low: Sequence[int] | None = None
    ) -> None:
        self._low = np.array(low or [0] * len(heights), dtype=np.int64)
        self._widths = np.array(heights, dtype=np.int64) - self._low + 1
        strides = np.ones(len(heights), dtype=np.int64)
        strides[:-1] = np.cumprod(self._widths[:0:-1])[::-1]
        self._strides = strides
        self.marks = np.zeros(int(np.prod(self._widths)), dtype=np.uint8)

    def levels_of(self, node: int) -> Levels:
        """Return the levels of a node."""
        return tuple((node // self._strides % self._widths + self._low).tolist())

    def refuse_below(self, levels: Sequence[int]) -> None:
        """Mark the nodes at or below a node, which may be higher than the box."""
        steps = np.array(levels, dtype=np.int64) - self._low
        if (steps >= 0).all():
            self.refuse(int(self._strides @ np.minimum(steps, self._widths - 1)))

    def refuse(self, node: int) -> None:
        """Mark a node and all below."""
        _spread(self.marks, REFUSED, self._strides, self._widths, node, -1)

    def settle(self, node: int) -> None:
        """Mark a node and all above."""
        _spread(self.marks, SETTLED, self._strides, self._widths, node, 1)

    def chain(self, node: int, columns: Sequence[int]) -> list[int]:
        """Return a chain of open nodes upwards from an open node.

        At every node the first of the columns is raised that leads to an open one.
        """
        found = [node]
        while True:
            levels = self.levels_of(found[-1])
            above = (
                found[-1] + int(self._strides[j])
                for j in columns
                if levels[j] + 1 < self._low[j] + self._widths[j]
            )
            following = next((x for x in above if not self.marks[x]), None)
            if following is None:
                return found
            found.append(following)


@compiled
def _spread(
    marks: ByteArray,
    mark: int,
    strides: IntArray,
    widths: IntArray,
    node: int,
    direction: int,
) -> None:
    """Mark a node and all on one side of it that are not marked yet: a graph search."""
    if marks[node] & mark:
        return
    stack = np.empty(64, dtype=np.int64)
    stack[0] = node
    marks[node] |= mark
    depth = 1
    while depth > 0:
        depth -= 1
        here = stack[depth]
        for j in range(len(strides)):
            level = here // strides[j] % widths[j] + direction
            if level < 0 or level >= widths[j]:
                continue
            there = here + direction * strides[j]
            if marks[there] & mark:
                continue
            marks[there] |= mark
            if depth == len(stack):
                stack = longer(stack, 2 * depth)
            stack[depth] = there
            depth += 1
