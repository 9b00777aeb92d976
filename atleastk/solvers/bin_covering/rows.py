"""Rows of items, the longest first, that are put into the emptiest bins, and again.

A row has at most one item for a bin, the longest goes into the emptiest bin, and so on:
as longest first does, but many items at a time. After that each row is taken out and
put in once more, again and again: as often as the others' levels have changed, its
items are no longer in the order that evens them out. Where bins hold some items each of
sizes that differ, levels are soon alike, by a tenth more of the spread with each pass
or better [Embrechts13].

Complexity
----------
O(n log m) for a pass over n items in m bins, all of it calls of numpy for whole rows.

References
----------
[Embrechts13] P. Embrechts, G. Puccetti, L. Rueschendorf, "Model uncertainty and VaR
aggregation", 2013: the rearrangement algorithm, for rows of one length.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import inf
from typing import Final

import numpy as np

from atleastk.arrays import IntArray

MOST_ROWS: Final = 1_000
"""Rows that are put in again: of more each has few items, which are even at once."""

MOST_SHORT: Final = 20_000
"""Items for a bin above which they are sooner placed one by one: a row takes 8 us."""

_LESS: Final = 0.9
"""The spread of levels after a pass, in that before, below which another follows."""


def in_rows(
    sizes: IntArray,
    bins: int,
    share: int = 1,
    passes: int = 0,
    over: Callable[[IntArray], bool] = lambda _levels: False,
) -> tuple[IntArray, IntArray]:
    """Return the bin of every item, of decreasing sizes, and the level of every bin.

    Rows are of bins / share items; the first fills all bins. They are put in again at
    most so many times, until it is `over`, or the levels' spread hardly falls.
    """
    homes, levels = np.empty_like(sizes), np.zeros(bins, dtype=np.int64)
    wide = max(1, bins // share)
    starts = [0, *range(bins, len(sizes), wide)]
    rows = [slice(a, b) for a, b in pairwise([*starts, len(sizes)])]
    for row in rows:
        _put(sizes[row], levels, homes[row])
    spread = inf
    for _ in range(passes if len(rows) <= MOST_ROWS else 0):
        before, spread = spread, float(np.ptp(levels))
        if spread > _LESS * before or over(levels):
            break
        for row in rows:
            levels[homes[row]] -= sizes[row]
            _put(sizes[row], levels, homes[row])
    return homes, levels


def _put(sizes: IntArray, levels: IntArray, homes: IntArray) -> None:
    """Put items, the longest first, into the emptiest bins, one into each."""
    emptiest = np.arange(len(levels))
    if len(sizes) < len(levels):
        emptiest = np.argpartition(levels, len(sizes) - 1)[: len(sizes)]
    emptiest = emptiest[np.argsort(levels[emptiest], kind="stable")]
    levels[emptiest] += sizes
    homes[:] = emptiest
