"""Sums of subsets in order, for meeting in the middle in compiled loops [HS74].

References
----------
[HS74] E. Horowitz, S. Sahni, "Computing Partitions with Applications to the Knapsack
Problem", J. ACM 21(2), 1974.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled


@compiled
def subset_sums(values: IntArray) -> tuple[IntArray, IntArray]:
    """Return the sums of all subsets, ascending, and the bits of each; O(2^n)."""
    count = 1 << len(values)
    sums, masks = np.zeros(count, np.int64), np.zeros(count, np.int64)
    spare, others = np.empty(count, np.int64), np.empty(count, np.int64)
    for bit in range(len(values)):
        # Those without a value and those with it, both in order, are merged.
        size, value = 1 << bit, values[bit]
        i = j = 0
        for k in range(2 * size):
            if j == size or (i < size and sums[i] <= sums[j] + value):
                spare[k], others[k] = sums[i], masks[i]
                i += 1
            else:
                spare[k], others[k] = sums[j] + value, masks[j] | size
                j += 1
        sums, masks, spare, others = spare, others, sums, masks
    return sums, masks
