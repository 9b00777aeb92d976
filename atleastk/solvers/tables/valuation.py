"""The values of all patterns under changing weights, re-computed only where needed.

The value of a pattern is defined in :mod:`atleastk.solvers.tables.multipliers`:
from the terms u_t - c of its rows (u_t - c v_t if they pay v_t times) it takes the k
greatest, and all further positive ones. The *level* of a pattern is the k-th greatest
term of its rows, 0 at most, plus c: rows with a term below it are not taken.

Two facts make it cheap to recompute values when weights change by little. Let *rise*
and *fall* be the greatest increase and decrease of any weight since a pattern was
looked at.

- A value V <= 0 is the sum of exactly k terms, each of which rose by `rise` at most: it
  is still not positive if k * rise <= -V, so the pattern need not be looked at.
- The level fell by `fall` at most: lesser terms need not be sorted out.

Groups may need l different values. Then the best set has the greatest term of each of
the l values whose greatest terms are greatest, besides the k - l greatest others, and
all positive ones. The level is the least of these terms: l values have a greater one
each, and so have k rows, so both facts stay true but for the count of terms in the
first. The set is one of k rows, and of rows whose terms are positive by then: if those
above -d are c now, and `rise` is at most d, then k + c terms rose by `rise` at most.

Or groups have shares: of s rows, no value may have more than s / l, or more than
(p s + B(s)) / n by closeness, p being its rows of n in the table and B(s) the reach;
nor all s, if two values are needed. (Closeness is not looked at where more are.) Of
a <= s <= b rows a set is worth no more than the greatest b terms, of each value no more
than may be among b rows, positive ones or up to a rows. So the value is the greatest of
these over ranges of sizes from k on: single sizes at first, an eighth of them later.
Let U be the sum of the greatest a terms and all further positive ones: as soon as
it is no greater than what was found, larger sets are not. If weights rise by d, and c
terms are above -d now, then sets of a rows or more are worth U + d (a + c) at most, and
those of a range gain d b. All terms are looked at each time.

So an evaluation costs a comparison per pattern, plus the lengths of the patterns whose
value is nearly positive. All in integers: the results are those of a fresh start.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import arrange, number
from atleastk.solvers.tables.conditions import Sensitive
from atleastk.solvers.tables.listed_table import ListedTable

_LOWEST: Final = -(2**62)
"""The level before the first evaluation: below all weights, safe in 64 bits."""

_COARSE: Final = 8
"""The part of a size by which sizes of one range differ: not tuned."""


class _Pairs(NamedTuple):
    """The patterns, and the records that match them.

    A row of pattern p pays ``prices[p]``, in units of 1 / scale, ``worth[t]`` times if
    it is of record t. The records of p are ``records[starts[p]]`` to
    ``records[starts[p + 1] - 1]``; t has ``copies[t]``.
    """

    prices: IntArray  # [pattern]
    starts: IntArray  # [pattern + 1]
    records: Int32Array  # [pair]
    copies: IntArray  # [record]
    worth: IntArray  # [record]
    k: int


class _Values(NamedTuple):
    """The value of every record, of which a group needs so many different ones.

    ``seen[v]`` is the number of the last set that has a row of value v; ``sets[0]`` is
    that of the set at hand. If groups have `shares`, no value may have more than one of
    `share` rows of a group, and `reach` says how far it may be from its `total` in the
    table of `n` rows; ``held[v]`` counts them.
    """

    of_record: IntArray  # [record]
    different: int
    shares: bool
    share: int
    n: int
    total: IntArray  # [value]
    reach: IntArray  # [rows of a group]
    sets: IntArray  # [1]
    seen: IntArray  # [value]
    held: IntArray  # [value]


class _State(NamedTuple):
    """The arrays of a :class:`Valuation`, and what is known of their changes.

    The value of pattern p is not positive until weights rose by ``closed_until[p]`` in
    all, -1 if it is open. Levels are stored as if nothing had fallen. The terms and
    copies of one pattern are sorted in `room`, with their records, and how many copies
    are taken.
    """

    values: IntArray  # [pattern]
    levels: IntArray  # [pattern]
    closed_until: IntArray  # [pattern]
    taken: IntArray  # [record]
    room: IntArray  # [term, copies, record, taken or order; place]
    rows: FloatArray  # [pattern]


class Valuation:
    """The values of patterns under the weights given last.

    Attributes
    ----------
    values
        The value of every pattern, in units of 1 / scale. Values that are not positive
        are exact after the first evaluation only.
    levels
        The level of every pattern; exact after the first evaluation only.
    taken
        How many copies of every record the best sets of open patterns take in all.
    rows
        How many rows the best set of every pattern had while it was open, times the
        amounts of the calls, summed; empty unless asked for.
    """

    def __init__(self, table: ListedTable, scale: int, *, primal: bool = False) -> None:
        patterns, records, asked = table.patterns, table.records, table.asked
        count = patterns.count
        longest = int(np.diff(patterns.starts).max(initial=0))
        self.values = np.zeros(count, dtype=np.int64)
        self.levels = np.full(count, _LOWEST, dtype=np.int64)
        self.taken = np.zeros(records.distinct, dtype=np.int64)
        self.rows = np.zeros(count if primal else 0)
        self._pairs = _Pairs(
            table.prices(scale),
            patterns.starts,
            patterns.records,
            records.copies,
            records.worth,
            table.k,
        )
        self._state = _State(
            self.values,
            self.levels,
            np.full(count, -1, dtype=np.int64),
            self.taken,
            np.zeros((5, longest), dtype=np.int64),
            self.rows,
        )
        self._of_values = None if asked is None else _values_of(asked)
        self._risen = self._fallen = 0

    def __call__(
        self, weights: IntArray, rise: int, fall: int, amount: float = 0.0
    ) -> int:
        """Return the sum of all positive values.

        `rise` and `fall` are what any weight rose or fell at most since the last call,
        at least 0; `rows` grow by `amount` times those of the best sets.
        """
        self._risen += rise
        self._fallen += fall
        return int(
            _evaluate(
                weights,
                self._pairs,
                self._of_values,
                self._state,
                self._risen,
                self._fallen,
                amount,
            )
        )


@compiled
def _evaluate(
    weights: IntArray,
    pairs: _Pairs,
    asked: _Values | None,
    state: _State,
    risen: int,
    fallen: int,
    amount: float,
) -> int:
    """Update the values that may have changed; return the sum of the positive ones.

    Weights rose by `risen` and fell by `fallen` at most since the first evaluation.
    """
    total = 0
    prices, starts, records, copies, worth, k = pairs
    values, levels, closed_until, taken, room, averaged = state
    taken[:] = 0
    for p in range(len(prices)):
        if closed_until[p] >= risen:
            continue
        if asked is not None and asked.shares:
            least, most, value, lasting = _evenly(p, weights, pairs, asked, room)
            values[p] = value
            closed_until[p] = -1
            if value <= 0:
                closed_until[p] = risen + lasting
                continue
            total += value
            length = starts[p + 1] - starts[p]
            _take_greatest(least, most, length, pairs, asked, room, taken)
            continue
        # Levels are stored as if nothing had fallen: rows below the cut are not taken.
        price, cut = prices[p], levels[p] - fallen - prices[p]
        value = rows = 0
        light = number(0)  # a constant would be compiled apart
        missing = number(0)
        if asked is not None:
            missing = number(asked.different)
            asked.sets[0] += 1
        for i in range(starts[p], starts[p + 1]):
            t = records[i]
            term = weights[t] - price * worth[t]
            if term >= cut:
                if term > 0:
                    rows += copies[t]
                    value += copies[t] * term
                    if asked is not None and missing > 0:
                        missing -= _see(t, asked)
                else:
                    room[0, light], room[1, light] = term, copies[t]
                    room[2, light] = t
                    light += 1
        # All terms that are positive, and the greatest others up to k rows; with the
        # greatest one of each value of some that are missing.
        level, added, some = number(0), number(0), number(0)
        lacking = max(0, k - rows - missing)
        if asked is not None:
            level, added = _fill(light, lacking, missing, asked, room)
        elif lacking > 0:
            level, added, some = greatest(room[0], room[1], light, lacking)
        rows, value = rows + missing, value + added
        levels[p] = level + price + fallen
        values[p] = value
        # A pattern stays closed until k terms may have made up for its value.
        if value <= 0:
            closed_until[p] = risen + -value // k
            if asked is not None:
                closed_until[p] = risen + _lasting(p, value, weights, pairs)
            continue
        closed_until[p] = -1
        total += value
        begin, end = starts[p], starts[p + 1]
        if asked is None:
            _take(weights, pairs, price, begin, end, level, some, taken)
        else:
            _take(weights, pairs, price, begin, end, number(0), number(0), taken)
            for i in range(light):
                taken[room[2, i]] += room[3, i]
        if amount > 0.0:
            averaged[p] += amount * max(k, rows)
    return total


def _values_of(asked: Sensitive) -> _Values | None:
    """Return the values of the column whose most frequent value is so most; or None."""
    if not asked.columns or (asked.different < 2 and not asked.close):
        return None
    most = [int(totals.max(initial=0)) for totals in asked.totals]
    column = most.index(max(most))
    seen = np.zeros(len(asked.totals[column]), dtype=np.int64)
    of_record = asked.values[:, column].astype(np.int64)
    return _Values(
        of_record,
        asked.different,
        asked.share > 1 or (asked.close and asked.different <= 2),
        asked.share,
        asked.n,
        asked.totals[column],
        asked.reach,
        sets=np.zeros(1, dtype=np.int64),
        seen=seen,
        held=np.zeros_like(seen),
    )


@inlined
def _see(t: int, asked: _Values) -> bool:
    """Note the value of a record; tell whether it is new to the set at hand."""
    v = asked.of_record[t]
    new = asked.seen[v] != asked.sets[0]
    asked.seen[v] = asked.sets[0]
    return bool(new)


@compiled
def _fill(
    light: int, lacking: int, missing: int, asked: _Values, room: IntArray
) -> tuple[int, int]:
    """Take the greatest of the terms that are not positive, and some of missing values.

    Returns the least of them, and their sum; far below 0 if values do not suffice.
    """
    for i in range(light):
        room[3, i], room[4, i] = -room[0, i], i
    if lacking + missing > 0:
        arrange(room[4], room[3], light)
    level, added = number(0), number(0)
    for i in room[4, :light]:
        taken = number(0)
        if missing > 0 and _see(room[2, i], asked):
            missing -= 1
            taken += 1
        more = min(lacking, room[1, i] - taken)
        lacking -= more
        taken += more
        if taken > 0:
            level = room[0, i]
            added += taken * level
        room[3, i] = taken
    if missing > 0:
        return _LOWEST // 2, _LOWEST // 2
    return level, added


@inlined
def _lasting(p: int, value: int, weights: IntArray, pairs: _Pairs) -> int:
    """Return how much all weights may rise until the value may be positive."""
    most = -value // pairs.k
    near = number(0)
    for i in range(pairs.starts[p], pairs.starts[p + 1]):
        t = pairs.records[i]
        if weights[t] - pairs.prices[p] * pairs.worth[t] > -most:
            near += pairs.copies[t]
    return min(most, -value // (pairs.k + near))


@compiled
def _evenly(
    p: int, weights: IntArray, pairs: _Pairs, asked: _Values, room: IntArray
) -> tuple[int, int, int, int]:
    """Return the best range of sizes, its value, and what all weights may rise.

    Until then the value does not become positive. The terms of the pattern are sorted
    in `room`, the greatest first, less their sign.
    """
    begin, length = pairs.starts[p], pairs.starts[p + 1] - pairs.starts[p]
    there = number(0)
    for i in range(length):
        t = pairs.records[begin + i]
        room[0, i] = pairs.prices[p] * pairs.worth[t] - weights[t]
        room[1, i] = t
        there += pairs.copies[t]
    arrange(room[1], room[0], length)
    best, least, most = _LOWEST // 2, number(0), number(0)
    lasting = -best
    # Of terms before `first`, `rows` in all: the greatest, and all positive ones.
    first, rows, whole = 0, number(0), number(0)
    low = number(pairs.k)
    while low <= there:
        while first < length and (rows < low or room[0, first] < 0):
            copies = pairs.copies[room[1, first]]
            rows += copies
            whole -= copies * room[0, first]
            first += 1
        above = whole + max(0, rows - low) * max(0, room[0, first - 1])
        if above <= best:
            near = low
            for i in range(length):
                if room[0, i] >= lasting:
                    break
                near += pairs.copies[room[1, i]]
            return least, most, best, min(lasting, -above // near)
        high = low + low // _COARSE
        if asked.share > 1 and asked.reach[1] >= asked.n:
            # The same number of rows of a value may be in sets of these sizes.
            high = max((high + 1) // asked.share, low // asked.share + 1)
            high = high * asked.share - 1
        high = min(high, there)
        value = _take_greatest(low, high, length, pairs, asked, room, asked.held[:0])
        if value > best:
            best, least, most = value, low, high
        lasting = min(lasting, -value // high)
        low = high + 1
    return least, most, best, lasting


@compiled
def _take_greatest(
    least: int,
    most: int,
    length: int,
    pairs: _Pairs,
    asked: _Values,
    room: IntArray,
    taken: IntArray,
) -> int:
    """Return the greatest sum of an even set of a size in a range; count in its rows.

    Far below 0 if there are too few.
    """
    for i in range(length):
        asked.held[asked.of_record[room[1, i]]] = 0
    value, rows = number(0), number(0)
    for i in range(length):
        t = room[1, i]
        v = asked.of_record[t]
        near = (asked.total[v] * most + asked.reach[most]) // asked.n
        even = min(most // asked.share, near, most + 1 - asked.different)
        copies = min(pairs.copies[t], even - asked.held[v])
        if room[0, i] >= 0:
            if rows >= least:
                break
            copies = min(copies, least - rows)
        copies = min(copies, most - rows)
        if copies > 0:
            asked.held[v] += copies
            rows += copies
            value -= copies * room[0, i]
            if len(taken) > 0:
                taken[t] += copies
    if rows < least:
        return _LOWEST // 2
    return value


@inlined
def _take(
    weights: IntArray,
    pairs: _Pairs,
    price: int,
    begin: int,
    end: int,
    level: int,
    some: int,
    taken: IntArray,
) -> None:
    """Count in the best set of an open pattern: terms above a level, `some` at it."""
    records, copies, worth = pairs.records, pairs.copies, pairs.worth
    # All copies of the terms above the level ...
    for i in range(begin, end):
        t = records[i]
        if weights[t] - price * worth[t] > level:
            taken[t] += copies[t]
    # ... and `some` of those at it.
    if some == 0:
        return
    for i in range(begin, end):
        t = records[i]
        if weights[t] - price * worth[t] == level:
            used = min(some, copies[t])
            some -= used
            taken[t] += used
            if some == 0:
                return


@compiled
def greatest(
    weights: IntArray, copies: IntArray, length: int, wanted: int
) -> tuple[int, int, int]:
    """Return least and sum of the `wanted` greatest, and how many equal the least.

    Counts copies. Reorders the first `length` weights and copies, `wanted` or more in
    all. Quickselect with ties set apart: linear time on average.
    """
    low, high = 0, length
    total = 0
    while True:
        # Weights before `low` are taken: they are greater than those up to `high`,
        # and sum up to the total. Weights from `high` on are less, and not taken.
        pivot = weights[(low + high) // 2]
        left, here, right = low, low, high
        above_sum = above = equal = 0
        while here < right:
            weight = weights[here]
            if weight > pivot:
                above_sum += weight * copies[here]
                above += copies[here]
                weights[here], weights[left] = weights[left], weight
                copies[here], copies[left] = copies[left], copies[here]
                left += 1
                here += 1
            elif weight < pivot:
                right -= 1
                weights[here], weights[right] = weights[right], weight
                copies[here], copies[right] = copies[right], copies[here]
            else:
                equal += copies[here]
                here += 1
        if above >= wanted:
            high = left
        elif above + equal >= wanted:
            some = wanted - above
            return pivot, total + above_sum + pivot * some, some
        else:
            total += above_sum + pivot * equal
            wanted -= above + equal
            low = right
