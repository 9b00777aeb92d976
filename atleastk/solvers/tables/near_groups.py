"""Groups of near rows: of those that records propose, the cheapest come first.

Every record proposes a group: itself, the near record that adds least to what a row of
the group pays, and so on until there are k rows, and all further ones that add nothing.
A row pays the prices of the columns on which its group is not constant, 1 each in
k-anonymity. A record whose near ones have been taken proposes another group. What is
left once no record has k rows near to it proposes anew, with near records among what is
left, as long as that makes groups.

Near records are the nearest of those within a *window* of the sorted table
(:mod:`~atleastk.solvers.tables.nearness`). There is no list of patterns, so tables may
have any number of columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.first_groups import close_rows
from atleastk.solvers.tables.nearness import CELLS_AT_ONCE, add, least, near_records

_FIRST_WINDOW: Final = 250
"""Rows in the first window; further ones are wider."""

_WIDER: Final = 4
"""The factor by which each further window is wider, and takes longer."""

_FEW_NEAR: Final = 32
_MANY_NEAR: Final = 150
_MOST_NEAR: Final = 4 * _MANY_NEAR
_NEAR_CELLS: Final = CELLS_AT_ONCE // 5
"""Near records of which a group may be made, at least, in the first window and in wider
ones; and at most, if all together have so many cells: of 2,000 rows of 16 columns, k =
10, 600 take 0.14 s, and groups cost 10 % less than of 32."""

_FEWEST_MADE: Final = 10
"""Rows propose anew as long as one part in so many of them comes into groups: not
tuned."""

_BYTES_A_NEAR: Final = 12
"""What all lists together take for a near record of a record."""

_BUILDING: Final = 0.3
"""The share of the time left that all windows together may take, and twice as much if
the first takes it: not tuned."""


def near_groups(records: Records, k: int, budget: Budget) -> Iterator[IntArray]:
    """Yield labels of groups, built within windows as wide as there is time for.

    The table has at least k rows.
    """
    left, cells = _BUILDING * budget.remaining, max(1, records.n * records.m)
    window, count = _FIRST_WINDOW, max(_FEW_NEAR, 2 * k)
    many = min(_MOST_NEAR, _NEAR_CELLS // cells)
    part = budget.slice(2 * left)  # all else begins with the first groups
    while True:
        began = CLOCK.now()
        labels = cheapest_first(records, k, count, window, part)
        if budget.stop.is_set():  # nobody waits any more
            return
        yield labels
        spent = CLOCK.now() - began
        left -= spent
        if _WIDER * spent > left or (window >= records.n and count >= many):
            return
        window = max(_WIDER * window, CELLS_AT_ONCE // cells)
        count = max(_MANY_NEAR, many, count)
        memory = count * records.distinct * _BYTES_A_NEAR
        if window * cells > 2_000 * CELLS_AT_ONCE or memory > budget.memory:
            return
        part = budget.slice(left)


def cheapest_first(
    records: Records, k: int, count: int, window: int, budget: Budget
) -> IntArray:
    """Return labels of groups; of those that records propose the cheapest come first.

    Each record has `count` near ones. The rows that are left in the end are grouped
    with rows nearest to the first of them, or with neighbours if they are many; fewer
    than k are joined by the last groups.
    """
    columns = np.argsort(records.codes.max(axis=0, initial=0), kind="stable")
    left, found = records.copies.copy(), 0
    entries = [np.empty((3, 0), dtype=np.int64)]  # group, record, copies
    while left.any():
        rest = np.flatnonzero(left)
        few = records.apart(rest, left[rest])
        near = near_records(few, count, window, columns, budget)
        after = np.append(np.arange(1, few.distinct), -1)
        first = np.full(records.most + 1, -1)
        first[0] = 0
        with budget.flagging() as flag:
            prices = records.price.astype(np.int32)
            made, left[rest] = _cheapest_first(
                few.codes, few.copies, prices, k, near, first, after, flag
            )
        if not made.size:
            break
        made[1] = rest[made[1]]
        made[0] += found
        found = int(made[0, -1]) + 1
        entries.append(made)
        if _FEWEST_MADE * made[2].sum() < few.n:
            break
    every = np.hstack(entries)
    while 0 < left.sum() < k:  # the last groups give up their rows
        last = every[0] == every[0, -1]
        np.add.at(left, every[1, last], every[2, last])
        every = every[:, ~last]
    rest = np.flatnonzero(left)
    part = records.apart(rest, left[rest])
    labels = found + close_rows(part, k) if part.n else part.home
    ends = labels, rest[part.record_of], np.ones_like(labels)
    return records.row_groups(*np.hstack((every, ends)))


@compiled
def _cheapest_first(
    codes: Int32Array,  # [record, column]
    supply: IntArray,  # [record]
    prices: Int32Array,  # [column]
    k: int,
    near: Int32Array,  # [record, place]
    first: IntArray,  # [cost]
    after: IntArray,  # [record]
    flag: ByteArray,
) -> tuple[IntArray, IntArray]:
    """Return groups, records and copies, `[3, entry]`, and the copies that are left.

    Records wait in linked lists, by the least that a row of their group may pay:
    ``first[c]`` is the first record of list c, ``after[t]`` the one behind t. To begin
    with all of them are in list 0.
    """
    distinct, m = codes.shape
    count = near.shape[1]
    left = supply.copy()
    # Slot i holds a near record that may still join: its codes by columns, and what it
    # would add to what each row pays. The group has chosen records.
    listed = np.empty(count, dtype=np.int64)
    seen = np.empty((m, count), dtype=np.int32)
    added = np.empty(count, dtype=np.int32)
    chosen = np.empty(count + 1, dtype=np.int64)
    constant = np.empty(m, dtype=np.bool_)
    entry = np.empty((3, distinct), dtype=np.int64)
    entries, found = 0, 0
    for level in range(len(first)):
        while first[level] >= 0 and flag[0] == 0:
            t = first[level]
            first[level] = after[t]
            if left[t] == 0:
                continue
            live = 0
            for u in near[t]:
                if u >= 0 and left[u] > 0:
                    listed[live] = u
                    added[live] = 0
                    for j in range(m):
                        seen[j, live] = codes[u, j]
                    live += 1
            for j in range(m):
                constant[j] = True
                add(seen[j], codes[t, j], prices[j], live, added)
            # The record that adds least joins until there are k rows, and further ones
            # that add nothing; unless a row comes to pay more than this level.
            chosen[0], taken, rows, paid = t, 1, left[t], 0
            while live > 0 and paid <= level:
                best = least(added, live)
                if rows >= k and added[best] > 0:
                    break
                if added[best] > 0:
                    for j in range(m):
                        if constant[j] and seen[j, best] != codes[t, j]:
                            constant[j] = False
                            paid += prices[j]
                            add(seen[j], codes[t, j], -prices[j], live, added)
                chosen[taken] = listed[best]
                taken += 1
                rows += left[listed[best]]
                live -= 1
                listed[best], added[best] = listed[live], added[live]
                for j in range(m):
                    seen[j, best] = seen[j, live]
            # A dearer group waits; one of k rows is made, and takes all their copies.
            if paid > level:
                after[t] = first[paid]
                first[paid] = t
            elif rows >= k:
                for u in chosen[:taken]:
                    entry[0, entries], entry[1, entries] = found, u
                    entry[2, entries], left[u] = left[u], 0
                    entries += 1
                found += 1
    return entry[:, :entries].copy(), left
