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
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.listed_table import ListedTable

_SEEDS: Final = 4
"""Records drawn for a seed: the one that pays most above its weight is taken."""

_BRANCHES: Final = 12
"""The most records of a pattern whose groups are looked at."""

_DEAD_ENDS: Final = 30
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
    k: int
    excess: FloatArray
    """What each pair's record pays there above its weight; guides the choice of
    rows."""
    held: IntArray  # copies, [pair]
    size: IntArray  # rows, [pattern]
    guards: IntArray  # how many sub-tables count on it, [pattern]
    _pattern: IntArray  # [pair]
    _pairs: list[IntArray]  # the pairs of each record, the cheapest first

    @classmethod
    def of(cls, table: ListedTable, weights: FloatArray, held: IntArray) -> Occupancy:
        """Return the occupancy with these copies of every pair."""
        patterns, records = table.patterns, table.records
        pattern, record = patterns.pattern, patterns.records
        size = np.bincount(pattern, weights=held, minlength=patterns.count)
        each = np.bincount(record, minlength=records.distinct)
        return cls(
            patterns,
            records,
            table.k,
            patterns.stars[pattern] * records.worth[record] - weights[record],
            held.copy(),
            size.astype(np.int64),
            np.zeros(patterns.count, dtype=np.int64),
            pattern,
            np.split(np.argsort(record, kind="stable"), np.cumsum(each)[:-1]),
        )

    def assignment(self, out: Iterable[SubTable] = ()) -> Assignment:
        """Return the solution, with sub-tables that are out as they were before."""
        held = self.held.copy()
        for table in out:
            np.add.at(held, table.pair, table.copies)
        some = np.flatnonzero(held)
        record = self.patterns.records[some].astype(np.int64)
        return Assignment.of(self._pattern[some], record, held[some])

    def take(self, rows: int, seed: int) -> SubTable:
        """Take out about `rows` related rows; all if the table has no more."""
        if rows >= self.records.n:
            pair = np.flatnonzero(self.held)
            copies = self.held[pair]
            self.held[:] = 0
            self.size[:] = 0
        else:
            pair, copies = self._related(rows, np.random.default_rng(seed))
        record, place = np.unique(self.patterns.records[pair], return_inverse=True)
        supply = np.zeros(len(record), dtype=np.int64)
        np.add.at(supply, place, copies)
        refuge, option = self._arranged(record, supply)
        few = self.records.apart(record.astype(np.int64), supply)
        opened = self._opened(option, record)
        table = SubTable(pair, copies, few, refuge, opened, option)
        self._guard(table, 1)
        return table

    def put(self, table: SubTable, pair: IntArray, copies: IntArray) -> None:
        """Put the rows of a sub-table back, as they were or rearranged."""
        self._guard(table, -1)
        np.add.at(self.held, pair, copies)
        np.add.at(self.size, self._pattern[pair], copies)

    def paid_in(self, pair: IntArray) -> IntArray:
        """Return what a row pays in each of some pairs."""
        stars = self.patterns.stars[self._pattern[pair]]
        return np.asarray(stars * self.records.worth[self.patterns.records[pair]])

    def _guard(self, table: SubTable, change: int) -> None:
        pair = np.concatenate((table.refuge[table.refuge >= 0], table.pair))
        np.add.at(self.guards, self._pattern[pair], change)

    def _related(
        self, goal: int, rng: np.random.Generator
    ) -> tuple[IntArray, IntArray]:
        """Take related rows out of their patterns; return pairs and copies."""
        pairs, copies = [np.empty((2, 0), dtype=np.int64)], 0
        failed, t = 0, self._seed(rng)
        while copies < goal and failed < _DEAD_ENDS:
            # A pattern of the record at hand, and some records that match it, too.
            matching = self.patterns.matching(self._pattern[rng.choice(self._pairs[t])])
            near = np.roll(matching, rng.integers(len(matching)))[:_BRANCHES]
            before = copies
            pairs_near = np.concatenate([self._pairs[r] for r in (t, *near)])
            for pair in pairs_near[self.held[pairs_near] > 0]:
                if self.held[pair] and copies < goal:
                    pairs.append(self._freed_at(pair))
                    copies += int(pairs[-1][1].sum())
            # It goes on at a record that was taken, or anew after a dead end.
            failed = failed + 1 if copies == before else 0
            t = self._seed(rng)
            if copies and not failed:
                t = self.patterns.records[rng.choice(np.hstack(pairs)[0])]
        found: IntArray = np.hstack(pairs)
        return found[0], found[1]

    def _seed(self, rng: np.random.Generator) -> int:
        """Return a record that pays much more than its weight somewhere."""
        drawn = rng.integers(self.records.distinct, size=_SEEDS)
        pairs = np.concatenate([self._pairs[t] for t in drawn])
        excess = np.where(self.held[pairs] > 0, self.excess[pairs], -np.inf)
        return int(self.patterns.records[pairs[excess.argmax()]])

    def _freed_at(self, pair: int) -> IntArray:
        """Take the rows of a small group, or what a large one spares of a record.

        Returns pairs and copies.
        """
        p, k, pairs = self._pattern[pair], self.k, np.array([pair])
        whole = k <= self.size[p] <= 2 * k + max(2, k // 2)
        spare = np.clip(self.size[p] - k, 0, 2 * k)
        if whole and not self.guards[p]:
            pairs, spare = np.arange(*self.patterns.starts[p : p + 2]), self.size[p]
        copies = np.minimum(self.held[pairs], spare)
        pairs, copies = pairs[copies > 0], copies[copies > 0]
        self.held[pairs] -= copies
        self.size[p] -= copies.sum()
        return np.stack((pairs, copies))

    def _arranged(
        self, record: Int32Array, supply: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Return the refuge of each record, and the pairs worth deciding on."""
        none: IntArray = np.empty(0, dtype=np.int64)
        pair = np.sort(np.concatenate([none, *(self._pairs[t] for t in record)]))
        member = np.searchsorted(record, self.patterns.records[pair])
        kept = self.size[self._pattern[pair]] >= self.k
        refuge = np.full(len(record), -1, dtype=np.int64)
        safe, first = np.unique(member[kept], return_index=True)
        refuge[safe] = pair[kept][first]
        # Closed patterns: the rows that gain most come first, those without a refuge.
        pair, member = pair[~kept], member[~kept]
        pattern, lost = self._pattern[pair], refuge[member] < 0
        gain = np.where(lost, 0, self.paid_in(refuge[member]) - self.paid_in(pair))
        order = np.lexsort((-gain, pattern))
        rows, gain, lost = supply[member[order]], gain[order], lost[order]
        begins = np.flatnonzero(np.diff(pattern, prepend=-1))
        lengths = np.diff(np.append(begins, len(pair)))
        before = np.cumsum(rows) - rows
        before -= np.repeat(before[begins], lengths)
        # All rows that save go there, and those that lose least up to k.
        taken = np.where(gain > 0, rows, np.clip(self.k - before, 0, rows))
        saves = np.add.reduceat(taken * gain, begins) > 0
        saves |= np.logical_or.reduceat(lost, begins)
        opened = saves & (np.add.reduceat(rows, begins) >= self.k)
        return refuge, pair[np.repeat(opened, lengths)]

    def _opened(self, option: IntArray, record: Int32Array) -> Patterns:
        """Return the patterns of some pairs, and their places among some records."""
        whole = self.patterns
        opened, starts = np.unique(self._pattern[option], return_index=True)
        return replace(
            whole,
            stars=whole.stars[opened],
            kept=whole.kept[opened],
            support=whole.support[opened],
            starts=np.append(starts, len(option)),
            records=np.searchsorted(record, whole.records[option]).astype(np.int32),
        )
