"""Min-max bin covering: the check of solutions, and bounds.

Definition, complexity and references: :mod:`atleastk.instances.bin_covering`.

Bounds
------
Write S for the total size, m for the number of bins, K for the cost (objective
``max``).

- *Most bins.* m <= M = floor(sum min(x_i, k) / k): a bin of level at least k still
  reaches k after its items are trimmed to k.
- *Counting.* K >= ceil(S / m), hence K >= max(max x, ceil(S / M)).
- *Counting, sums.* m bins exceed k by S - m k in total, and the sum of level^2 is
  least for m levels that differ by at most 1; both are least for m = M.
- *Reach.* K >= the least level >= k that some bin with item i can have, for every i.
- *Window.* With m bins of level at most K every level lies in
  [max(k, S - (m-1) K), min(K, S - (m-1) k)], since the others take between (m-1) k and
  (m-1) K.
- *Divisibility.* The cost of ``excess`` is S modulo k; the cost of ``quadratic`` is
  S (k + 1) modulo 2, since level^2 and level have the same parity.

All of them hold for items heavier than k, which need not stand alone: for sizes
{10, 6, 6, 6} and k = 10, own bins for heavy items cost 18, the optimum is 16.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from atleastk.arrays import SAFE
from atleastk.instances.bin_covering import BinCovering
from atleastk.models.covering import check_levels, is_feasible
from atleastk.models.in_time import look_up
from atleastk.models.kinds import Kinds
from atleastk.models.results.solution import Solution, Verdict
from atleastk.models.windows import Window, hull

_MOST_BITS = 8_000_000_000
"""Total bits of shifts and unions: some seconds."""

_LONGEST = 2**28
"""Bits of one integer: 32 megabytes."""

_MANY = 1_000
"""Items from which on an array is quicker, though it has to be made."""


def check(instance: BinCovering, solution: Solution) -> Verdict:
    """Recompute the cost of a solution and list its violations."""
    return check_levels(instance, solution)


def most_bins(instance: BinCovering) -> int:
    """Return M, the upper bound of the number of bins; 0 iff no group is feasible."""
    k = instance.k
    if instance.n > _MANY and instance.total < SAFE:
        return int(np.minimum(instance.amounts, k).sum()) // k
    return sum(min(size, k) for size in instance.sizes) // k


def counting_bound(instance: BinCovering, bins: int) -> int:
    """Return the counting bound on the greatest level of `bins` bins."""
    return max(instance.k, *instance.sizes, -(-instance.total // bins))


def window(instance: BinCovering, bins: int, cost: int) -> Window:
    """Return the window of the levels of `bins` bins of at most `cost`; maybe empty."""
    return hull(instance.total, instance.k, (bins, bins), cost)


def possible_bins(instance: BinCovering, cost: int) -> range:
    """Return the numbers of bins, none above `cost`, that counting does not exclude.

    They are those up to M whose window is not empty and admits the largest item.
    """
    largest = max(instance.sizes, default=0)
    if cost < max(instance.k, largest):
        return range(0)
    most = min(most_bins(instance), 1 + (instance.total - largest) // instance.k)
    return range(-(-instance.total // cost), most + 1)


def balanced_cost(instance: BinCovering, bins: int) -> int:
    """Return the quadratic cost of `bins` bins whose levels differ by at most 1."""
    level, higher = divmod(instance.total, bins)
    squares = (bins - higher) * level**2 + higher * (level + 1) ** 2
    return squares - instance.k * instance.total


def counting_cost(instance: BinCovering, bins: int | None = None) -> int | None:
    """Return the least cost by counting, for any objective; None if infeasible.

    Of so many bins, by default of any number.
    """
    if not is_feasible(instance):
        return None
    most = most_bins(instance) if bins is None else bins
    if most == 0:
        return 0
    match instance.objective:
        case "max":
            return counting_bound(instance, most)
        case "excess":
            return instance.total - most * instance.k
        case "quadratic":
            return balanced_cost(instance, most)


def attainable(instance: BinCovering, cost: int) -> int:
    """Return the least cost of at least `cost` that divisibility allows."""
    match instance.objective:
        case "max":
            return cost
        case "excess":
            return cost + (instance.total - cost) % instance.k
        case "quadratic":
            return cost + (instance.total * (instance.k + 1) - cost) % 2


def least_level(instance: BinCovering, item: int) -> int | None:
    """Return the least level >= k that a bin with this item can have.

    A subset-sum by bit shifts. None if no bin reaches k, or if that takes too long.
    """
    others = [s for i, s in enumerate(instance.sizes) if i != item]
    limit = instance.k + max(instance.sizes)
    if limit > _LONGEST or len(others) * limit > _MOST_BITS:
        return None
    reached = _with(1, ((size, 1) for size in others), limit)
    return _least(reached, instance.sizes[item], instance.k)


def reach_bound(instance: BinCovering) -> tuple[int, int] | None:
    """Return the greatest of the least levels (objective ``max``) and its item.

    Divide and conquer over the distinct sizes: the levels that all sizes but one reach,
    as bits of an integer. None if nothing is feasible, or beyond a bound on the work.
    """
    kinds = Kinds.of(instance.sizes)
    limit = instance.k + max(instance.sizes, default=0)
    shares = sum(d.bit_length() + 1 for d in kinds.demand)
    if instance.total < instance.k:
        return None
    work = shares * len(kinds.demand).bit_length() * limit
    if limit > _LONGEST or work > _MOST_BITS:
        return None
    found = [
        (least, kinds.members[kind][0])
        for kind, reached in _all_but_one(kinds, limit)
        if (least := _least(reached, kinds.values[kind], instance.k)) is not None
    ]
    return max(found)


def _all_but_one(kinds: Kinds, limit: int) -> Iterator[tuple[int, int]]:
    """Yield, per kind, the levels reached without one item of that kind."""
    pairs = list(zip(kinds.values, kinds.demand, strict=True))
    pending = [(0, len(pairs), 1)]
    while pending:
        look_up()
        start, stop, reached = pending.pop()
        if stop - start == 1:
            size, copies = pairs[start]
            yield start, _with(reached, [(size, copies - 1)], limit)
            continue
        middle = (start + stop) // 2
        pending.append((start, middle, _with(reached, pairs[middle:stop], limit)))
        pending.append((middle, stop, _with(reached, pairs[start:middle], limit)))


def _with(reached: int, sizes: Iterable[tuple[int, int]], limit: int) -> int:
    """Return the levels <= limit reached with further (size, copies), as bits."""
    mask = (1 << (limit + 1)) - 1
    for size, copies in sizes:
        share = 1
        left = min(copies, limit // size)
        while left > 0:
            reached |= (reached << (size * min(share, left))) & mask
            left -= share
            share *= 2
    return reached


def _least(reached: int, size: int, k: int) -> int | None:
    """Return the least level >= k of this size and a reached level."""
    beyond = reached >> max(0, k - size)
    if not beyond:
        return None
    return max(size, k) + (beyond & -beyond).bit_length() - 1
