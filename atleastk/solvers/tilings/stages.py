"""The automatic choice of methods for tilings; the list of stages is at the end.

The best tiling by straight (guillotine) cuts comes first on a small grid: none of the
fast algorithms is better then, and other tilings are hardly ever much better. The few
levels left are decided from the bound up; see :mod:`~atleastk.solvers.tilings.levels`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from typing import Any, Final, TypeVar

from atleastk.instances.instance import Instance
from atleastk.models.rectangles import prefix_sums
from atleastk.models.results.solution import Solution
from atleastk.models.tilings import Tiling
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.first_answers import offer_first, offer_shipped
from atleastk.solvers.engine.stages import Stage, Stages, always
from atleastk.solvers.method import Algorithm
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.cell_bound import lightest_boxes
from atleastk.solvers.tilings.guillotine import FEW_CELLS, cheaper_tilings
from atleastk.solvers.tilings.levels import Levels

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

First = Callable[[I], Iterable[tuple[str, Solution]]]
"""Returns first answers, with their names."""

COUNT: Final = {"kind": "count"}

_MOST_CELLS: Final = 2**24
"""Cells of a dense grid: not tuned."""

_BYTES: Final = 64
"""Bytes that a cell of a dense grid takes."""


def begin(search: Search[I], tiling: Tiling, first: First[I], source: str) -> bool:
    """Bound the cost by counting, and offer first answers.

    Return whether work is left.
    """
    if not tiling.cells:
        search.offer(tiling.solution([]), source)
        search.raise_bound(0, source, COUNT)
    elif tiling.total < tiling.k:
        search.close_infeasible(source, COUNT)
    else:
        search.raise_bound(tiling.bound, source, COUNT)
        offer_first(search, first(search.instance))
    return not search.done


class Work:
    """A search, and whether no tiling by straight cuts is better than its best."""

    sure = False

    def __init__(
        self,
        search: Search[Any],
        tiling: Tiling,
        first: First[Any],
        algorithms: Sequence[Algorithm[Any]],
    ) -> None:
        self.search, self.tiling = search, tiling
        self._first, self._algorithms = first, algorithms
        self.free = not tiling.guillotine
        self.fits = tiling.cells <= min(_MOST_CELLS, search.budget.memory / _BYTES)
        self.small = self.fits and tiling.cells <= FEW_CELLS

    @property
    def can_cut(self) -> bool:
        """Whether tilings by straight cuts are listed, and not all known."""
        return self.fits and not self.sure

    def begin(self, _: Budget) -> None:
        begin(self.search, self.tiling, self._first, "count")

    def cut(self, part: Budget) -> None:
        """Offer the best straight cuts; if it has to be such, bound the cost."""
        search, cost = self.search, self.search.cost or 0
        offer = partial(search.offer, source="guillotine")
        self.sure = cheaper_tilings(self.tiling, part, cost, offer)
        if self.sure and not self.free:
            search.raise_bound(search.cost or 0, "guillotine")

    def approximate(self, part: Budget) -> None:
        others = [each for each in self._algorithms if each.name != "guillotine"]
        offer_shipped(self.search, others, part, self._offer)

    def _offer(self, solution: Solution, source: str) -> None:
        self.search.offer(self.tiling.fitted(solution), source)

    def weigh_cells(self, part: Budget) -> None:
        """Raise the bound to the lightest box that can contain some cell."""
        sums, required = prefix_sums(self.tiling.grid), self.tiling.required
        lightest = lightest_boxes(sums, self.tiling.k, part)
        if lightest is not None:
            inside = lightest if required is None else lightest[required]
            self.search.raise_bound(int(inside.max()), "cells")

    def decide_levels(self, _: Budget) -> None:
        """Decide the open levels, with more and more effort while that may help."""
        levels = Levels(self.search, self.tiling)
        for effort in count():
            levels.take_turn(effort)
            if self.search.done or levels.hopeless:
                return


def stages(name: str, search_cuts: Callable[[Work, Budget], object]) -> Stages[Work]:
    """Return what is done for more than a few cells. Shares are not tuned.

    `search_cuts` finds straight cuts where they are too many to be listed.
    """
    return (
        Stage("at once", always, None, Work.begin),
        Stage("guillotine", lambda w: w.small and w.free, 0.6, Work.cut),
        Stage("guillotine", lambda w: w.small and not w.free, None, Work.cut),
        Stage("algorithms", lambda w: not w.sure, 0.5, Work.approximate),
        Stage(name, lambda w: w.can_cut, 0.3, search_cuts),
        Stage(name, lambda w: not w.fits, None, search_cuts),
        Stage("guillotine", lambda w: w.can_cut and w.free, 0.6, Work.cut),
        Stage("guillotine", lambda w: w.can_cut and not w.free, None, Work.cut),
        Stage("cells", lambda w: w.fits and w.tiling.k > 0, None, Work.weigh_cells),
        Stage("levels", lambda w: w.fits and w.free, None, Work.decide_levels),
    )
