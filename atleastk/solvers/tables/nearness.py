"""Near records: for every record the nearest ones within a window.

The records are sorted, and each is compared with its neighbours, as many as fit into a
*window*. With a window of all records the lists are exact. The columns lie side by
side, so that a machine compares many records at once. Time O(D w m) for D records and a
window of w records; space O(D m).
"""

from __future__ import annotations

from math import isinf
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray, stable_order
from atleastk.instances.records import Records, row_keys
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled

CELLS_AT_ONCE: Final = 100_000_000
"""Cells of pairs of records that are compared in some 0.05 seconds."""


def window_within(rows: int, columns: int, groups: int, seconds: float) -> int:
    """Return the widest window that fits into some seconds for so many rows."""
    if isinf(seconds):
        return rows
    cells = 20 * CELLS_AT_ONCE * seconds / max(1, groups * columns)
    return int(min(rows, cells))


def near_records(
    records: Records, count: int, window: int, columns: IntArray, budget: Budget
) -> Int32Array:
    """Return the `count` nearest records of every record, the nearest first, or -1.

    They are the nearest within a window of the records sorted by these columns. Records
    that were not looked at in time have none.
    """
    order = stable_order(row_keys(records.codes[:, columns]))
    width = min(window, records.distinct)
    with budget.flagging() as flag:
        found = _near(
            np.ascontiguousarray(records.codes.T[:, order]), width, count, flag
        )
    near = np.empty_like(found)
    near[order] = np.append(order, -1).astype(np.int32)[found]  # the last of -1 is -1
    return near


@compiled
def add(
    values: Int32Array, value: int, price: int, live: int, added: Int32Array
) -> None:
    """Add a price for all rows that have another value."""
    for i in range(live):
        added[i] += price if values[i] != value else 0


@compiled
def least(added: Int32Array, live: int) -> int:
    """Return the first place of the least entry."""
    lowest = added[0]
    for i in range(live):
        lowest = min(lowest, added[i])
    for i in range(live):
        if added[i] == lowest:
            return i
    return 0


@compiled
def _near(columns: Int32Array, width: int, count: int, flag: ByteArray) -> Int32Array:
    """Return the nearest places in the window of every place, `[place, rank]`."""
    m, n = columns.shape
    near = np.full((n, count), -1, dtype=np.int32)
    added = np.empty(width, dtype=np.int32)
    place = np.empty(m + 2, dtype=np.int64)
    for t in range(n):
        if flag[0] != 0:
            break
        low = max(0, min(t - width // 2, n - width))
        own = t - low
        added[:] = 0
        for j in range(m):
            add(columns[j, low : low + width], columns[j, t], 1, width, added)
        # Sorted by counting: where the rows of a distance begin in the list.
        place[:] = 0
        for i in range(width):
            place[added[i] + 1] += 1
        place[added[own] + 1] -= 1
        for d in range(m + 1):
            place[d + 1] += place[d]
        most = 0
        while most < m and place[most + 1] < count:
            most += 1
        # Of equal ones the next in order come first.
        for i in range(own + 1, own + width):
            other = i if i < width else i - width
            if added[other] <= most:
                if place[added[other]] < count:
                    near[t, place[added[other]]] = low + other
                place[added[other]] += 1
    return near
