"""Min-max bin covering: what it means.

Definition, complexity and references: :mod:`atleastk.instances.bin_covering`.

Bounds
------
Write S for the total size, m for the number of bins, K for the cost (objective
``max``).

- *Most bins.* m <= M = floor(sum min(x_i, k) / k): a bin of level at least k still
  reaches k after its items are trimmed to k.
- *Counting.* K >= ceil(S / m), hence K >= max(max x, ceil(S / M)).
- *Reach.* K >= the least level >= k that some bin with item i can have, for every i.
- *Window.* With m bins of level at most K every level lies in
  [max(k, S - (m-1) K), min(K, S - (m-1) k)], since the others take between (m-1) k and
  (m-1) K.

All of them hold for items heavier than k, which need not stand alone: for sizes
{10, 6, 6, 6} and k = 10, own bins for heavy items cost 18, the optimum is 16.
"""

from __future__ import annotations

from typing import NamedTuple

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.covering import check_levels
from atleastk.models.solution import Solution, Verdict

__all__ = ["Window", "check", "counting_bound", "most_bins", "window"]


class Window(NamedTuple):
    """The levels that a bin can have: from ``low`` to ``high``, none if crossed."""

    low: int
    high: int

    @property
    def empty(self) -> bool:
        """Whether no level is left."""
        return self.low > self.high


def check(instance: BinCovering, solution: Solution) -> Verdict:
    """Recompute the cost of a solution and say what it violates."""
    return check_levels(instance, solution)


def most_bins(instance: BinCovering) -> int:
    """Return M, which no number of bins exceeds; 0 iff nothing is feasible."""
    k = instance.k
    return sum(min(size, k) for size in instance.sizes) // k


def counting_bound(instance: BinCovering, bins: int) -> int:
    """Return the least max-cost that `bins` bins can have by counting."""
    return max(instance.k, *instance.sizes, -(-instance.total // bins))


def window(instance: BinCovering, bins: int, cost: int) -> Window:
    """Return the levels possible with so many bins, none above `cost`."""
    others = bins - 1
    return Window(
        max(instance.k, instance.total - others * cost),
        min(cost, instance.total - others * instance.k),
    )
