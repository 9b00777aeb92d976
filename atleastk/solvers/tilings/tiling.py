"""What a problem of tilings declares of an instance; all solvers of tilings work on it.

A grid of weights is cut into boxes of cells, all but its holes, so that the heaviest
box is as light as possible. Boxes weigh at least k, which may be 0, and there are from
`fewest` to `most` of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.results.solution import Solution
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.part_counts import PartCounts
from atleastk.solvers.search import Search

COUNT: Final = {"kind": "count"}


@dataclass(frozen=True, eq=False, kw_only=True)
class Tiling:
    """An instance of a problem of tilings.

    Attributes
    ----------
    shape
        The rows and columns of the grid; one of them is 0 if nothing is to be tiled.
    total, k
        The weight of all cells, and the least weight of a box.
    fewest, most
        How many boxes there may be, by counting.
    bound
        The least cost that counting leaves.
    guillotine
        Whether only straight cuts are allowed.
    weights
        Returns the grid.
    placed
        Returns the places of what weighs anything, in cells, and the weights.
    held
        Returns the cells that have to be covered; None if all have to be.
    first
        Returns first answers, with their names.
    read
        Turns boxes of cells into a solution.
    fitted
        Shrinks the rectangles of a solution, where that is allowed.
    """

    shape: tuple[int, int]
    total: int
    k: int
    fewest: int
    most: int
    bound: int
    guillotine: bool
    weights: Callable[[], IntArray]
    placed: Callable[[], tuple[IntArray, IntArray]]
    held: Callable[[], BoolArray] | None
    first: Callable[[], Iterable[tuple[str, Solution]]]
    read: Callable[[Iterable[Sequence[int]]], Solution]
    fitted: Callable[[Solution], Solution]

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

    def solution(self, boxes: Iterable[Sequence[int]]) -> Solution:
        """Return the solution of boxes of cells."""
        return self.fitted(self.read(boxes))

    def counts(self, bound: int) -> PartCounts:
        """Return the open levels of all numbers of boxes."""
        return PartCounts(self.total, self.k, bound, self.most, self.fewest)

    def begin(self, search: Search[Any], source: str) -> bool:
        """Bound the cost by counting, and offer first answers.

        Return whether work is left.
        """
        if not self.cells:
            search.offer(self.solution([]), source)
            search.raise_bound(0, source, COUNT)
        elif self.total < self.k:
            search.close_infeasible(source, COUNT)
        else:
            search.raise_bound(self.bound, source, COUNT)
            offer_first(search, self.first())
        return not search.done
