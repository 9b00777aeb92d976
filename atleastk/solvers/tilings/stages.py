"""The automatic choice of methods for tilings; the list of stages is at the end.

The best tiling by straight (guillotine) cuts comes first on a small grid: none of the
fast algorithms is better then, and other tilings are hardly ever much better. Wheels
beside cuts often are by one unit, where there are not too many. The few levels left are
decided from the bound up; see :mod:`~atleastk.solvers.tilings.levels`.
On other grids straight cuts are searched for depth first, and once more, as long as
there is time, where nothing else is left.
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
from atleastk.solvers.engine.stages import Stage, Stages, always, reseeded
from atleastk.solvers.method import Algorithm
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.cell_bound import lightest_boxes
from atleastk.solvers.tilings.cut_search import tilings_by_cuts
from atleastk.solvers.tilings.guillotine import (
    FEW_CELLS,
    cheaper_tilings,
    refuses,
    wheels_fit,
)
from atleastk.solvers.tilings.levels import Levels

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

First = Callable[[I], Iterable[tuple[str, Solution]]]
"""Returns first answers, with their names."""

COUNT: Final = {"kind": "count"}

_MOST_CELLS: Final = 2**24
"""Cells of a dense grid: not tuned."""

_BYTES: Final = 64
"""Bytes that a cell of a dense grid takes."""

_EFFORT: Final = 2**21
"""Rectangles that the search for cuts looks at for a level, at most: some seconds."""

_WHOLE_EFFORT: Final = 32 * _EFFORT
"""The same where nothing comes after it but a time limit: a minute for 1,000 points."""

_MOST_DIVIDED: Final = 300_000
"""Points of a plane that a k-d tree divides in seconds: a million take 16 s."""

_SEARCH: Final = "search for cuts"


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

    all_cuts_known = False

    def __init__(
        self,
        search: Search[Any],
        tiling: Tiling,
        first: First[Any],
        algorithms: Sequence[Algorithm[Any]],
    ) -> None:
        self.search, self.tiling = search, tiling
        self._first, self._algorithms = first, algorithms
        self.any_shape = not tiling.guillotine
        self.fits = tiling.cells <= min(_MOST_CELLS, search.budget.memory / _BYTES)
        self.lists_first = self.fits and tiling.cells <= FEW_CELLS

    @property
    def unlisted(self) -> bool:
        """Whether straight cuts are too many to be listed."""
        return refuses(self.tiling) is not None

    @property
    def can_divide(self) -> bool:
        """Whether algorithms, which nothing stops, take seconds at most."""
        few = self.fits or self.search.instance.n <= _MOST_DIVIDED
        return few and not self.all_cuts_known

    @property
    def can_cut(self) -> bool:
        """Whether tilings by straight cuts are listed, and not all known."""
        return self.fits and not self.all_cuts_known

    def begin(self, _: Budget) -> None:
        begin(self.search, self.tiling, self._first, "count")

    def cut(self, part: Budget) -> None:
        """Offer the best straight cuts; if it has to be such, bound the cost."""
        search, cost = self.search, self.search.cost or 0
        offer = partial(search.offer, source="guillotine")
        self.all_cuts_known = cheaper_tilings(self.tiling, part, cost, offer)
        if self.all_cuts_known and not self.any_shape:
            search.raise_bound(search.cost or 0, "guillotine")

    @property
    def can_turn(self) -> bool:
        """Whether there may be better tilings by cuts and wheels, not too many."""
        return self.any_shape and self.all_cuts_known and wheels_fit(self.tiling)

    def turn(self, part: Budget) -> None:
        """Offer the best tilings by straight cuts and wheels."""
        search, cost = self.search, self.search.cost or 0
        offer = partial(search.offer, source="wheels")
        cheaper_tilings(self.tiling, part, cost, offer, turning=True)

    def approximate(self, part: Budget) -> None:
        others = [each for each in self._algorithms if each.name != "guillotine"]
        offer_shipped(self.search, others, part, self._offer)

    def _offer(self, solution: Solution, source: str) -> None:
        self.search.offer(self.tiling.fitted(solution), source)

    @property
    def goes_on(self) -> bool:
        """Whether better straight cuts may be left, and a time limit ends that."""
        return not (self.all_cuts_known or self.search.budget.endless)

    @property
    def searches_cuts(self) -> bool:
        """Whether cuts are searched for before the last stage does so for good.

        They wait for it where cells are too many for the stages between.
        """
        return not self.all_cuts_known and (self.fits or self.search.budget.endless)

    def search_cuts(self, part: Budget, effort: int = _EFFORT) -> None:
        """Search for straight cuts where they are too many to be listed."""
        search = self.search
        ends = search.bound or 0, search.cost or 0
        for boxes in tilings_by_cuts(self.tiling, *ends, part, effort):
            search.offer(self.tiling.solution(boxes), _SEARCH)

    def search_on(self, part: Budget) -> None:
        """Search for the rest of the time, with lines of like slack in other orders."""
        for own in reseeded(self.search, part, first=1, step=_EFFORT):
            self.search_cuts(own, _WHOLE_EFFORT)

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


def _share(work: Work) -> float | None:
    """Return the share of the best straight cuts: all if only these are allowed."""
    return 0.6 if work.any_shape else None


def stages(
    *, cuts_before_lists: Callable[[Work], bool], others: Sequence[Stage[Work]] = ()
) -> Stages[Work]:
    """Return what is done for more than a few cells. Shares are not tuned.

    Straight cuts are listed where their boxes fit into memory. They are searched for
    before that where `cuts_before_lists` says so; `others` find some besides. Levels
    end when they are closed, or hopeless: only then, and for straight cuts alone, is
    there time left to search on. Workers race within a level.
    """
    return (
        Stage("at once", always, None, Work.begin),
        Stage("guillotine", lambda w: w.lists_first, _share, Work.cut),
        Stage("algorithms", lambda w: w.can_divide, 0.5, Work.approximate),
        *others,
        Stage(
            _SEARCH,
            lambda w: w.searches_cuts and cuts_before_lists(w),
            0.3,
            Work.search_cuts,
        ),
        Stage("guillotine", lambda w: w.can_cut, _share, Work.cut),
        Stage("cells", lambda w: w.fits and w.tiling.k > 0, None, Work.weigh_cells),
        Stage("wheels", lambda w: w.can_turn, 0.3, Work.turn),
        Stage("levels", lambda w: w.fits and w.any_shape, None, Work.decide_levels),
        Stage("search on", lambda w: w.goes_on, None, Work.search_on),
    )
