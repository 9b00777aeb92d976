"""The costs that tilings may have, and decisions about them with more and more effort.

The cost of a tiling is the weight of a box: other levels are not asked for. At a level
every number of boxes has its window; of some numbers with the same boxes one question
is made. Boxes that no tiling can have are left out; often none is left. Weights of
cells, by a linear program, refute most of what remains. The rest is for the search over
skylines, cut by potentials, and for exact covers, which race if there are two workers.

Efforts are numbers of boxes, memory and deterministic time, so that one worker without
a time limit always gives the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.encodings.tilings import cell_cover, corner_cover
from atleastk.models.rectangles import Box, box_weights, prefix_sums
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status
from atleastk.models.tilings import Tiling
from atleastk.models.windows import Window
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision, decided_by
from atleastk.solvers.engine.levels import Walk, minimise_by_levels
from atleastk.solvers.engine.part_counts import PartCounts
from atleastk.solvers.engine.race import first_decided
from atleastk.solvers.engine.stages import MORE
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.boxes import MOST_BOXES, admissible_boxes, listed_boxes
from atleastk.solvers.tilings.corner_lp import fractional_tiling
from atleastk.solvers.tilings.few_cells import MOST_CELLS, few_weigh
from atleastk.solvers.tilings.potentials import partial_potentials, potentials
from atleastk.solvers.tilings.skyline import decide_by_skyline

_FEW_LEVELS: Final = 64
"""Up to this many levels are decided even if no box has that weight."""

_FEW_COUNTS: Final = 4
"""Up to this many numbers of boxes are decided about one by one."""

_MOST_BOXES: Final = 2**18
"""Boxes that are decided about in the first turn, ..."""

_MOST_CELLS: Final = 750
"""Cells that are chosen in the first turn, where they are few."""

_MOST_WEIGHED: Final = 2**20
"""... and that are weighed where few cells are: seconds."""

_STATES: Final = 2.0**22
"""Bytes of skylines in the first turn."""

_SMALL: Final = 16
"""Mean cells of a box, up to which covers of cells are asked, not of corners."""

_TICKS: Final = 1.0
"""Deterministic time of CP-SAT in the first turn."""


def counts_of(tiling: Tiling, bound: int) -> PartCounts:
    """Return the open levels of all numbers of boxes."""
    return PartCounts(tiling.total, tiling.k, bound, tiling.most, tiling.fewest)


class OpenLevels:
    """The levels from a bound to below a cost at which some box weighs as much.

    All of few levels; some numbers if there are too many boxes.
    """

    def __init__(self, grid: IntArray, budget: Budget) -> None:
        self._grid, self._budget = grid, budget
        self._listed: IntArray | None = None

    def __call__(self, low: int, cost: int | None) -> Sequence[int]:
        """Return the levels; the cost is known."""
        assert cost is not None
        if cost - low <= _FEW_LEVELS:
            return range(low, cost)
        if self._listed is None:
            boxes = listed_boxes(self._grid, low, cost - 1, self._budget, _MOST_BOXES)
            if boxes is None:
                return list(range(low, cost, -(-(cost - low) // _FEW_LEVELS)))
            self._listed = np.unique(box_weights(prefix_sums(self._grid), boxes))
        first, end = np.searchsorted(self._listed, (low, cost))
        levels: list[int] = self._listed[first:end].tolist()
        return levels


class _Question(NamedTuple):
    """Whether a number of boxes of some weight, or fewer of them, cover."""

    window: Window
    fewest: int


class Levels:
    """Decides levels for every number of boxes, from the bound up in growing steps.

    Attributes
    ----------
    hopeless
        Whether all boxes of the last turn were too many to be listed, however often.
    """

    hopeless = False

    def __init__(self, search: Search[Any], tiling: Tiling) -> None:
        self._search, self._tiling = search, tiling
        self._grid, self._required = tiling.grid, tiling.required
        self._counts = counts_of(tiling, search.bound or 0)
        self._weights = OpenLevels(tiling.grid, search.budget)
        self._few_weigh = self._required is None and few_weigh(tiling.grid)
        self._most_weighed = _MOST_WEIGHED if self._few_weigh else _MOST_BOXES
        self._relaxed: set[_Question] = set()
        self._listed: tuple[_Question, IntArray] | None = None

    def take_turn(self, effort: int) -> None:
        """Decide the open levels with the effort of a turn, until it is too hard."""
        self.hopeless = True
        decide = partial(self._decide_level, effort=effort)
        # At most 4 levels in a row stay open in a turn. Where each takes seconds the
        # fewest are asked.
        walk = Walk(climbing=not self._few_weigh, patience=4)
        minimise_by_levels(self._search, self._levels, decide, "levels", walk)

    def _levels(self, low: int, cost: int | None) -> Sequence[int]:
        """Return the open levels; the optimum is the cost known, or one of them."""
        left = self._counts.levels(low, cost)
        levels = self._weights(left.start, left.stop) if left else ()
        if levels:
            self._counts.raise_floor(levels[0])
        return levels

    def _decide_level(self, level: int, effort: int) -> Decision[Solution]:
        """Decide all open windows of a level."""
        unknown: Decision[Solution] | None = None
        by = ""
        for asked in self._questions(level):
            decision = self._decide(asked, effort)
            if decision.found is not None:
                return decision.read(self._tiling.solution)
            if decision.status is Status.INFEASIBLE:
                by = decision.by
                self._search.refuted(by)
                for parts in range(asked.fewest, asked.window.parts + 1):
                    self._counts.refute(parts, asked.window.most)
            else:
                unknown = Decision.unknown(decision.why)
        return unknown or Decision[Solution].impossible().credited(by)

    def _questions(self, level: int) -> list[_Question]:
        """Return the open windows of a level; many of the same boxes make one question.

        Few numbers of boxes are asked one by one: fractional tilings into 11 and into
        13 combine to one into 12.
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

    def _decide(self, asked: _Question, effort: int) -> Decision[list[Box]]:
        """Decide a question with the effort of a turn."""
        budget, (window, fewest) = self._search.budget, asked
        limit = min(MOST_BOXES, budget.memory // 32)
        most = int(min(_MOST_BOXES * MORE**effort, limit))
        boxes = self._admissible(asked, int(min(max(most, self._most_weighed), limit)))
        self.hopeless &= boxes is None and most == limit
        if boxes is None:
            return Decision.unknown(f"there are more than {most} boxes")
        if not len(boxes):
            return Decision.impossible().credited("lists")
        if self._lacks_a_fraction(asked, boxes, effort):
            return Decision.impossible().credited("weights")
        if len(boxes) > most:
            return Decision.unknown(f"there are more than {most} boxes")

        single = fewest == window.parts

        def by_skyline(part: Budget) -> Decision[list[Box]]:
            memory = min(_STATES * MORE**effort, part.memory)
            return decide_by_skyline(
                self._grid,
                window,
                replace(part, memory=memory),
                boxes,
                self._potentials(boxes, window, part, effort),
                None if self._required is None else self._required.astype(np.int64),
            ).credited("skyline")

        def by_cover(part: Budget) -> Decision[list[Box]]:
            return decide_by_cover(
                self._grid.shape,
                boxes,
                window.parts if single else None,
                replace(part, workers=1),
                self._required,
                CpSat({"max_deterministic_time": _TICKS * MORE**effort}),
            ).credited("cover")

        return first_decided((by_skyline, by_cover) if single else (by_cover,), budget)

    def _admissible(self, asked: _Question, limit: int) -> IntArray | None:
        """Return the boxes that tilings may have; None if there are too many.

        Those of the last question are cached.
        """
        if self._listed is None or self._listed[0] != asked:
            budget, (window, fewest) = self._search.budget, asked
            boxes = admissible_boxes(
                self._grid, window, budget, limit, self._required, fewest
            )
            if boxes is None or budget.spent:
                return None
            self._listed = asked, boxes
        return self._listed[1]

    def _lacks_a_fraction(self, asked: _Question, boxes: IntArray, effort: int) -> bool:
        """Return whether weights of cells prove that there is no tiling by boxes.

        A question that they do not refute is not tried again, unless for more cells.
        """
        if asked in self._relaxed or len(boxes) > self._most_weighed:
            return False
        parts, budget = (asked.fewest, asked.window.parts), self._search.budget
        most = _MOST_CELLS * MORE**effort
        relaxed = fractional_tiling(
            boxes, self._grid, parts, budget, self._required, most_cells=most
        )
        few = self._few_weigh and parts[0] == parts[1]
        more = few and relaxed.shares is None and most < MOST_CELLS
        if relaxed.refuted is None and not more and not budget.spent:
            self._relaxed.add(asked)
        return relaxed.refuted is not None

    def _potentials(
        self, boxes: IntArray, window: Window, budget: Budget, effort: int
    ) -> list[IntArray]:
        """Return potentials of the whole grid, later of its parts too."""
        if self._required is not None:
            return []
        shape = self._tiling.shape
        found = potentials(boxes, shape, budget, both=window.least > 0)
        return found + (partial_potentials(boxes, shape, budget) if effort else [])


def decide_by_cover(
    shape: tuple[int, ...],
    boxes: IntArray,
    parts: int | None,
    budget: Budget,
    required: BoolArray | None = None,
    backend: Backend | None = None,
) -> Decision[list[Box]]:
    """Decide whether some boxes tile a grid, that many of them if a number is given.

    By an exact cover of the cells where boxes are small, else of the vertices (see
    :mod:`atleastk.models.encodings.tilings`), in CP-SAT unless in another back end.

    `required` are the cells that have to be covered, if others may stay uncovered.
    """
    if not len(boxes):
        return Decision.impossible()
    a, c, b, d = boxes.T
    cover = cell_cover if ((b - a) * (d - c)).mean() <= _SMALL else corner_cover
    held = np.ones(shape, dtype=np.bool_) if required is None else required
    model = cover(boxes, held, parts)
    return decided_by(backend or CpSat(), model, partial(_chosen, boxes), budget)


def _chosen(boxes: IntArray, values: IntArray) -> list[Box]:
    taken = boxes[values[: len(boxes)].nonzero()[0]]
    return [(a, c, b, d) for a, c, b, d in taken.tolist()]
