"""Groups of near rows, built one after the other: the greedy algorithm of textbooks.

The first row without a group is joined, k - 1 times, by the row that adds least to what
a row of its group pays: the prices of the columns on which the group is not constant, 1
each in k-anonymity. Fewer than k rows are left over in the end; they join the groups
where they cost least.

The rows are sorted, and a row is compared with the next rows without a group, as many
as fit into a *window*. With a window of the whole table this is the greedy algorithm
itself. Then records are drawn at random, those of great worth first: groups of sorted
rows cost more, up to 5 % on Adult and Letter, since ties go to the next row in order.
The columns of the window lie side by side, so that a machine compares many rows at
once. Time O(n w m / k) for a window of w rows, space O(n m).

Equal rows come together first. If a record has 2k copies or more, copies are set aside
k by k before, as groups that cost nothing.

There is no list of patterns, so tables may have any number of columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isinf
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.tables.joining import Joining
from atleastk.solvers.tables.nearness import add, least, near_records, sorted_by

_FIRST_WINDOW: Final = 250
_FIRST_CELLS: Final = 100_000_000
"""Rows in the first window; more if no more than that many cells are compared then:
some 0.05 seconds."""

_CELLS_A_SECOND: Final = 3_000_000_000
"""Cells that the greedy algorithm compares in a second: a cautious estimate."""

_SOON: Final = 0.3
_DRAWS: Final = 4
"""Seconds of the greedy algorithm up to which it comes first, and how often it may be
run within them: runs differ by 0.5 % of the cost."""

_WIDER: Final = 4
"""The factor by which each further window is wider, and takes longer."""

_FEW_NEAR: Final = 32
_MANY_NEAR: Final = 150
"""Near records of which a group may be made: in the first window, and in wider ones."""

_BYTES_A_NEAR: Final = 12
"""What all lists together take for a near record of a record."""

_BUILDING: Final = 0.3
"""The share of the time left that all windows together may take: not tuned."""

_GREEDY: Final = 0.5
_LONG: Final = 60.0
"""The share of the time left that the greedy algorithm may take by that estimate, and
its seconds without a time limit: not tuned."""

_MOST_CELLS: Final = 200_000_000_000
"""Cells compared in one window at most: about a minute, if there is no time limit."""


def near_groups(records: Records, k: int, budget: Budget) -> Iterator[IntArray]:
    """Yield labels of groups, built within windows as wide as there is time for.

    The table has at least k rows.
    """
    left = _BUILDING * budget.remaining
    most = _MOST_CELLS // max(1, records.n * records.m)
    columns = np.argsort(records.codes.max(axis=0, initial=0), kind="stable")
    window = max(_FIRST_WINDOW, _FIRST_CELLS // max(1, records.n * records.m))
    count = max(_FEW_NEAR, 2 * k)
    cells = max(1, records.n * records.n * records.m)
    greedy = cells / (k * _CELLS_A_SECOND)
    room = _LONG if isinf(left) else _GREEDY * budget.remaining
    draws = min(_DRAWS, max(greedy <= room, int(min(room, _SOON) / greedy)))
    whole = (
        build(records, k, records.n, replace(budget, seed=budget.seed + draw))
        for draw in range(draws)
    )
    if greedy <= _SOON:
        yield from whole
    while True:
        began = CLOCK.now()
        part = budget.slice(left)
        near = near_records(records, count, window, columns, part)
        if budget.stop.is_set():  # nobody waits any more
            return
        yield cheapest_first(records, k, near, part)
        if not draws:
            yield build(records, k, window, part)
        spent = CLOCK.now() - began
        left -= spent
        yield from whole
        if _WIDER * spent > left or window >= records.n or _WIDER * window > most:
            return
        if max(_MANY_NEAR, 2 * k) * records.distinct * _BYTES_A_NEAR > budget.memory:
            return
        window, count = _WIDER * window, max(_MANY_NEAR, 2 * k)


def build(records: Records, k: int, window: int, budget: Budget) -> IntArray:
    """Return labels of groups of at least k rows, by the greedy algorithm in a window.

    Once the budget is spent, the rows left become groups in their order; fewer than k
    join one group.
    """
    if window < records.n:
        widths = records.codes.max(axis=0, initial=0)
        order = sorted_by(records.codes, np.argsort(widths, kind="stable"))
    else:
        order = np.random.default_rng(budget.seed).permutation(records.distinct)
        order = order[np.argsort(-records.worth[order], kind="stable")]
    copies = records.copies[order]
    taken = np.where(copies >= 2 * k, k + copies % k, copies)
    record = np.repeat(order, taken)
    columns = np.ascontiguousarray(records.codes.T[:, record])
    width = min(len(record), max(window, 2 * k))
    price = records.price.astype(np.int32)
    with budget.flagging() as flag:
        group, first, kept = _build(columns, price, k, width, flag)
    left = np.flatnonzero(group < 0)
    if len(left) >= k:  # there was no time: they become groups in their order
        group[left] = len(first) + np.arange(len(left)) * (len(left) // k) // len(left)
    elif len(left):
        codes, worth = columns.T, records.worth[record]
        joining = Joining(group, codes, records.price, worth, k, codes[first], kept)
        for place, row in enumerate(left.tolist()):
            if budget.spent:
                group[left[place:]] = 0
                break
            joining.join(row)
    aside = np.flatnonzero(taken < copies)
    count = int(group.max(initial=-1)) + 1
    return records.row_groups(
        np.concatenate((group, count + np.arange(len(aside)))),
        np.concatenate((record, order[aside])),
        np.concatenate((np.ones_like(group), (copies - taken)[aside])),
    )


def cheapest_first(
    records: Records,
    k: int,
    near: Int32Array,
    budget: Budget,
) -> IntArray:
    """Return labels of groups; of those that records propose the cheapest come first.

    Every record proposes a group: itself, the near record that adds least to what a row
    pays, and so on until there are k rows, and all further ones that add nothing. A
    record whose near ones have been taken proposes another group. The rows that are
    left are grouped by :func:`build`.
    """
    after = np.arange(1, records.distinct + 1)
    after[-1:] = -1
    first = np.full(records.most + 1, -1)
    first[0] = 0 if records.distinct else -1
    with budget.flagging() as flag:
        group, record, copies, left = _cheapest_first(
            records.codes,
            records.copies,
            records.price.astype(np.int32),
            k,
            near,
            first,
            after,
            flag,
        )
    rest = np.flatnonzero(left)
    few = int(left.sum())
    if few:
        # Too few rows are left: the last groups give up their rows.
        while few < k:
            last = group == group[-1]
            np.add.at(left, record[last], copies[last])
            few += int(copies[last].sum())
            group, record, copies = group[~last], record[~last], copies[~last]
        rest = np.flatnonzero(left)
        part = records.apart(rest, left[rest])
        # Rows whose near ones are all taken look at so many.
        built = build(part, k, 2_000, budget)
        group = np.concatenate((group, built + int(group.max(initial=-1)) + 1))
        record = np.concatenate((record, rest[part.record_of]))
        copies = np.concatenate((copies, np.ones_like(built)))
    return records.row_groups(group, record, copies)


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
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return groups, records and copies as entries, and the copies that are left.

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
                entries = _make(found, chosen[:taken], left, entry, entries)
                found += 1
    return entry[0, :entries], entry[1, :entries], entry[2, :entries], left


@inlined
def _make(
    group: int, chosen: IntArray, left: IntArray, entry: IntArray, entries: int
) -> int:
    """Make a group of the copies left of some records; return the number of entries."""
    for u in chosen:
        entry[0, entries], entry[1, entries], entry[2, entries] = group, u, left[u]
        left[u] = 0
        entries += 1
    return entries


@compiled
def _build(
    columns: Int32Array,  # [column, row]
    prices: Int32Array,  # [column]
    k: int,
    width: int,
    flag: ByteArray,
) -> tuple[IntArray, IntArray, BoolArray]:
    """Return the group of each row, and of each group a row and the columns it keeps.

    Rows that are left over have the group -1.
    """
    m, n = columns.shape
    group = np.full(n, -1, dtype=np.int64)
    # The window: slot i holds the row `row[i]`, which is found again by `slot`, and
    # which would add `added[i]` to what each row of the group pays.
    seen = np.empty((m, width), dtype=np.int32)
    row = np.empty(width, dtype=np.int64)
    slot = np.empty(n, dtype=np.int64)
    added = np.empty(width, dtype=np.int32)
    live, entered, head, found = 0, 0, 0, 0
    most = n // k
    first, kept = np.empty(most, dtype=np.int64), np.ones((most, m), dtype=np.bool_)
    while found < most and flag[0] == 0:
        # The window is full, and its first row without a group begins the next one.
        while live < width and entered < n:
            for j in range(m):
                seen[j, live] = columns[j, entered]
            row[live] = entered
            slot[entered] = live
            live += 1
            entered += 1
        while group[head] >= 0:
            head += 1
        chosen = slot[head]
        first[found] = head
        for i in range(live):
            added[i] = 0
        for j in range(m):
            add(seen[j], columns[j, head], prices[j], live, added)
        # The row that adds least joins and leaves the window, k - 1 times.
        for step in range(k):
            if step > 0:
                chosen = least(added, live)
            for j in range(m):
                if kept[found, j] and seen[j, chosen] != columns[j, head]:
                    kept[found, j] = False
                    add(seen[j], columns[j, head], -prices[j], live, added)
            group[row[chosen]] = found
            live -= 1
            for j in range(m):
                seen[j, chosen] = seen[j, live]
            added[chosen] = added[live]
            row[chosen] = row[live]
            slot[row[chosen]] = chosen
        found += 1
    return group, first[:found], kept[:found]
