"""Bisection, or galloping search, over the possible costs (levels) of a solution.

Whether some solution costs at most a level is decided for one level after the other. An
infeasible level excludes all lower ones, and a solution may cost less than asked for:
every decision leaves fewer levels between bound and cost, at best half of them. Of L
levels at most 2 log2(L) + 2 are asked, by bisection from the start or by climbing in
steps that double (galloping search).
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

Levels = Callable[[int, int | None], Sequence[int]]
"""Returns the open levels from a bound to below a cost, if one is known.

They ascend. A range has steps of 1, and may be longer than any list.
"""

Decide = Callable[[int], Decision[Any]]
"""Decides whether there is a solution, or its groups, of cost at most a level."""


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
    """Chooses the open level that is decided next."""

    climbing: bool = True
    """Whether to climb from the bound, at first in small steps, until a solution is
    found: low levels are often easier. Then, or without it, bisection."""
    step: int = 1
    growth: int = 2
    """`step`, `growth`: the first step, in levels, and the factor from one step to the
    next."""
    patience: float = 1
    """The number of undecided levels in a row after which the search ends."""
    complete: bool = True
    """Whether all levels below the cost are given; there may be higher ones if not, and
    no level below the undecided ones is chosen."""
    undecided: set[int] = field(default_factory=set)
    """The levels that nothing decided."""
    _stride: int = 0
    _misses: int = 0

    def next(self, levels: Sequence[int]) -> int | None:
        """Return the index of the level to be decided next.

        Above the undecided ones, then below them; None if there are no others.
        """
        if not levels or self._misses >= self.patience:
            return None
        last = _place(levels, levels[-1])
        stayed = [each for each in self.undecided if levels[0] <= each <= levels[-1]]
        first = _place(levels, max(stayed)) + 1 if stayed else 0
        if first > last:
            lowest = _place(levels, min(stayed))
            return (lowest - 1) // 2 if self.complete and lowest else None
        highest = (first + last) // 2 if self.complete else last
        return min(first + self._stride, highest) if self.climbing else highest

    def take(self, level: int, status: Status) -> None:
        """Record the status of a decision about a level."""
        unknown = status is Status.UNKNOWN
        self._misses = self._misses + 1 if unknown else 0
        if unknown:
            self.undecided.add(level)
        if unknown or status is Status.INFEASIBLE:
            self._stride = max(self.step, self.growth * self._stride)
        else:
            self.climbing = False


@dataclass
class Descent(Walk):
    """Goes down from the highest level: far ones are easier, whichever way they end.

    After an undecided level the next is `nearer` times nearer to the lowest; after some
    in a row the lowest itself. The search ends after `patience` undecided ones.
    """

    patience: float = 5
    nearer: int = 8
    in_a_row: int = 3
    _above: int | None = None

    def next(self, levels: Sequence[int]) -> int | None:
        """Return the index of the level to be decided next; None if there is none."""
        if not levels or len(self.undecided) >= self.patience:
            return None
        below = [_place(levels, each) - 1 for each in self.undecided]
        last = min([_place(levels, levels[-1]), *below])
        if last < 0:
            return None
        self._above = last if self._above is None else min(self._above, last)
        return self._above

    def take(self, level: int, status: Status) -> None:
        """Record the status of a decision about a level."""
        super().take(level, status)
        above = self._above or 0
        if status is Status.UNKNOWN:
            self._above = above // self.nearer if self._misses < self.in_a_row else 0
        else:
            self._above = 2 * above + 1 if status is Status.INFEASIBLE else above // 2


def _place(levels: Sequence[int], level: int) -> int:
    """Return the index of a level; bisect and len fail on very long ranges."""
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
    """Decide levels until the least feasible one is known, or the walk ends.

    Raises
    ------
    WrongAnswerError
        If a solution found for a level costs more.
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
    """Remark which level stayed undecided, and why."""
    if decision.status is Status.UNKNOWN:
        reason = f": {decision.why}" if decision.why else ""
        search.remark(f"{source} cannot decide about the level {level}{reason}")
