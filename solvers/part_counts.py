"""The walk over numbers of parts: which of them is to be refuted next, at which level.

A partition into parts of at least k, the heaviest as light as possible, has some number
p of parts. For every p there is a least level that is not refuted, at first W / p by
counting; the least of all is a bound, and as soon as it is reached it is the optimum.
"""

from __future__ import annotations

from atleastk.models.windows import Window, window

__all__ = ["PartCounts"]


class PartCounts:
    """The levels that are open for every number of parts.

    Parameters
    ----------
    total, k
        The weight of all items, at least k, and the least weight of a part.
    floor
        A level below which nothing is feasible, whatever the number of parts: k, the
        heaviest item, or better.
    """

    def __init__(self, total: int, k: int, floor: int) -> None:
        self.total, self.k = total, k
        self._floor = max(floor, k)
        self._open: dict[int, int] = {}
        for parts in range(total // k, 0, -1):
            self._put(parts, max(self._floor, -(-total // parts)))

    @property
    def bound(self) -> int | None:
        """The least level that is open; None if there is none."""
        return min(self._open.values(), default=None)

    def next_window(self) -> Window | None:
        """Return the window to be decided next, of the most parts at the bound."""
        level = self.bound
        if level is None:
            return None
        parts = max(p for p, open_level in self._open.items() if open_level == level)
        return window(self.total, self.k, parts, level)

    def level(self, parts: int) -> int | None:
        """Return the least open level of a number of parts; None if there is none."""
        return self._open.get(parts)

    def refute(self, parts: int, level: int) -> None:
        """Take in that so many parts of at most `level` do not exist."""
        if self._open.get(parts, level + 1) <= level:
            self._put(parts, level + 1)

    def raise_floor(self, floor: int) -> None:
        """Take in that nothing below `floor` is feasible."""
        for parts, level in list(self._open.items()):
            if level < floor:
                self._put(parts, floor)

    def _put(self, parts: int, level: int) -> None:
        if level <= self.total - (parts - 1) * self.k:
            self._open[parts] = level
        else:
            self._open.pop(parts, None)
