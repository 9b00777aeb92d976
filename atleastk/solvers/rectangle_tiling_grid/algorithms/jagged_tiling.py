"""Jagged tilings of a grid: slabs of rows, each cut between columns on its own.

Let kappa be the greatest of the heaviest cell and ceil(W / p), so W <= p kappa.

Theorem. Slabs of rows give a jagged tiling by at most p rectangles that costs at most
5/2 kappa, and slabs of rows or else of columns one that costs at most 7/3 kappa. No
less is promised: the ratio of ``worst-slabs`` to the optimum comes to 7/3.

Proof. Let kappa = 1. A slab ends with the row that takes its weight to 1 or more; a
rest below 1 is a slab of its own, or if it weighs nothing part of the one before. In a
slab of weight w >= 1 let s_j be the weight of column j without the last row, so that
the s_j add up to less than 1, and columns weigh at most s_j + 1, below 2. Fill
rectangles with columns as long as they weigh at most L: r_i weighs more than L with the
first column f_(i+1) of the next. If there are q = 2v, that is w > v L >= q. If q = 2v +
1, v of these pairs leave out any r_i of odd i, so w > v L + r_i. Call g = q - w the
*gain* of the slab. If g > 0 then q = 2v + 1 >= 3, and f_2 > L - r_1 > (v + 1) L - 2v -
1 + g.

For L = 5/2 that is 2 or more, so no slab has a gain: the q of slabs of weight 1 or more
add up to at most W less the weight of the rest, so to at most p, and to less than p if
there is a rest with weight. Let L = 7/3.

(1) If g > 0 then v = 1, g < 1/3, and a column weighs more than 5/3 + g.

In slabs across, this column is the last of its slab, T, as it weighs more than 1: call
the first slab *charged* to T. In T, it has the weight B in the rows of the first slab:
c <= 1 in the last of these rows and s < 1 in the others, both more than 2/3 + g. All
that T has before its last column is less than 1, so the others of these rows weigh less
than 2 in T, and no rectangle of T and a row of the next are among them.

(2) If slabs of gains g_1, ..., g_t are charged to T then q <= w - (g_1 + ... + g_t)
for T. Part T behind the rows of each but the last; as rectangles filled in turn are the
fewest, it is enough that a part of weight y that a slab of gain g is charged to needs n
<= y - g rectangles. For n = 1, y >= B. For n = 2v, y > v L >= n + 1/3. For n = 2v + 1,
y > v L + x is enough, with x >= 2/3 + g beside v pairs:

- If c is in an odd rectangle, x = r_i of this one.
- If c is in an even one, but not its first row, pair from the front up to it, and from
  the back behind it: x = c.
- If it is the first row of r_2m, the rows of s end in r_(2m-1). If all are there, x =
  r_(2m-1). If not, the others are behind the first row of r_(2m-2), or that rectangle
  and a row of the next would be among them: pair from the front up to r_(2m-2), and
  from the back to r_2m: x = s.

So slabs with a gain are charged to slabs across that lose as much or more, and have no
gain to be charged: in both directions together all gains are at most 0, and so they are
in one of them, which is enough as above.

Both functions look for the least weight of rectangles for which their slabs need at
most p of them: those of the proof (:func:`slices`), or the best of all
(:func:`jagged_tiling`: fewest(b) = min over a < b of fewest(a) + cuts of rows [a, b)).

The ratio 5/2 is that of [Khanna98]; the proof is our own.

References
----------
[Khanna98] S. Khanna, S. Muthukrishnan, M. Paterson, "On approximating rectangle tiling
and packing", SODA 1998.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.in_time import look_up
from atleastk.models.rectangles import Box
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.rectangle_tiling_grid.slabs import Slabs

_TOO_MANY = 2**40
"""Above every number of rectangles, and sums of them fit 64 bits."""

_ROWS = 16
"""Rows between looks at the clock: a tenth of a second for ten million cells."""


def least_possible(sums: IntArray, p: int) -> int:
    """Return kappa of a grid that is not empty, from its prefix sums."""
    cells = sums[1:, 1:] - sums[:-1, 1:] - sums[1:, :-1] + sums[:-1, :-1]
    return max(int(cells.max()), -(-int(sums[-1, -1]) // p))


def slices(sums: IntArray, p: int) -> list[Box]:
    """Cut slabs that weigh as little as they can from kappa up; O(R C log W)."""
    kappa = least_possible(sums, p)
    ends = [0]
    for b in range(1, len(sums)):
        if int(sums[b, -1] - sums[ends[-1], -1]) >= max(kappa, 1):
            ends.append(b)
    if len(ends) == 1 or sums[ends[-1], -1] < sums[-1, -1]:
        ends.append(len(sums) - 1)
    ends[-1] = len(sums) - 1

    def suffices(level: int) -> bool:
        return sum(_cuts(sums, a, b, level) for a, b in pairwise(ends)) <= p

    slabs = Slabs(sums, np.array(ends, dtype=np.int64))
    return slabs.boxes(slabs.filled(_least_level(suffices, sums, p)))


def jagged_tiling(sums: IntArray, p: int) -> list[Box]:
    """Return a best tiling by slabs of rows; O(R^2 C log W)."""
    starts, fewest = np.zeros((2, len(sums)), dtype=np.int64)

    def suffices(level: int) -> bool:
        for first in range(1, len(sums), _ROWS):
            look_up()
            _fill(sums, level, starts, fewest, first, min(first + _ROWS, len(sums)))
        return bool(fewest[-1] <= p)

    level = _least_level(suffices, sums, p)
    suffices(level)
    ends = [len(sums) - 1]
    while ends[-1]:
        ends.append(int(starts[ends[-1]]))
    slabs = Slabs(sums, np.array(ends[::-1]))
    return slabs.boxes(slabs.filled(level))


def _least_level(suffices: Callable[[int], bool], sums: IntArray, p: int) -> int:
    """Return the least level from kappa to 5/2 kappa, or W, which both suffice."""
    kappa = least_possible(sums, p)
    levels = range(kappa, min(5 * kappa // 2, int(sums[-1, -1])))
    return kappa + bisect_left(levels, True, key=suffices)


@compiled
def _cuts(sums: IntArray, a: int, b: int, level: int) -> int:
    """Return the fewest rectangles of weight at most `level` in rows [a, b).

    If a column weighs more, that is more than any number of columns.
    """
    columns = sums.shape[1] - 1
    count, base = 1, 0
    for d in range(1, columns + 1):
        weight = sums[b, d] - sums[a, d]
        if weight - base > level:
            base = sums[b, d - 1] - sums[a, d - 1]
            count += 1
            if weight - base > level:
                return _TOO_MANY
    return count


@compiled
def _fill(
    sums: IntArray, level: int, starts: IntArray, fewest: IntArray, first: int, end: int
) -> None:
    """Fill in the fewest rectangles of jagged tilings, and where their slabs start.

    ``fewest[b]`` is that of the first b rows, whose last slab begins at ``starts[b]``,
    from the first b on; ``fewest[0]`` is 0. More rows take no fewer cuts, so an inner
    loop ends early.
    """
    for b in range(first, end):
        fewest[b] = _TOO_MANY
        for a in range(b - 1, -1, -1):
            cuts = _cuts(sums, a, b, level)
            if cuts >= fewest[b]:
                break
            if fewest[a] + cuts < fewest[b]:
                fewest[b] = fewest[a] + cuts
                starts[b] = a
