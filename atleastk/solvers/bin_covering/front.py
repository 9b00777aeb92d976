"""The front of a search over levels: what is refuted for every number of bins.

For the objective ``max`` an optimum is the least level over all numbers m of bins. The
front keeps, for every m, the least level not yet refuted; its least over all m is the
bound of the search. It grows with every refutation and starts at the counting bound
max(k, max x, ceil(S / m)), so few m matter: those whose start is below the best cost.
"""

from __future__ import annotations

from collections.abc import Mapping

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import most_bins
from atleastk.models.covering import is_feasible
from atleastk.solvers.search import Search

__all__ = ["Front", "closed_at_once"]


class Front:
    """The least levels not refuted, by number of bins, of a feasible instance."""

    def __init__(self, search: Search[BinCovering]) -> None:
        instance = search.instance
        self.search = search
        self.most = most_bins(instance)
        self._floor = max(instance.k, *instance.sizes)
        self._lows: dict[int, int] = {}
        if search.cost is None:
            search.offer([range(instance.n)], "one bin")

    @property
    def cost(self) -> int:
        """The best cost found; the search begins with all items in one bin."""
        if self.search.cost is None:
            message = "the front of a search without a solution"
            raise ValueError(message)
        return self.search.cost

    def low(self, bins: int) -> int:
        """Return the least level not refuted for so many bins."""
        counted = -(-self.search.instance.total // bins)
        return max(self._floor, counted, self._lows.get(bins, 0))

    def refute(self, bins: int, level: int, source: str) -> None:
        """Note that so many bins cannot all have levels up to this."""
        if level >= self.low(bins):
            self._lows[bins] = level + 1
        self.publish(source)

    def note(self, refuted: Mapping[int, int], source: str) -> None:
        """Note the levels refuted for several numbers of bins."""
        for bins, level in refuted.items():
            self._lows[bins] = max(self._lows.get(bins, 0), level + 1)
        self.publish(source)

    def lift(self, level: int, source: str) -> None:
        """Note that no number of bins allows less than this level."""
        self._floor = max(self._floor, level)
        self.publish(source)

    def open(self, limit: int = 4) -> list[int]:
        """Return numbers of bins that may beat the best cost, least level first.

        At most `limit`, none of them further than the first that is still at its start.
        """
        found: list[tuple[int, int]] = []
        for bins in range(self.most, 0, -1):
            counted = max(self._floor, -(-self.search.instance.total // bins))
            if counted >= self.cost:
                break
            if (low := self.low(bins)) < self.cost:
                found.append((low, bins))
            if len(found) >= limit and counted >= max(found)[0]:
                break
        return [bins for _, bins in sorted(found)[:limit]]

    @property
    def bound(self) -> int:
        """The least level not refuted for any number of bins; at most the best cost."""
        return min((self.low(bins) for bins in self.open(1)), default=self.cost)

    def publish(self, source: str) -> None:
        """Report the bound to the search."""
        self.search.raise_bound(self.bound, source)


def closed_at_once(search: Search[BinCovering], source: str) -> bool:
    """Close the search if there are no items or too few; tell whether it is closed."""
    if not is_feasible(search.instance):
        search.close_infeasible(source, {"kind": "total"})
    elif not search.instance.n:
        search.offer([], source)
        search.raise_bound(0, source, {"kind": "counting"})
    return search.closed
