"""Closed frequent patterns of a table, mined by prefix-preserving closure extension.

This is LCM [Uno, Kiyomi, Arimura 2004]. A closed pattern is extended by one more value,
in a column after the last one that it was extended in, and closed again: columns that
became constant are added. If one of these lies before the extension then the same
pattern arises elsewhere, and is dropped here. So every closed pattern is reached once,
from its only parent, and nothing but the patterns themselves has to be stored: the
growing list is its own queue.

Time: O(m) per pair of a pattern and a matching record; space: the pairs.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import MOST_COLUMNS, Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled, inlined

MOST_PAIRS = 200_000_000
"""Pairs of a pattern and a record: 800 MB of them, twice that while the list grows."""

MODELLED_PAIRS: Final = 400_000
"""Pairs of which a model is written, of 1.6 million entries."""

_BYTES_A_PAIR: Final = 48
_BYTES_OF_MANY: Final = _BYTES_A_PAIR // 2
"""What all lists together take for a pair of a pattern and a record; and what they take
in tables of many rows, where sub-tables are not rearranged."""

_PAIRS_A_SECOND: Final = 8_000_000
"""Fewer than are listed in a second: the rest of the time is for solving."""

_PAIRS_ANYWAY: Final = 5_000_000
"""Pairs that are listed however little time is left; a third of a second."""

GREATEST_PRICE: Final = 2**20
"""The greatest price of a row: costs of patterns are 32-bit integers."""

_GREATEST_SUM: Final = 2**57
"""The greatest cost of all rows, times k: a limit on sums of multipliers."""

_ROOM = 1024
"""Patterns that the list has room for at first; it doubles when it is full."""


class _Found(NamedTuple):
    """The patterns found so far, with room for more: a list that is its own queue.

    ``kept[p]`` are the columns that pattern p keeps, as bits; ``last[p]`` is the column
    that its parent was extended in, -1 without a parent; ``support[p]`` counts the rows
    that match. The records that match, in increasing order, are ``members[starts[p]]``
    to ``members[starts[p + 1] - 1]``.
    """

    kept: IntArray
    last: IntArray
    support: IntArray
    starts: IntArray
    members: Int32Array


class _Tally(NamedTuple):
    """The values in one column of the records that match one pattern.

    Value v occurs in ``rows[v]`` rows and ``records[v]`` records, both 0 between two
    tallies; these records end before ``end[v]`` in the list of members, which is -1 for
    a value of too few rows. ``seen`` lists the values by their first records.
    """

    rows: IntArray
    records: IntArray
    end: IntArray
    seen: IntArray


def is_listable(records: Records, k: int) -> bool:
    """Tell whether patterns may be listed: few columns, and costs that fit."""
    whole = records.most * k * int(records.copies @ records.worth)
    narrow = records.m <= MOST_COLUMNS and records.most <= GREATEST_PRICE
    return narrow and whole <= _GREATEST_SUM


def pairs_within(budget: Budget, distinct: int, *, many: bool = False) -> int:
    """Return how many pairs may be listed within the time and memory left.

    A table may have so many rows that sub-tables are not rearranged.
    """
    each = _BYTES_OF_MANY if many else _BYTES_A_PAIR
    in_time = max(_PAIRS_ANYWAY, _PAIRS_A_SECOND * budget.remaining)
    most = int(min(MOST_PAIRS, budget.memory / each, in_time))
    return max(2 * distinct, most)


def closed_patterns(
    records: Records,
    k: int,
    most_pairs: int = MOST_PAIRS,
    budget: Budget | None = None,
) -> Patterns | None:
    """Return all closed patterns of support at least k, the cheapest first.

    None if they have more than `most_pairs` pairs with matching records, or if the
    budget ends first.

    Raises
    ------
    NotApplicableError
        If the table has more than 62 columns.
    """
    if records.m > MOST_COLUMNS:
        raise NotApplicableError(
            f"patterns take at most {MOST_COLUMNS} columns, not {records.m}"
        )
    widest = int(records.codes.max(initial=0)) + 1
    tally = _Tally(*np.zeros((4, widest), dtype=np.int64))
    fewest = min(k, records.n + 1)  # fits 64 bits, and no support is between the two
    unlimited = nullcontext(np.zeros(1, dtype=np.uint8))  # a watch is a thread
    with unlimited if budget is None else budget.flagging() as flag:
        found, count, complete = _mine(
            records.codes,
            records.copies,
            _whole_table(records),
            tally,
            fewest,
            most_pairs,
            flag,
        )
    if not complete:
        return None
    kept, starts = found.kept[:count], found.starts[: count + 1]
    return cheapest_first(records, kept, found.support, starts, found.members)


def cheapest_first(
    records: Records,
    kept: IntArray,
    support: IntArray,
    starts: IntArray,
    members: Int32Array,
) -> Patterns:
    """Return closed patterns, as if they were all, the cheapest first."""
    stars = _paid(records, kept)
    order = np.argsort(stars, kind="stable")
    ends = np.concatenate(([0], np.cumsum(np.diff(starts)[order])))
    return Patterns(
        stars=stars[order],
        kept=kept[order],
        support=support[order],
        starts=ends,
        records=_gathered(members, starts, order, ends),
        reach=records.most,
    )


def listed_patterns(records: Records, k: int, most_pairs: int) -> Patterns:
    """Return all closed patterns of support at least k, the cheapest first.

    Raises
    ------
    NotApplicableError
        If they have too many pairs or columns, or cost too much.
    """
    patterns = closed_patterns(records, k, most_pairs)
    if patterns is None:
        raise NotApplicableError(
            f"its closed patterns match more than {most_pairs} records in all"
        )
    if not is_listable(records, k):
        raise NotApplicableError("its rows may cost too much for a list of patterns")
    return patterns


def _paid(records: Records, kept: IntArray) -> Int32Array:
    """Return what a row of weight 1 pays that keeps these columns, as bits."""
    if records.prices is None:
        return records.m - np.bitwise_count(kept).astype(np.int32)
    paid = np.full(len(kept), records.most)
    for j, price in enumerate(records.prices.tolist()):
        paid -= price * (kept >> j & 1)
    return paid.astype(np.int32)


@compiled
def _gathered(
    members: Int32Array,
    starts: IntArray,
    order: IntArray,
    ends: IntArray,
) -> Int32Array:
    """Return the members of the patterns in another order, which end at `ends`."""
    gathered = np.empty(ends[-1], dtype=np.int32)
    for place in range(len(order)):
        source = starts[order[place]]
        length = ends[place + 1] - ends[place]
        for i in range(length):
            gathered[ends[place] + i] = members[source + i]
    return gathered


def _whole_table(records: Records) -> _Found:
    """Return a list of one pattern: the one that all rows match."""
    distinct = records.distinct
    kept, last, support = np.zeros((3, _ROOM), dtype=np.int64)
    starts = np.zeros(_ROOM + 1, dtype=np.int64)
    members = np.zeros(max(_ROOM, 2 * distinct), dtype=np.int32)
    same = np.flatnonzero((records.codes == records.codes[:1]).all(axis=0))
    kept[0], last[0], support[0] = (1 << same).sum(), -1, records.n
    starts[1] = distinct
    members[:distinct] = np.arange(distinct)
    return _Found(kept, last, support, starts, members)


@compiled
def _mine(
    codes: Int32Array,
    copies: IntArray,
    found: _Found,
    tally: _Tally,
    k: int,
    most_pairs: int,
    flag: ByteArray,
) -> tuple[_Found, int, bool]:
    """Return the patterns, their number, and whether these are all.

    `found` holds the first of them. The tally has room for all values, and is zero.
    """
    count = 1 if found.support[0] >= k else 0
    parent = 0
    while parent < count:
        for column in range(found.last[parent] + 1, codes.shape[1]):
            if found.kept[parent] >> column & 1:
                continue
            # A child for each value of k rows: its records have a part of the list.
            used = found.starts[count]
            seen, end = _count(codes, copies, found, parent, column, tally, k, used)
            if end > most_pairs or flag[0] != 0:
                return found, 0, False
            if count + seen > len(found.kept) or end > len(found.members):
                found = _longer(found, count, count + seen, end)
            # The records of the parent go into the parts of their values, in order.
            for i in range(found.starts[parent], found.starts[parent + 1]):
                r = found.members[i]
                value = codes[r, column]
                if tally.end[value] >= 0:
                    found.members[tally.end[value]] = r
                    tally.end[value] += 1
            # Only children that have no other parent stay: each pattern arises once.
            count = _close_children(codes, found, parent, column, tally, seen, count)
        parent += 1
    return found, count, True


@inlined
def _count(
    codes: Int32Array,
    copies: IntArray,
    found: _Found,
    parent: int,
    column: int,
    tally: _Tally,
    k: int,
    end: int,
) -> tuple[int, int]:
    """Count rows and records by value; reserve a part of the list for those of k rows.

    Returns the number of values, and the end of the last part.
    """
    seen = 0
    for i in range(found.starts[parent], found.starts[parent + 1]):
        r = found.members[i]
        value = codes[r, column]
        if tally.rows[value] == 0:
            tally.seen[seen] = value
            seen += 1
        tally.rows[value] += copies[r]
        tally.records[value] += 1
    for i in range(seen):
        value = tally.seen[i]
        tally.end[value] = -1
        if tally.rows[value] >= k:
            tally.end[value] = end
            end += tally.records[value]
    return seen, end


@inlined
def _longer(found: _Found, count: int, patterns: int, members: int) -> _Found:
    """Return the same patterns with room for more patterns and members."""
    kept, last, support, starts, listed = found
    if patterns > len(kept):
        size = max(patterns, 2 * len(kept))
        kept, last = longer(kept, size), longer(last, size)
        support, starts = longer(support, size), longer(starts, size + 1)
    if members > len(listed):
        listed = np.empty(max(members, 2 * len(listed)), dtype=np.int32)
        for i in range(starts[count]):
            listed[i] = found.members[i]
    return _Found(kept, last, support, starts, listed)


@inlined
def _close_children(
    codes: Int32Array,
    found: _Found,
    parent: int,
    column: int,
    tally: _Tally,
    seen: int,
    count: int,
) -> int:
    """Close the children of a parent; return the number of patterns.

    Children that have another parent are dropped, and their members overwritten: those
    that stay follow one another. Clears the tally.
    """
    for i in range(seen):
        value = tally.seen[i]
        rows, size, high = tally.rows[value], tally.records[value], tally.end[value]
        tally.rows[value], tally.records[value] = 0, 0
        if high < 0:
            continue
        # The closure; -1 if the pattern has another parent.
        low = high - size
        extended = found.kept[parent] | 1 << column
        kept = _closure(codes, found.members, low, high, extended, column)
        if kept < 0:
            continue
        # The members move up to those of the child before.
        begin, members = found.starts[count], found.members
        if begin < low:
            for j in range(size):
                members[begin + j] = members[low + j]
        found.kept[count], found.last[count], found.support[count] = kept, column, rows
        count += 1
        found.starts[count] = begin + size
    return count


@inlined
def _closure(
    codes: Int32Array, members: Int32Array, low: int, high: int, kept: int, column: int
) -> int:
    """Return, as bits, all columns on which some members agree.

    -1 if they agree on a column before this one that is not in `kept`.
    """
    for j in range(codes.shape[1]):
        if kept >> j & 1:
            continue
        first = codes[members[low], j]
        for i in range(low + 1, high):
            if codes[members[i], j] != first:
                break
        else:
            if j < column:
                return -1
            kept |= 1 << j
    return kept


def described(patterns: Patterns) -> str:
    """Say what is listed."""
    return f"patterns listed: {patterns.count}, of {patterns.pairs} pairs"
