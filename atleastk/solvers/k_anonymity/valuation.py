"""The values of all patterns under changing weights, re-computed only where needed.

The value of a pattern is defined in :mod:`atleastk.solvers.k_anonymity.multipliers`:
from the terms u_t - c of its rows it takes the k greatest, and all further positive
ones. The *level* of a pattern is the least of c and the k-th greatest weight of its
rows: rows below it are not taken.

Two facts make re-computing cheap when weights change by little. Let *rise* and *fall*
be the greatest increase and decrease of any weight since a pattern was looked at.

- A value V <= 0 is the sum of exactly k terms, each of which rose by `rise` at most: it
  is still not positive if k * rise <= -V, so the pattern need not be looked at.
- The level fell by `fall` at most: lighter rows need not be sorted out.

So an evaluation costs a comparison per pattern, plus the lengths of the patterns whose
value is nearly positive. All in integers: the results are those of a fresh start.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.patterns import Patterns
from atleastk.solvers.compiled.compile import compiled

__all__ = ["Valuation"]


_LOWEST: Final = -(2**62)


class Valuation:
    """The values of patterns under the weights given last.

    Attributes
    ----------
    values
        The value of every pattern, in units of 1 / scale. Values that are not positive
        are exact after the first evaluation only.
    levels
        The level of every pattern; exact after the first evaluation only.
    taken
        How many copies of every record the best sets of open patterns take in all.
    chosen
        For every pair, the amounts with which its record was in the best set of its
        open pattern, summed; empty unless asked for.
    opened
        For every pattern, the amounts with which it was open; likewise.
    """

    def __init__(
        self,
        patterns: Patterns,
        records: Records,
        k: int,
        scale: int,
        *,
        primal: bool = False,
    ) -> None:
        self._patterns, self._records, self._k = patterns, records, k
        count = patterns.count
        longest = int(np.diff(patterns.starts).max(initial=0))
        self.values = np.zeros(count, dtype=np.int64)
        self.levels = np.full(count, _LOWEST, dtype=np.int64)
        self.taken = np.zeros(records.distinct, dtype=np.int64)
        self.chosen = np.zeros(patterns.pairs if primal else 0, dtype=np.float32)
        self.opened = np.zeros(count if primal else 0, dtype=np.float32)
        self._prices = patterns.stars.astype(np.int64) * scale
        self._closed_until = np.full(count, -1, dtype=np.int64)
        self._pool = np.zeros((2, longest), dtype=np.int64)
        self._risen = self._fallen = 0

    def __call__(
        self, weights: IntArray, rise: int, fall: int, amount: float = 0.0
    ) -> int:
        """Return the sum of all positive values.

        `rise` and `fall` are what any weight rose or fell at most since the last call,
        at least 0; `amount` is added to what the open patterns and their pairs have.
        """
        self._risen += rise
        self._fallen += fall
        return int(
            _evaluate(
                weights,
                self._prices,
                self._patterns.starts,
                self._patterns.records,
                self._records.copies,
                self._k,
                self._risen,
                self._fallen,
                self._closed_until,
                self.levels,
                self.values,
                self.taken,
                self._pool,
                amount,
                self.chosen,
                self.opened,
            )
        )


@compiled
def _evaluate(
    weights: IntArray,
    prices: IntArray,
    starts: IntArray,
    members: Int32Array,
    copies: IntArray,
    k: int,
    risen: int,
    fallen: int,
    closed_until: IntArray,
    levels: IntArray,
    values: IntArray,
    taken: IntArray,
    pool: IntArray,
    amount: float,
    chosen: NDArray[np.float32],
    opened: NDArray[np.float32],
) -> int:
    """Re-compute what may have changed; levels are kept as if nothing had fallen."""
    total = 0
    taken[:] = 0
    for p in range(len(prices)):
        if closed_until[p] >= risen:
            continue
        price = prices[p]
        cut = levels[p] - fallen
        rows = 0
        value = 0
        light = 0
        for i in range(starts[p], starts[p + 1]):
            t = members[i]
            weight = weights[t]
            if weight >= cut:
                if weight > price:
                    rows += copies[t]
                    value += copies[t] * (weight - price)
                else:
                    pool[0, light] = weight
                    pool[1, light] = copies[t]
                    light += 1
        level = price
        lacking = k - rows
        if lacking > 0:
            level, added = _greatest(pool[0], pool[1], light, lacking)
            value += added - lacking * price
        levels[p] = level + fallen
        values[p] = value
        if value <= 0:
            closed_until[p] = risen + -value // k
            continue
        closed_until[p] = -1
        total += value
        for i in range(starts[p], starts[p + 1]):
            t = members[i]
            weight = weights[t]
            if weight > level:
                taken[t] += copies[t]
                if weight <= price:
                    lacking -= copies[t]
                if amount > 0.0:
                    chosen[i] += np.float32(amount * copies[t])
        if lacking > 0:
            for i in range(starts[p], starts[p + 1]):
                t = members[i]
                if weights[t] == level:
                    used = min(lacking, copies[t])
                    lacking -= used
                    taken[t] += used
                    if amount > 0.0:
                        chosen[i] += np.float32(amount * used)
                    if lacking == 0:
                        break
        if amount > 0.0:
            opened[p] += np.float32(amount)
    return total


@compiled
def _greatest(
    weights: IntArray, copies: IntArray, length: int, wanted: int
) -> tuple[int, int]:
    """Return the last and the sum of so many greatest weights, counted with copies.

    Reorders both arrays; there must be so many. Quickselect with ties set apart: linear
    time on average.
    """
    low, high = 0, length
    total = 0
    while True:
        pivot = weights[(low + high) // 2]
        left, here, right = low, low, high
        above_sum = above = equal = 0
        while here < right:
            weight = weights[here]
            if weight > pivot:
                above_sum += weight * copies[here]
                above += copies[here]
                weights[here], weights[left] = weights[left], weight
                copies[here], copies[left] = copies[left], copies[here]
                left += 1
                here += 1
            elif weight < pivot:
                right -= 1
                weights[here], weights[right] = weights[right], weight
                copies[here], copies[right] = copies[right], copies[here]
            else:
                equal += copies[here]
                here += 1
        if above >= wanted:
            high = left
        elif above + equal >= wanted:
            return pivot, total + above_sum + pivot * (wanted - above)
        else:
            total += above_sum + pivot * equal
            wanted -= above + equal
            low = right
