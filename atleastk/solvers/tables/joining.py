"""Groups of rows that take in further rows, one by one, where it costs least.

A group of 2k - 1 rows or more parts with k - 1 of its rows for one, if that is best.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from atleastk.arrays import Int32Array, IntArray


def join_cheapest(
    rows: Iterable[int],
    group: IntArray,
    codes: Int32Array,  # [row, column]
    prices: IntArray,  # [column]
    worth: IntArray,  # [row]
    k: int,
) -> None:
    """Give some rows a group; those of the others are numbered without gaps, or -1."""
    joining = _Joining(group, codes, prices, worth, k)
    for row in rows:
        joining.join(row)


class _Joining:
    """Groups that rows join, with the columns that they keep, and their values."""

    def __init__(
        self,
        group: IntArray,
        codes: Int32Array,
        prices: IntArray,
        worth: IntArray,
        k: int,
    ) -> None:
        self._group, self._codes, self._prices, self._k = group, codes, prices, k
        order = np.argsort(group, kind="stable")
        order = order[group[order] >= 0]
        held, cells = group[order], codes[order]
        self._of_row, self._sizes = worth, np.bincount(held)
        self._worth = np.bincount(held, worth[order])
        starts = np.searchsorted(held, np.arange(len(self._sizes)))
        self._values = cells[starts]
        most = np.maximum.reduceat(cells, starts, axis=0)
        self._kept = most == np.minimum.reduceat(cells, starts, axis=0)

    def join(self, row: int) -> None:
        """Put a row into a group, or form a group with k - 1 rows of a large one."""
        k, group, own = self._k, self._group, self._of_row[row]
        kept = self._kept & (self._values == self._codes[row])
        lends = self._sizes >= 2 * k - 1
        worth = np.where(lends, self._worth * ((k - 1) / self._sizes), self._worth)
        paid, before = ~kept @ self._prices, ~self._kept @ self._prices
        chosen = int(np.argmin((worth + own) * paid - worth * before))
        if not lends[chosen]:
            group[row] = chosen
            self._sizes[chosen] += 1
            self._worth[chosen] += own
            self._kept[chosen] = kept[chosen]
            return
        lent = np.flatnonzero(group == chosen)[: k - 1]
        taken = self._of_row[lent].sum()
        group[lent] = group[row] = len(self._sizes)
        self._sizes[chosen] -= k - 1
        self._worth[chosen] -= taken
        self._sizes = np.append(self._sizes, k)
        self._worth = np.append(self._worth, taken + own)
        self._values = np.vstack((self._values, self._codes[row]))
        self._kept = np.vstack((self._kept, kept[chosen]))
