"""First groups of a table that keep a condition by construction: a cover by patterns.

As APPROX-DR does (:mod:`~atleastk.solvers.tables.direct`), the patterns are taken by
their cost. One is opened for all of its rows without a group, if there are k of them
and they keep the condition, perhaps with a few rows that cheaper patterns can spare.
The rows that are left join the cheapest open pattern that they match and that keeps the
condition with them. Those that find none become a group in the pattern of all rows,
which takes further rows from the dearest patterns until it keeps the condition, too: at
the latest that is the whole table.

Time O(P) for P pairs of a pattern and a record.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.tables.conditions import (
    Condition,
    clear_counts,
    count_record,
    helps,
    keeps,
    lacking,
)
from atleastk.solvers.tables.local_search_state import Table
from atleastk.solvers.tables.pattern_index import NONE, PatternIndex

_MOST_LENT: Final = 8
_MOST_COPIES: Final = 8
"""Rows that a pattern may borrow, and copies of a record that are asked for one."""


def covered(index: PatternIndex) -> Int32Array:
    """Return a pattern for every row of a table, as a whole table keeps the condition.

    The index asks for a condition, and its last pattern is that of all rows.
    """
    assert index.asked is not None
    patterns = index.patterns
    order = np.lexsort((patterns.support, patterns.stars))
    pattern = np.full(len(index.record), NONE, dtype=np.int32)
    _cover(order, index.table, index.asked.of_patterns(patterns.count), pattern)
    return pattern


@compiled
def _cover(
    order: IntArray,  # [place]
    table: Table,
    condition: Condition,
    pattern: Int32Array,  # [row]
) -> None:
    starts, members = table.starts, table.records
    rows, record = table.rows, table.record
    size = np.zeros(len(order) + 1, dtype=np.int64)
    left = np.diff(rows)
    # Patterns whose rows that are left are a group.
    for p in order:
        for i in range(starts[p], starts[p + 1]):
            t = members[i]
            if left[t] > 0:
                size[p] += left[t]
                count_record(t, p, left[t], condition)
        if size[p] >= table.k and _borrow(p, table, size, condition, pattern):
            for i in range(starts[p], starts[p + 1]):
                t = members[i]
                if left[t] > 0:
                    for u in range(rows[t], rows[t + 1]):
                        if pattern[u] < 0:
                            pattern[u] = p
                    left[t] = 0
        else:
            size[p] = 0
            clear_counts(p, condition)
    # Rows that are left join open patterns, or the pattern of all.
    whole = len(order) - 1
    waiting = len(order)
    for u in range(len(record)):
        if pattern[u] >= 0:
            continue
        t = record[u]
        for i in range(table.record_starts[t], table.record_starts[t + 1]):
            p = table.listed[i]
            if size[p] > 0 and keeps(t, p, size[p], 1, condition):
                _join(u, p, t, pattern, size, condition)
                break
        else:
            _join(u, waiting, t, pattern, size, condition)
    if size[waiting] > 0:
        _gather(table, whole, waiting, size, condition, pattern)
        for u in range(len(record)):
            if pattern[u] == waiting:
                pattern[u] = whole


@inlined
def _borrow(
    p: int,
    table: Table,
    size: IntArray,
    condition: Condition,
    pattern: Int32Array,
) -> bool:
    """Let a pattern have what it lacks from groups that can spare it, or nothing."""
    rows, k = table.rows, table.k
    lent = np.empty((3, _MOST_LENT), dtype=np.int64)
    count = 0
    i, end = table.starts[p], table.starts[p + 1]
    while lacking(p, size[p], condition) > 0 and count < _MOST_LENT and i < end:
        t = table.records[i]
        if helps(t, p, size[p], condition):
            for u in range(rows[t], min(rows[t + 1], rows[t] + _MOST_COPIES)):
                q = pattern[u]
                if q < 0 or q == p or size[q] <= k:
                    continue
                if keeps(t, q, size[q], -1, condition):
                    _leave(q, t, size, condition)
                    _join(u, p, t, pattern, size, condition)
                    lent[0, count], lent[1, count], lent[2, count] = u, q, t
                    count += 1
                    break
        i += 1
    if lacking(p, size[p], condition) == 0:
        return True
    for j in range(count):
        u, q, t = lent[0, j], lent[1, j], lent[2, j]
        _leave(p, t, size, condition)
        _join(u, q, t, pattern, size, condition)
    return False


@inlined
def _join(
    u: int, p: int, t: int, pattern: Int32Array, size: IntArray, condition: Condition
) -> None:
    pattern[u] = p
    size[p] += 1
    count_record(t, p, 1, condition)


@inlined
def _gather(
    table: Table,
    whole: int,
    waiting: int,
    size: IntArray,
    condition: Condition,
    pattern: Int32Array,
) -> None:
    """Let the rows that wait become a group in the pattern of all, with others."""
    record, k = table.record, table.k
    for u in range(len(pattern)):
        if pattern[u] == whole:
            size[whole] -= 1
            _join(u, waiting, record[u], pattern, size, condition)
    # The rows of every pattern follow one another.
    first = np.full(waiting, -1, dtype=np.int64)
    after = np.full(len(pattern), -1, dtype=np.int64)
    for u in range(len(pattern)):
        if pattern[u] < waiting:
            after[u] = first[pattern[u]]
            first[pattern[u]] = u
    # Rows that others can spare come first, then groups that help, then any.
    for step in range(3):
        for p in range(waiting - 1, -1, -1):
            lack = lacking(waiting, size[waiting], condition)
            if lack == 0 and size[waiting] >= k:
                return
            whole_group = step == 2
            u = first[p]
            while u >= 0:
                t = record[u]
                if pattern[u] == p and helps(t, waiting, size[waiting], condition):
                    whole_group = whole_group or step == 1
                    if (
                        step == 0
                        and lacking(waiting, size[waiting], condition) > 0
                        and size[p] > k
                        and keeps(t, p, size[p], -1, condition)
                    ):
                        _leave(p, t, size, condition)
                        _join(u, waiting, t, pattern, size, condition)
                u = after[u]
            u = first[p] if whole_group else -1
            while u >= 0:
                if pattern[u] == p:
                    _leave(p, record[u], size, condition)
                    _join(u, waiting, record[u], pattern, size, condition)
                u = after[u]


@inlined
def _leave(p: int, t: int, size: IntArray, condition: Condition) -> None:
    size[p] -= 1
    count_record(t, p, -1, condition)
