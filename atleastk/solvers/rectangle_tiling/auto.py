"""Rectangle tiling: the automatic choice of methods; `STAGES`, at the end, lists it.

The best tiling by straight (guillotine) cuts comes first on a small grid: none of the
fast algorithms is better then. Levels are decided for every number of rectangles:
weights of cells by linear programs refute most; the rest is for skylines and exact
covers, which race if there are two workers. Where the gap is wide, levels between are
decided too. If boxes need to cover points only, they shrink.

Efforts are memory and deterministic time, so that one worker without a time limit
always gives the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import count, groupby
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.encodings.rectangle_tiling import (
    cell_cover,
    corner_cover,
)
from atleastk.models.rectangle_tiling import (
    counting_bound,
    required_cells,
    solution_of_boxes,
)
from atleastk.models.rectangles import Box, RectanglesSolution, box_weights, prefix_sums
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status
from atleastk.models.windows import Window, window
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision, decided_by
from atleastk.solvers.engine.first_answers import offer_first, offer_shipped
from atleastk.solvers.engine.part_counts import PartCounts
from atleastk.solvers.engine.race import first_decided
from atleastk.solvers.engine.stages import Stage, Stages, always, run_stages
from atleastk.solvers.rectangle_tiling.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.rectangle_tiling.boxes import admissible_boxes, listed_boxes
from atleastk.solvers.rectangle_tiling.cell_bound import lightest_boxes
from atleastk.solvers.rectangle_tiling.corner_cover import chosen
from atleastk.solvers.rectangle_tiling.corner_lp import fractional_tiling
from atleastk.solvers.rectangle_tiling.cut_search import tilings_by_cuts
from atleastk.solvers.rectangle_tiling.first import first_answers, fitted
from atleastk.solvers.rectangle_tiling.guillotine import FEW_CELLS, cheaper_tilings
from atleastk.solvers.rectangle_tiling.skyline import decide_by_skyline
from atleastk.solvers.search import Search

_COUNT: Final = {"kind": "count"}

_MOST_CELLS: Final = 2**24
"""Cells of a dense grid: not tuned."""

_BYTES: Final = 64
"""Bytes that a cell of a dense grid takes."""

_EFFORT: Final = 2**21
"""Rectangles that the search for cuts looks at for a level, at most: some seconds."""

_WHOLE_EFFORT: Final = 2**26
"""The same where nothing comes after it: not tuned."""

_MOST_BOXES: Final = 2**18
"""Boxes that are decided about in the first turn, four times as many each time."""

_STATES: Final = 2.0**20
"""Bytes of skylines in the first turn, four times as many each time."""

_TICKS: Final = 1.0
"""Deterministic time of CP-SAT in the first turn, four times as much each time."""

_FEW_LEVELS: Final = 64
"""Up to this many levels are decided even if no box has that weight."""

_FEW_COUNTS: Final = 4
"""Up to this many numbers of rectangles are decided about one by one."""

_SMALL: Final = 16
"""Mean cells of a box, up to which covers of cells are asked, not of corners."""

_WIDE: Final = 8
"""Ask between two levels only if at least this many levels are open."""


def solve(search: Search[RectangleTiling]) -> None:
    """Tile the plane so that the heaviest rectangle is lightest, within the budget."""
    run_stages(search, STAGES, _Work(search))


class _Work:
    """A search, and whether no tiling by straight cuts is better than its best."""

    sure = False

    def __init__(self, search: Search[RectangleTiling]) -> None:
        self.search, self.instance = search, search.instance
        self.free = not search.instance.guillotine
        cells = len(search.instance.xs) * len(search.instance.ys)
        self.fits = cells <= min(_MOST_CELLS, search.budget.memory / _BYTES)
        self.small = self.fits and cells <= FEW_CELLS

    @property
    def can_cut(self) -> bool:
        return self.fits and not self.sure

    def count(self, _: Budget) -> None:
        """Bound the cost by counting, and offer first answers."""
        search, instance = self.search, self.instance
        if instance.n == 0:
            search.offer(RectanglesSolution(()), "count")
            search.raise_bound(0, "count", _COUNT)
        elif instance.total < instance.k:
            search.close_infeasible("count", _COUNT)
        else:
            search.raise_bound(counting_bound(instance), "count", _COUNT)
            offer_first(search, first_answers(instance))

    def cut(self, part: Budget) -> None:
        """Offer the best straight cuts; if it has to be such, bound the cost."""
        search, cost = self.search, self.search.cost or 0
        offer = partial(self._offer, source="guillotine")
        self.sure = cheaper_tilings(self.instance, part, cost, offer)
        if self.sure and not self.free:
            search.raise_bound(search.cost or 0, "guillotine")

    def approximate(self, part: Budget) -> None:
        others = [each for each in ALGORITHMS if each.name != "guillotine"]
        offer_shipped(self.search, others, part, self._offer)

    def search_cuts(self, part: Budget) -> None:
        ends = self.search.bound or 0, self.search.cost or 0
        effort = _EFFORT if self.fits else _WHOLE_EFFORT
        for found in tilings_by_cuts(self.instance, *ends, part, effort):
            self._offer(found, "search for cuts")

    def weigh_cells(self, part: Budget) -> None:
        """Raise the bound to the lightest box that can contain some cell."""
        sums = prefix_sums(self.instance.grid)
        lightest = lightest_boxes(sums, self.instance.k, part)
        if lightest is not None:
            bound = int(lightest[required_cells(self.instance)].max())
            self.search.raise_bound(bound, "cells")

    def decide_levels(self, _: Budget) -> None:
        _Levels(self.search).take_turns()

    def _offer(self, solution: Solution, source: str) -> None:
        """Offer a tiling of the plane; see `fitted`."""
        self.search.offer(fitted(self.instance, solution), source)


class _Question(NamedTuple):
    """Whether a number of boxes of some weight, or fewer of them, cover."""

    window: Window
    fewest: int


class _Levels:
    """Decides levels for every number of rectangles."""

    def __init__(self, search: Search[RectangleTiling]) -> None:
        self._search = search
        instance = search.instance
        self._grid = instance.grid
        self._required: BoolArray | None = None
        if instance.cover == "points":
            self._required = required_cells(instance)
        cells = int(np.count_nonzero(self._grid))
        self._counts = PartCounts(instance.total, instance.k, search.bound or 0, cells)
        self._levels: IntArray | None = None
        self._relaxed: set[_Question] = set()
        self._listed: tuple[_Question, IntArray] | None = None

    def take_turns(self) -> None:
        """Decide the open levels, with more and more effort."""
        for effort in count():
            self._climb(effort)
            if self._search.done:
                return
            self._decide_level((self._search.cost or 0) - 1, effort)
            if self._search.done:
                return

    def _climb(self, effort: int) -> None:
        """Decide about the bound until that is too hard."""
        search = self._search
        while True:
            self._raise()
            if search.done:
                return
            for asked in self._questions(search.bound or 0):
                self._refute(asked)
            levels = self._raise()
            if search.done:
                return
            between = levels[len(levels) // _WIDE]
            if not self._decide_level(between, effort):
                return

    def _raise(self) -> Sequence[int]:
        """Report the bound that follows from all refutations; return the open levels.

        The optimum is the cost known or one of these levels, or between two of them.
        """
        search, counts = self._search, self._counts
        cost = search.cost or 0
        counts.cap(cost)
        levels = self._open_levels(cost if counts.bound is None else counts.bound, cost)
        if levels:
            counts.raise_floor(levels[0])
        search.raise_bound(levels[0] if levels else cost, "walk")
        return levels

    def _open_levels(self, low: int, cost: int) -> Sequence[int]:
        """Return levels from `low` to below the cost: weights of boxes.

        If there are too many, some numbers.
        """
        if low >= cost:
            return ()
        if cost - low <= _FEW_LEVELS:
            return range(low, cost)
        if self._levels is None:
            budget = self._search.budget
            boxes = listed_boxes(self._grid, low, cost - 1, budget, _MOST_BOXES)
            if boxes is None:
                return range(low, cost, -(-(cost - low) // _FEW_LEVELS))
            weights = box_weights(prefix_sums(self._grid), boxes)
            self._levels = np.unique(weights)
        first, end = np.searchsorted(self._levels, (low, cost))
        levels: list[int] = self._levels[first:end].tolist()
        return levels

    def _questions(self, level: int) -> list[_Question]:
        """Return the open windows of a level; many of the same boxes make one question.

        Few numbers of rectangles are asked one by one: fractional tilings into 11 and
        into 13 combine to one into 12.
        """
        same = groupby(
            self._counts.open_windows(level), lambda each: (each.least, each.most)
        )
        questions = []
        for _, group in same:
            windows = list(group)
            if len(windows) <= _FEW_COUNTS:
                questions += [_Question(each, each.parts) for each in windows]
            else:
                questions.append(_Question(windows[0], windows[-1].parts))
        return questions

    def _refute(self, asked: _Question) -> None:
        """Refute levels of numbers of parts by weights, as long as that succeeds."""
        search = self._search
        levels = self._open_levels(asked.window.most, search.cost or 0)
        step = max(1, len(levels) // _WIDE)
        while levels and step and not search.done:
            wider = self._at(asked, levels[step - 1])
            if wider is None:
                return
            if wider not in self._relaxed:
                boxes = self._admissible(wider, _MOST_BOXES)
                if boxes is None:
                    return
                if self._lacks_a_fraction(wider, boxes, search.budget):
                    self._take_out(wider, "weights")
                    return
            step //= 2

    def _admissible(self, asked: _Question, limit: int) -> IntArray | None:
        """Return the boxes that tilings may have; None if there are too many.

        Those of the last question are cached.
        """
        if self._listed is None or self._listed[0] != asked:
            boxes = admissible_boxes(
                self._grid,
                asked.window,
                self._search.budget,
                limit,
                self._required,
                asked.fewest,
            )
            if boxes is None or self._search.budget.spent:
                return None
            self._listed = asked, boxes
        return self._listed[1]

    def _lacks_a_fraction(
        self, asked: _Question, boxes: IntArray, budget: Budget
    ) -> bool:
        """Return whether weights of cells prove that there is no tiling by boxes.

        A question that they do not refute is not tried again.
        """
        if asked in self._relaxed or len(boxes) > _MOST_BOXES:
            return False
        parts = asked.fewest, asked.window.parts
        relaxed = fractional_tiling(
            boxes, self._grid.shape, parts, budget, self._required
        )
        if relaxed.refutation is None and not budget.spent:
            self._relaxed.add(asked)
        return relaxed.refutation is not None

    def _at(self, asked: _Question, level: int) -> _Question | None:
        """Return the same question at a higher level; None if nothing is open."""
        counts, parts = self._counts, asked.window.parts
        lightest = window(counts.total, counts.k, parts, level)
        heaviest = window(counts.total, counts.k, asked.fewest, level)
        if lightest is None or heaviest is None:
            return None
        return _Question(Window(parts, lightest.least, heaviest.most), asked.fewest)

    def _take_out(self, asked: _Question, source: str) -> None:
        self._search.refuted(source)
        for parts in range(asked.fewest, asked.window.parts + 1):
            self._counts.refute(parts, asked.window.most)

    def _decide_level(self, level: int, effort: int) -> bool:
        """Decide all open windows of a level; return whether that succeeded."""
        search, unknown = self._search, False
        for asked in self._questions(level):
            if search.done:
                return True
            decision = self._decide(asked, effort)
            if decision.found is not None:
                found = solution_of_boxes(search.instance, decision.found)
                search.offer(found, decision.by)
                return True
            if decision.status is Status.INFEASIBLE:
                self._take_out(asked, decision.by)
            else:
                unknown = True
        return not unknown

    def _decide(self, asked: _Question, effort: int) -> Decision[list[Box]]:
        """Decide a question with the effort of a turn."""
        budget, required = self._search.budget, self._required
        boxes = self._admissible(asked, _MOST_BOXES * 4**effort)
        if boxes is None:
            return Decision.unknown()
        if not len(boxes):
            return Decision.impossible().credited("lists")

        alone = asked.fewest == asked.window.parts

        def by_skyline(part: Budget) -> Decision[list[Box]]:
            memory = min(_STATES * 4**effort, part.memory)
            points = None if required is None else required.astype(np.int64)
            return decide_by_skyline(
                self._grid,
                asked.window,
                replace(part, memory=memory),
                boxes,
                points=points,
            ).credited("skyline")

        def by_cover(part: Budget) -> Decision[list[Box]]:
            if self._lacks_a_fraction(asked, boxes, part):
                return Decision.impossible().credited("weights")
            held = required
            if held is None:
                held = np.ones(self._grid.shape, dtype=np.bool_)
            parts = asked.fewest if alone else None
            cover = cell_cover if _mean_area(boxes) <= _SMALL else corner_cover
            backend = CpSat({"max_deterministic_time": _TICKS * 4**effort})
            model = cover(boxes, held, parts)
            alone_at_work = replace(part, workers=1)
            decode = partial(chosen, boxes)
            return decided_by(backend, model, decode, alone_at_work).credited("cover")

        deciders = (by_skyline, by_cover) if alone else (by_cover,)
        return first_decided(deciders, budget)


def _mean_area(boxes: IntArray) -> float:
    a, c, b, d = boxes.T
    return float(((b - a) * (d - c)).mean())


STAGES: Final[Stages[_Work]] = (
    Stage("at once", always, None, _Work.count),
    Stage("guillotine", lambda w: w.small and w.free, 0.6, _Work.cut),
    Stage("guillotine", lambda w: w.small and not w.free, None, _Work.cut),
    Stage("algorithms", lambda w: not w.sure, 0.5, _Work.approximate),
    Stage("search for cuts", lambda w: w.can_cut, 0.3, _Work.search_cuts),
    Stage("search for cuts", lambda w: not w.fits, None, _Work.search_cuts),
    Stage("guillotine", lambda w: w.can_cut and w.free, 0.6, _Work.cut),
    Stage("guillotine", lambda w: w.can_cut and not w.free, None, _Work.cut),
    Stage("cells", lambda w: w.fits, None, _Work.weigh_cells),
    Stage("levels", lambda w: w.fits and w.free, None, _Work.decide_levels),
)
"""What is done for more than a few points. Shares are not tuned."""
