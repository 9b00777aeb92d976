"""Branching on the number of parts: the open levels of every number, and their windows.

A partition into parts of at least k, the heaviest as light as possible, has some number
p of parts. For every p there is a least level that is not refuted, at first W / p by
counting; the least of all is a bound, and as soon as it is reached it is the optimum.

Levels at or above the cost of a known solution are removed: see :meth:`PartCounts.cap`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from atleastk.models.results.status import Status
from atleastk.models.windows import Window, window
from atleastk.solvers.engine.decision import Decision

T = TypeVar("T")


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
        self._open: dict[int, int] = {}
        most = total if most_parts is None else most_parts
        if k > 0:
            most = min(most, total // k)
        for parts in range(most, fewest_parts - 1, -1):
            self._put(parts, max(self._floor, -(-total // parts)))

    @property
    def bound(self) -> int | None:
        """The least level that is open; None if there is none."""
        return min(self._open.values(), default=None)

    @property
    def open_levels(self) -> list[tuple[int, int]]:
        """The least open level of every number of parts: (level, parts).

        The least level first, and of one level the most parts.
        """
        pairs = ((level, parts) for parts, level in self._open.items())
        return sorted(pairs, key=lambda pair: (pair[0], -pair[1]))

    def least_levels(self, floor: int = 0) -> dict[int, int]:
        """Return the least open level of every number of parts, not below a floor."""
        return {parts: max(level, floor) for level, parts in self.open_levels}

    def open_windows(self, level: int) -> Iterator[Window]:
        """Yield the windows of a level that are not refuted, most parts first."""
        for parts, least in sorted(self._open.items(), reverse=True):
            found = window(self.total, self.k, parts, level) if least <= level else None
            if found is not None:
                yield found

    def window(self, parts: int, level: int) -> Window | None:
        """Return the window of a number of parts at a level; None if refuted."""
        least = self._open.get(parts)
        if least is None or level < least:
            return None
        return window(self.total, self.k, parts, level)

    def most_level(self, parts: int) -> int:
        """Return the level from which on counting no longer restricts the parts."""
        return self.total - (parts - 1) * self.k

    def level(self, parts: int) -> int | None:
        """Return the least open level of a number of parts; None if there is none."""
        return self._open.get(parts)

    def refute(self, parts: int, level: int) -> None:
        """Record that there is no partition into this many parts of at most `level`."""
        if self._open.get(parts, level + 1) <= level:
            self._put(parts, level + 1)

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
        for parts, level in list(self._open.items()):
            if level < floor:
                self._put(parts, floor)

    def cap(self, cost: int) -> None:
        """Record the cost of a solution: only lower levels stay open."""
        if self._cost is None or cost < self._cost:
            self._cost = cost
            for parts, level in list(self._open.items()):
                self._put(parts, level)

    def _put(self, parts: int, level: int) -> None:
        reached = self._cost is not None and level >= self._cost
        if level <= self.most_level(parts) and not reached:
            self._open[parts] = level
        else:
            self._open.pop(parts, None)
