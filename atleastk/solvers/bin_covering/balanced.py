"""Balanced partitions: optima of min-max bin covering for every k at once.

Theorem
-------
Let m = floor(S / k). If the items partition into m bins that all have level floor(S/m)
or ceil(S/m), then this partition is optimal for k and for every other k' with
floor(S / k') = m.

*Proof.* A solution has at most m bins, so one of them has level >= ceil(S / m). The
partition attains it, and is feasible because m k <= S gives k <= floor(S / m).

One partition per m thus settles a whole range of k. Where small items are plentiful,
as in frequency tables, largest-first placement with swaps finds it; nothing is claimed
where it does not.

Complexity
----------
Placement O(n (log n + m)); a round of repair O(n m), and each round lowers the sum of
squared levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.models.bin_covering import check
from atleastk.models.results.solution import Solution
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.rows import WORD, Row, row


@dataclass(frozen=True, slots=True)
class BalancedRange:
    """The optimum for every k from ``first_k`` to ``last_k``.

    ``solution`` is its balanced partition into ``bins`` bins; without one, None, the
    optimum is only known to be at least ``bound``.
    """

    bins: int
    first_k: int
    last_k: int
    bound: int
    solution: Solution | None

    @property
    def cost(self) -> int | None:
        """The optimum; None if it was not proved."""
        return None if self.solution is None else self.bound


def balanced_partition(sizes: Sequence[int], m: int) -> list[list[int]] | None:
    """Return m bins of level floor(S/m) or ceil(S/m), or None if none were found."""
    order = sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)
    total = sum(sizes)
    fits = total < WORD
    items = row((sizes[i] for i in order), fits=fits)
    homes = row((0 for _ in order), fits=fits)
    levels = row((0 for _ in range(m)), fits=fits)
    balance = _balance_compiled if fits else _balance
    if not balance(items, homes, levels, total // m, -(-total // m)):
        return None
    groups: list[list[int]] = [[] for _ in range(m)]
    for item, home in zip(order, homes, strict=True):
        groups[home].append(item)
    return groups


def optima_for_all_k(
    sizes: Sequence[int], first_k: int, last_k: int
) -> list[BalancedRange]:
    """Return the optima for all k in a range with 1 <= first_k <= last_k <= S.

    Every partition has passed the checker at the greatest k of its range.
    """
    total = sum(sizes)
    ranges = []
    k = first_k
    while k <= last_k:
        bins = total // k
        end = min(last_k, total // bins)
        bound = -(-total // bins)
        groups = balanced_partition(sizes, bins)
        solution = None if groups is None else Solution.of(groups)
        if solution is not None:
            verdict = check(BinCovering(sizes, end), solution)
            if not verdict.feasible or verdict.cost != bound:
                raise WrongAnswerError(
                    f"balanced partition into {bins} bins fails the check"
                )
        ranges.append(BalancedRange(bins, k, end, bound, solution))
        k = end + 1
    return ranges


@inlined
def _closest_swap(
    items: Row, homes: Row, high: int, low: int, gap: int
) -> tuple[int, int]:
    """Return the swap that lowers `high` by as near gap / 2 as possible.

    Rows are indexed [item]: sizes, and the bins that items are in.

    As the item of `high` that goes and the item of `low` that comes (-1: none); it
    lowers `high` by at least 1 and at most gap - 1. (-1, -1) if there is none. Items
    decrease, so the best partners of later items come later: O(n).
    """
    n = len(items)
    best_a, best_b, best = -1, -1, gap
    b = 0
    while b < n and homes[b] != low:
        b += 1
    for a in range(n):
        if homes[a] != high:
            continue
        # The partner moves on until the shift is at least half the gap.
        while True:
            other = items[b] if b < n else 0
            shift = items[a] - other
            if 0 < shift < gap:
                distance = abs(2 * shift - gap)
                if distance < best:
                    best_a, best_b, best = a, (b if b < n else -1), distance
            if b == n or 2 * shift >= gap:
                break
            b += 1
            while b < n and homes[b] != low:
                b += 1
    return best_a, best_b


@inlined
def _balance(items: Row, homes: Row, levels: Row, floor: int, ceiling: int) -> bool:
    """Place items in decreasing order, then swap until balanced; return if it is.

    Every swap lowers the sum of squared levels, so this ends.
    """
    m = len(levels)
    # Each item goes to the emptiest bin.
    for i in range(len(items)):
        home = 0
        for b in range(1, m):
            if levels[b] < levels[home]:
                home = b
        homes[i] = home
        levels[home] += items[i]
    while True:
        fullest, emptiest = 0, 0
        for b in range(1, m):
            if levels[b] > levels[fullest]:
                fullest = b
            if levels[b] < levels[emptiest]:
                emptiest = b
        if levels[fullest] <= ceiling and levels[emptiest] >= floor:
            return True
        # The fullest bin gives to any other, or else the emptiest takes from any other.
        swapped = False
        for b in range(2 * m):
            high, low = (fullest, b) if b < m else (b - m, emptiest)
            gap = levels[high] - levels[low]
            if gap < 2:
                continue
            given, taken = _closest_swap(items, homes, high, low, gap)
            if given < 0:
                continue
            shift = items[given]
            homes[given] = low
            if taken >= 0:
                shift -= items[taken]
                homes[taken] = high
            levels[high] -= shift
            levels[low] += shift
            swapped = True
            break
        if not swapped:
            return False


_balance_compiled = compiled(_balance)
