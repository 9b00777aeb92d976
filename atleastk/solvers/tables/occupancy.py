"""Occupancy: how many copies of each record every pattern has; sub-tables of it.

A solution gives every pattern at least k rows in all, or none. A *sub-table* takes rows
out, whole groups or what a large group can spare, and asks for the best arrangement of
these rows while all else stays: a row may join any pattern that still has k rows, of
which the cheapest, its *refuge*, is enough; or rows open patterns together.

A pattern is left out if, of all the rows of the sub-table that match it, no choice of k
or more saves against their refuges: in any arrangement they might as well go there.

Several sub-tables may be out at the same time. The rows that one has taken are in no
pattern. The patterns that it took them from, or counts on as refuges, are *guarded*:
others leave them open, so the rows can also go back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.local_search_state import Table
from atleastk.solvers.tables.pattern_index import PatternIndex

_SEEDS = 4
"""Records drawn for a seed: the one that pays most above its weight is taken."""

_BRANCHES = 12
"""The most records of a pattern whose groups are looked at."""

_ANY = 2**62
"""The gain of a row without a refuge: above all costs there are."""

_DEAD_ENDS = 30
"""Consecutive attempts that take out no row before the selection ends: not tuned."""


class SubTable(NamedTuple):
    """Rows that were taken out, and how they may be arranged."""

    pair: IntArray  # what was taken, and how many copies, [entry]
    copies: IntArray  # [entry]
    records: Records  # the records of these rows, as a table of their own
    refuge: IntArray  # the pair of a record with its refuge, or -1, [record]
    patterns: Patterns  # those that may be opened, of these records
    option: IntArray  # their pairs among all, [pair of `patterns`]

    @property
    def offered(self) -> IntArray:
        """The pairs that rows may join, and then those of refuges."""
        return np.concatenate((self.option, self.refuge))


@dataclass(frozen=True, slots=True, eq=False)
class Occupancy:
    """How many copies every pair has, and how many rows every pattern."""

    patterns: Patterns
    records: Records
    excess: FloatArray
    """What each pair's record pays there above its weight; guides the choice of
    rows."""
    held: IntArray
    size: IntArray
    guards: IntArray
    """`held`, `size`, `guards`: copies by pair; rows by pattern; by pattern how many
    sub-tables count on it."""
    _lists: Table
    _pair: IntArray  # [pair, by record]

    @classmethod
    def of(
        cls,
        patterns: Patterns,
        records: Records,
        k: int,
        weights: FloatArray,
        held: IntArray,
    ) -> Occupancy:
        """Return the occupancy with these copies of every pair."""
        index = PatternIndex.of(patterns, records, k)
        pattern = patterns.pattern
        size = np.bincount(pattern, weights=held, minlength=patterns.count)
        paid = patterns.stars[pattern] * records.worth[patterns.records]
        return cls(
            patterns,
            records,
            paid - weights[patterns.records],
            held.copy(),
            size.astype(np.int64),
            np.zeros(patterns.count, dtype=np.int64),
            index.table,
            np.argsort(patterns.records, kind="stable"),
        )

    def assignment(self, out: Iterable[SubTable] = ()) -> Assignment:
        """Return the solution, with sub-tables that are out as they were before."""
        held = self.held.copy()
        for table in out:
            np.add.at(held, table.pair, table.copies)
        some = np.flatnonzero(held)
        record = self.patterns.records[some].astype(np.int64)
        return Assignment.of(self._pattern_of(some), record, held[some])

    def take(self, rows: int, seed: int) -> SubTable:
        """Take out about `rows` related rows; all if the table has no more."""
        if rows >= self.records.n:
            pair = np.flatnonzero(self.held)
            copies = self.held[pair]
            self.held[:] = 0
            self.size[:] = 0
        else:
            state = self.held, self.size, self.guards, self.excess
            pair, copies = _take(self._lists, self._pair, *state, rows, seed)
        record, place = np.unique(self.patterns.records[pair], return_inverse=True)
        supply = np.zeros(len(record), dtype=np.int64)
        np.add.at(supply, place, copies)
        refuge, option = _arrange(self._lists, self._pair, self.size, record, supply)
        few = self.records.apart(record.astype(np.int64), supply)
        opened = self._opened(option, record)
        table = SubTable(pair, copies, few, refuge, opened, option)
        self._guard(table, 1)
        return table

    def _opened(self, option: IntArray, record: Int32Array) -> Patterns:
        """Return the patterns of some pairs, and their places among some records."""
        whole, owner = self.patterns, self._pattern_of(option)
        opened, starts = np.unique(owner, return_index=True)
        return replace(
            whole,
            stars=whole.stars[opened],
            kept=whole.kept[opened],
            support=whole.support[opened],
            starts=np.append(starts, len(option)),
            records=np.searchsorted(record, whole.records[option]).astype(np.int32),
        )

    def put(self, table: SubTable, pair: IntArray, copies: IntArray) -> None:
        """Put the rows of a sub-table back, as they were or rearranged."""
        self._guard(table, -1)
        np.add.at(self.held, pair, copies)
        np.add.at(self.size, self._pattern_of(pair), copies)

    def paid_in(self, pair: IntArray) -> IntArray:
        """Return what a row pays in each of some pairs."""
        stars = self.patterns.stars[self._pattern_of(pair)]
        return np.asarray(stars * self.records.worth[self.patterns.records[pair]])

    def _pattern_of(self, pair: IntArray) -> IntArray:
        found: IntArray = np.searchsorted(self.patterns.starts, pair, "right") - 1
        return found

    def _guard(self, table: SubTable, change: int) -> None:
        pair = np.concatenate((table.refuge[table.refuge >= 0], table.pair))
        np.add.at(self.guards, self._pattern_of(pair), change)


@compiled
def _take(
    lists: Table,
    pair_of: IntArray,
    held: IntArray,
    size: IntArray,
    guards: IntArray,
    excess: FloatArray,
    goal: int,
    seed: int,
) -> tuple[IntArray, IntArray]:
    """Take related rows out of their patterns; return pairs and copies."""
    np.random.seed(seed)
    k = lists.k
    whole = 2 * k + max(2, k // 2)
    room = goal + 2 * whole
    pair = np.empty(room, dtype=np.int64)
    copies = np.empty(room, dtype=np.int64)
    count, rows, failed = 0, 0, 0
    t = _seed(pair_of, held, excess, lists)
    while rows < goal and failed < _DEAD_ENDS and t >= 0:
        # A pattern of the record at hand, and some records that match it, too.
        before = rows
        first, last = lists.record_starts[t], lists.record_starts[t + 1]
        q = lists.listed[first + int(np.random.random() * (last - first))]
        span = lists.starts[q + 1] - lists.starts[q]
        place = int(np.random.random() * span)
        for look in range(min(span, _BRANCHES) + 1):
            if look > 0:
                place = place + 1 if place + 1 < span else 0
                r = lists.records[lists.starts[q] + place]
            else:
                r = t
            # The groups of each: a small one as a whole, of others what they spare.
            for i in range(lists.record_starts[r], lists.record_starts[r + 1]):
                e = pair_of[i]
                p = lists.listed[i]
                if held[e] == 0 or size[p] < k or rows >= goal:
                    continue
                if size[p] <= whole and guards[p] == 0:
                    begin, end, spare = lists.starts[p], lists.starts[p + 1], size[p]
                else:
                    begin, end, spare = e, e + 1, min(size[p] - k, 2 * k)
                for f in range(begin, end):
                    taken = min(held[f], spare)
                    if taken > 0:
                        pair[count], copies[count] = f, taken
                        count += 1
                        held[f] -= taken
                        size[p] -= taken
                        spare -= taken
                        rows += taken
        # It goes on at a record that was taken, or anew after a dead end.
        failed = failed + 1 if rows == before else 0
        if count > 0 and failed == 0:
            t = lists.records[pair[int(np.random.random() * count)]]
        else:
            t = _seed(pair_of, held, excess, lists)
    return pair[:count].copy(), copies[:count].copy()


@compiled
def _seed(pair_of: IntArray, held: IntArray, excess: FloatArray, lists: Table) -> int:
    """Return a record that pays much more than its weight somewhere."""
    best, most = -1, -np.inf
    for _ in range(_SEEDS):
        t = int(np.random.random() * (len(lists.record_starts) - 1))
        for i in range(lists.record_starts[t], lists.record_starts[t + 1]):
            e = pair_of[i]
            if held[e] > 0 and excess[e] > most:
                best, most = t, excess[e]
    return best


@compiled
def _arrange(
    lists: Table,
    pair_of: IntArray,
    size: IntArray,
    record: Int32Array,
    supply: IntArray,
) -> tuple[IntArray, IntArray]:
    """Return the refuge of each record, and the pairs that are worth deciding on."""
    k = lists.k
    refuge = np.full(len(record), -1, dtype=np.int64)
    asked = np.zeros(len(record), dtype=np.int64)
    total = 0
    # The refuge is the first open pattern, whatever it asks of a row.
    for i in range(len(record)):
        t = record[i]
        for j in range(lists.record_starts[t], lists.record_starts[t + 1]):
            p = lists.listed[j]
            if size[p] >= k:
                refuge[i], asked[i] = pair_of[j], lists.stars[p]
                break
        total += lists.record_starts[t + 1] - lists.record_starts[t]
    # The pairs of closed patterns, sorted by pattern.
    closed = np.empty(total, dtype=np.int64)
    member = np.empty(total, dtype=np.int64)
    entry = np.empty(total, dtype=np.int64)
    count = 0
    for i in range(len(record)):
        t = record[i]
        for j in range(lists.record_starts[t], lists.record_starts[t + 1]):
            if size[lists.listed[j]] < k:
                closed[count], member[count] = lists.listed[j], i
                entry[count] = pair_of[j]
                count += 1
    order = np.argsort(entry[:count])
    # Patterns that may save are opened: their pairs stay, in the same order.
    option = np.empty(count, dtype=np.int64)
    used, begin = 0, 0
    while begin < count:
        p = closed[order[begin]]
        end = begin
        rows = 0
        while end < count and closed[order[end]] == p:
            rows += supply[member[order[end]]]
            end += 1
        if rows >= k:
            gains = np.empty(end - begin, dtype=np.int64)
            for i in range(begin, end):
                u = member[order[i]]
                gains[i - begin] = _ANY
                if refuge[u] >= 0:
                    gain = asked[u] - lists.stars[p]
                    gains[i - begin] = gain * lists.worth[record[u]]
            # All rows that save go there, and those that lose least up to k; it may
            # save anything if one has no refuge.
            saved, needed = 0, k
            for i in np.argsort(-gains):
                if gains[i] == _ANY:
                    saved = _ANY
                    break
                rows = supply[member[order[begin + i]]]
                if gains[i] <= 0:
                    rows = min(rows, needed)
                saved += rows * gains[i]
                needed = max(0, needed - rows)
            if saved > 0:
                for i in range(begin, end):
                    option[used] = entry[order[i]]
                    used += 1
        begin = end
    return refuge, option[:used].copy()
