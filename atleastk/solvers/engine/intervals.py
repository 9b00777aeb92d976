"""Intervals of a row whose levels are in a window, by which positions they reach.

Write P_0 = 0 < P_1 < ... < P_n for the prefix sums; an interval from position i to
j has level P_j - P_i. Position j is reached within cost K iff some reached i has
k <= P_j - P_i <= K. As j grows both ends of the admissible range of i move right only,
so the last reached i not too close decides: O(n) per K.
"""

from __future__ import annotations

from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.rows import Row


def least_level(
    sums: Row, k: int, low: int, high: int, before: Row, *, fits: bool = True
) -> int:
    """Return the least level from `low` on, up to `high`, that intervals end at.

    It is found by bisection, and mostly `low` itself. ``before`` is filled in for it;
    ``fits`` says that both rows are arrays.
    """
    mark = _reach_compiled if fits else _reach
    if mark(sums, k, low, before):
        return low
    while low + 1 < high:
        middle = (low + high) // 2
        if mark(sums, k, middle, before):
            high = middle
        else:
            low = middle
    mark(sums, k, high, before)
    return high


def trace(before: Row) -> list[int]:
    """Return the ends of the intervals, followed back from the end of the row."""
    ends = []
    position = len(before) - 1
    while position > 0:
        ends.append(position)
        position = int(before[position])
    return ends[::-1]


@inlined
def _reach(sums: Row, k: int, cost: int, before: Row) -> bool:
    """Mark positions that intervals of level k..cost reach; return if the end is one.

    ``sums`` and ``before`` are indexed [position]; ``before`` becomes the start of the
    last interval, -1 where none ends.
    """
    last, looked = -1, 0
    before[0] = 0
    for j in range(1, len(sums)):
        # The last reached position that is at least k below j is nearest to it.
        while looked < j and sums[j] - sums[looked] >= k:
            if before[looked] >= 0:
                last = looked
            looked += 1
        reached = last >= 0 and sums[j] - sums[last] <= cost
        before[j] = last if reached else -1
    return bool(before[len(sums) - 1] >= 0)


_reach_compiled = compiled(_reach)
