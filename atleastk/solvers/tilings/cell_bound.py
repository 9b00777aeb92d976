"""The cell bound: every cell has to be in some box of weight at least k.

The optimum is at least the weight of the lightest box of weight at least k that
contains a cell, for every cell that must be covered.

For rows [a, b) and a first column c let e(c) be the least end with a weight of at least
k. The lightest such box from c that contains column j ends at max(e(c), j + 1). So for
column j it is one from the greatest c with e(c) <= j + 1, up to j, or one of [c, e(c))
for a later c <= j. Both ends of that range move right as j does: O(rows^2 columns).
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tilings.boxes import weight_of


def lightest_boxes(sums: IntArray, k: int, budget: Budget) -> IntArray | None:
    """Return the lightest weight, at least k, of a box that contains each cell.

    `sums` are the prefix sums of a grid of at least k. None if the budget is spent.
    """
    shape = sums.shape[0] - 1, sums.shape[1] - 1
    lightest = np.full(shape, sums[-1, -1], dtype=np.int64)
    with budget.flagging() as flag:
        done = _lighten(sums, k, lightest, flag)
    return lightest if done else None


@compiled
def _lighten(sums: IntArray, k: int, lightest: IntArray, flag: ByteArray) -> bool:
    """Lower the weights to those of boxes; False if the flag is raised.

    O(rows^2 columns): every queue takes in and gives away each column once.
    """
    rows, columns = lightest.shape
    ends = np.empty(columns, dtype=np.int64)
    queue = np.empty(columns, dtype=np.int64)
    best = np.full((rows + 2, columns), sums[rows, columns], dtype=np.int64)
    for a in range(rows):
        # best[b]: the lightest of all boxes of rows that contain [a, b).
        for b in range(rows, a, -1):
            if flag[0] != 0:
                return False
            # ends[c]: the least end from c with a weight of k, or past all columns.
            end = 0
            for c in range(columns):
                while end <= columns and weight_of(sums, a, c, b, end) < k:
                    end += 1
                ends[c] = end
            # The lightest box that contains column j begins at `first`, the last column
            # whose box ends by j, or at one of the queue: later ones, whose boxes end
            # beyond j, in order of column and of weight.
            first, head, tail = -1, 0, 0
            for j in range(columns):
                while first + 1 <= j and ends[first + 1] <= j + 1:
                    first += 1
                if ends[j] <= columns:
                    weight = weight_of(sums, a, j, b, ends[j])
                    while tail > head and weight <= weight_of(
                        sums, a, queue[tail - 1], b, ends[queue[tail - 1]]
                    ):
                        tail -= 1
                    queue[tail] = j
                    tail += 1
                while head < tail and queue[head] <= first:
                    head += 1
                least = min(best[b, j], best[b + 1, j])
                if first >= 0:
                    least = min(least, weight_of(sums, a, first, b, j + 1))
                if head < tail:
                    c = queue[head]
                    least = min(least, weight_of(sums, a, c, b, ends[c]))
                best[b, j] = least
        for j in range(columns):
            lightest[a, j] = best[a + 1, j]
    return True
