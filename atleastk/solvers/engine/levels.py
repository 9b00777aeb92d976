"""The walk over levels: which of them is decided about next, until the least is known.

The cost of a solution is one of some levels, and whether some solution costs at most a
level is decided for one level after the other. What is impossible at a level is so at
all lower ones, and a solution may cost less than was asked for: between the bound and
the cost the open levels become fewer with every decision, at best by half. Of L levels
at most 2 log2(L) + 2 are asked about, whether the walk bisects from the start or climbs
in steps that double.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.models.results.status import Status
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.search import Search

__all__ = ["Levels", "Walk", "among", "below", "minimise_by_levels", "remark"]

Levels = Callable[[int, int | None], Sequence[int]]
"""Gives the levels that are open from a bound to below a cost, if one is known.

They ascend. What is a range has steps of 1, and may be longer than any list.
"""

Decide = Callable[[int], Decision[Any]]
"""Gives a solution of at most a level, or its groups."""


def among(steps: Sequence[int]) -> Levels:
    """Return those of some ascending levels that are open."""

    def levels(low: int, cost: int | None) -> Sequence[int]:
        end = None if cost is None else bisect_left(steps, cost)
        return steps[bisect_left(steps, low) : end]

    return levels


def below(low: int, cost: int | None) -> range:
    """Return all levels from a bound to below a cost, which has to be known."""
    if cost is None:
        raise ValueError("levels below a cost that is not known have no end")
    return range(low, cost)


@dataclass
class Walk:
    """Which of the open levels is asked about next.

    Attributes
    ----------
    climbing
        Whether it goes up from the bound, at first in small steps, until a solution is
        found: low levels are often easier. Then it bisects.
    step, growth
        How many levels the second question is above the first, and how many times as
        long each step is as the one before.
    patience
        How many levels may stay open, one after the other.
    undecided
        The levels that stayed open.
    """

    climbing: bool = True
    step: int = 1
    growth: int = 2
    patience: float = 1
    undecided: set[int] = field(default_factory=set)
    _stride: int = 0
    _misses: int = 0

    def next(self, levels: Sequence[int], *, complete: bool = True) -> int | None:
        """Return the place of the level to be asked about next.

        Above those that stayed open, then below them; None if there are no others.

        Parameters
        ----------
        complete
            Whether these are all levels below the cost; there may be higher ones if
            not, and nothing is asked about below those that stayed open.
        """
        if not levels or self._misses >= self.patience:
            return None
        last = _place(levels, levels[-1])
        stayed = [each for each in self.undecided if levels[0] <= each <= levels[-1]]
        first = _place(levels, max(stayed)) + 1 if stayed else 0
        if first > last:
            lowest = _place(levels, min(stayed))
            return (lowest - 1) // 2 if complete and lowest else None
        highest = (first + last) // 2 if complete else last
        return min(first + self._stride, highest) if self.climbing else highest

    def take(self, level: int, status: Status) -> None:
        """Take in what a decision about a level came to."""
        unknown = status is Status.UNKNOWN
        self._misses = self._misses + 1 if unknown else 0
        if unknown:
            self.undecided.add(level)
        if unknown or status is Status.INFEASIBLE:
            self._stride = max(self.step, self.growth * self._stride)
        else:
            self.climbing = False


def _place(levels: Sequence[int], level: int) -> int:
    """Return the place of a level; of ranges of any length."""
    if isinstance(levels, range):
        return level - levels.start
    return bisect_left(levels, level)


def minimise_by_levels(
    search: Search[Any],
    levels: Levels,
    decide: Decide,
    source: str,
    walk: Walk | None = None,
) -> None:
    """Decide about levels until the least is known, or nothing more is decided.

    Raises
    ------
    WrongAnswerError
        If what was found for a level costs more.
    """
    walk = walk or Walk()
    low, missed, by = 0, None, source
    while True:
        left = levels(max(low, search.bound or 0), search.cost)
        if not left and search.cost is None:
            search.close_infeasible(by)
            return
        search.raise_bound(left[0] if left else search.cost or 0, by)
        place = None if search.done else walk.next(left)
        if place is None:
            if missed is not None:
                remark(search, source, *missed)
            return
        level = left[place]
        decision = decide(level)
        walk.take(level, decision.status)
        by = decision.by or source
        if decision.found is not None:
            search.offer(decision.found, by)
            if search.cost is None or search.cost > level:
                raise WrongAnswerError(
                    f"{source} found nothing of at most {level}, as it claimed"
                )
        elif decision.status is Status.INFEASIBLE:
            low = level + 1
        else:
            missed = level, decision


def remark(
    search: Search[Any], source: str, level: int, decision: Decision[Any]
) -> None:
    """Say which level was left open with time left, and why, if it was."""
    if decision.status is Status.UNKNOWN:
        reason = f": {decision.why}" if decision.why else ""
        search.remark(f"{source} cannot decide about the level {level}{reason}")
