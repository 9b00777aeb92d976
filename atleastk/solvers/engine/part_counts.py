"""Branching on the number of parts: the open levels of every number, and their windows.

A partition into parts of at least k, the heaviest as light as possible, has some number
p of parts. For every p there is a least level that is not refuted, at first W / p by
counting; the least of all is a bound, and as soon as it is reached it is the optimum.
Levels at or above the cost of a known solution are closed: see :meth:`PartCounts.cap`.

There may be millions of numbers: what counting says of them is computed when it is
asked for, and only what was refuted beyond that is kept.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from heapq import merge
from itertools import takewhile
from typing import NamedTuple, TypeVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.results.status import Status
from atleastk.models.windows import Window, window
from atleastk.solvers.engine.decision import Decision

T = TypeVar("T")


class LeastLevels(NamedTuple):
    """Numbers of parts with their least open levels, the least first."""

    parts: IntArray
    levels: IntArray

    def level(self, parts: int) -> int | None:
        """Return the level of a number of parts; None if it has none."""
        found = self.levels[self.parts == parts]
        return int(found[0]) if len(found) else None


class PartCounts:
    """The levels that are open for every number of parts.

    Parameters
    ----------
    total, k
        The weight of all items, at least k, and the least weight of a part.
    floor
        A level below which nothing is feasible, whatever the number of parts: k, the
        heaviest item, or better.
    most_parts, fewest_parts
        How many parts there can be, such as the number of items at most.
    """

    def __init__(
        self,
        total: int,
        k: int,
        floor: int,
        most_parts: int | None = None,
        fewest_parts: int = 1,
    ) -> None:
        self.total, self.k = total, k
        self._floor = max(floor, k)
        self._cost: int | None = None
        most = total if most_parts is None else most_parts
        if k > 0:
            most = min(most, total // k)
        self._numbers = range(fewest_parts, most + 1)
        self._refuted: dict[int, int] = {}  # the least level that is not

    @property
    def bound(self) -> int | None:
        """The least level that is open; None if there is none."""
        return next((level for level, _ in self.open_levels()), None)

    def open_levels(self) -> Iterator[tuple[int, int]]:
        """Yield the least open level of every number of parts: (level, parts).

        The least level first, and of one level the most parts.
        """
        known = ((self.level(parts), -parts) for parts in self._refuted)
        refuted = sorted((level, less) for level, less in known if level is not None)
        others = (p for p in reversed(self._counted) if p not in self._refuted)
        counted = ((self._by_counting(parts), -parts) for parts in others)
        for level, less in merge(refuted, counted):
            yield level, -less

    def least_levels(self, floor: int = 0) -> LeastLevels:
        """Return the least open level of every number of parts, not below a floor.

        For weights of less than 2^63 in all.
        """
        numbers = self._counted
        parts = np.arange(numbers.start, numbers.stop)
        levels = np.maximum(-(-self.total // parts), self._floor)
        is_open = np.ones(len(parts), dtype=np.bool_)
        for number in self._refuted:
            if number in numbers:
                at, level = numbers.index(number), self.level(number)
                is_open[at] = level is not None
                levels[at] = level or 0
        parts, levels = parts[is_open][::-1], levels[is_open][::-1]
        order = np.argsort(levels, kind="stable")
        return LeastLevels(parts[order], np.maximum(levels[order], floor))

    def open_windows(self, level: int) -> Iterator[Window]:
        """Yield the windows of a level that are not refuted, most parts first."""
        within = takewhile(
            lambda parts: self._by_counting(parts) <= level, reversed(self._counted)
        )
        for parts in within:
            found = self.window(parts, level)
            if found is not None:
                yield found

    def window(self, parts: int, level: int) -> Window | None:
        """Return the window of a number of parts at a level; None if refuted."""
        least = self.level(parts)
        if least is None or level < least:
            return None
        return window(self.total, self.k, parts, level)

    def most_level(self, parts: int) -> int:
        """Return the level from which on counting no longer restricts the parts."""
        return self.total - (parts - 1) * self.k

    def level(self, parts: int) -> int | None:
        """Return the least open level of a number of parts; None if there is none."""
        if parts not in self._numbers:
            return None
        level = max(self._by_counting(parts), self._refuted.get(parts, 0))
        reached = self._cost is not None and level >= self._cost
        return None if reached or level > self.most_level(parts) else level

    def refute(self, parts: int, level: int) -> None:
        """Record that there is no partition into this many parts of at most `level`."""
        least = self.level(parts)
        if least is not None and least <= level:
            self._refuted[parts] = level + 1

    def levels(self, low: int, cost: int | None) -> range:
        """Return the levels that are open for some parts, below a cost if known."""
        self.raise_floor(low)
        if cost is not None:
            self.cap(cost)
        end = self.total + 1 if self._cost is None else self._cost
        return range(end if self.bound is None else self.bound, end)

    def decide(
        self, within: Callable[[Window], Decision[T]], level: int
    ) -> Decision[T]:
        """Decide a level window by window, and record the refuted windows."""
        for asked in list(self.open_windows(level)):
            decision = within(asked)
            if decision.status is not Status.INFEASIBLE:
                return decision
            self.refute(asked.parts, level)
        return Decision.impossible()

    def raise_floor(self, floor: int) -> None:
        """Record that nothing below `floor` is feasible."""
        self._floor = max(self._floor, floor)

    def cap(self, cost: int) -> None:
        """Record the cost of a solution: only lower levels stay open."""
        self._cost = cost if self._cost is None else min(self._cost, cost)

    @property
    def _counted(self) -> range:
        """The numbers of parts that are open by counting; fewer need higher levels."""
        numbers = self._numbers
        end = bisect_left(numbers, True, key=lambda p: self._floor > self.most_level(p))
        cost = self.total + 1 if self._cost is None else self._cost
        first = bisect_left(numbers, True, key=lambda p: self._by_counting(p) < cost)
        return numbers[first:end]

    def _by_counting(self, parts: int) -> int:
        return max(self._floor, -(-self.total // parts))
