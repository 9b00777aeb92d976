"""What a problem of tilings declares of an instance: of points in the plane, and RTILE.

A grid of weights is cut into boxes of cells, all but its holes, so that the heaviest
box is as light as possible. Boxes weigh at least k, which may be 0, and there are from
`fewest` to `most` of them. Models, certificates and solvers of all tilings work on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.groups import Parts
from atleastk.models.rectangles import Box
from atleastk.models.results.solution import Solution


@dataclass(frozen=True, eq=False, kw_only=True)
class Tiling:
    """An instance of a problem of tilings."""

    shape: tuple[int, int]
    """The rows and columns of the grid; one of them is 0 if nothing is to be tiled."""
    total: int
    k: int
    """`total`, `k`: the weight of all cells, and the least weight of a box."""
    fewest: int
    most: int
    """`fewest`, `most`: how many boxes there may be, by counting."""
    bound: int
    """The least cost that counting leaves."""
    guillotine: bool
    """Whether only straight cuts are allowed."""
    weights: Callable[[], IntArray]
    """Returns the grid."""
    placed: Callable[[], tuple[IntArray, IntArray]]
    """Returns the places of what weighs anything, in cells, and the weights."""
    held: Callable[[], BoolArray] | None
    """Returns the cells that have to be covered; None if all have to be."""
    read: Callable[[Iterable[Sequence[int]]], Solution]
    """Turns boxes of cells into a solution."""
    boxes_of: Callable[[Solution], Sequence[Box]]
    """Turns a solution, or plain groups, into boxes of cells."""
    fitted: Callable[[Solution], Solution]
    """Shrinks the rectangles of a solution, where that is allowed."""

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.shape[0] * self.shape[1]

    @property
    def boxes(self) -> int:
        """The number of boxes of cells."""
        rows, columns = self.shape
        return rows * (rows + 1) // 2 * (columns * (columns + 1) // 2)

    @property
    def least(self) -> int:
        """The least weight of a box: k, or what more than `most` cannot weigh each."""
        return self.k or self.total // (self.most + 1) + 1

    @cached_property
    def grid(self) -> IntArray:
        """The weight of every cell; only where they are not too many."""
        return self.weights()

    @cached_property
    def required(self) -> BoolArray | None:
        """The cells that have to be covered, if others may stay uncovered."""
        return None if self.held is None else self.held()

    @property
    def covered(self) -> BoolArray:
        """Of every cell whether it has to be covered."""
        if self.required is None:
            return np.ones(self.shape, dtype=np.bool_)
        return self.required

    @property
    def number(self) -> Parts | None:
        """How many boxes are asked for, where these may weigh anything."""
        return None if self.k else Parts(self.fewest, self.most)

    def parts(self, level: int) -> Parts:
        """Return the fewest and the most boxes of at most a level, by counting."""
        if self.number is not None:
            return self.number
        fewest = -(-self.total // level) if level else self.total + 1
        return Parts(max(1, fewest), self.most)

    def solution(self, boxes: Iterable[Sequence[int]]) -> Solution:
        """Return the solution of boxes of cells."""
        return self.fitted(self.read(boxes))
