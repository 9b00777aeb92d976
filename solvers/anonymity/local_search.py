"""Local search on the rows of a table: compiled ruin and recreate, with annealing.

The state gives every row a closed pattern that it matches; an *open* pattern has at
least k rows, a closed one has none. One move

1. picks a row that pays and a pattern q that it matches, and *frees* the row's group
   and the groups of other rows that match q and pay no less than q asks; of a group
   of many rows only the rows that match, as long as k remain;
2. lists the closed patterns that free rows match and that cost no more than the
   cheapest open pattern of the row, its *refuge*; those with k free rows are
   candidates. In some moves all of this allows for the loss of a star;
3. opens candidates in the order of their stars plus noise, q mostly first, if that
   saves against the refuges; takes all rows that save, and fills up with those that
   lose least; the other rows go to their refuges;
4. is accepted if the cost does not grow, or else with probability exp(-growth / heat).

Steps 2 and 3 are APPROX-DR [ParkShim07] on a few dozen rows, thousands of times a
second. Time per move: O(free records x patterns listed for each).

References
----------
[ParkShim07] H. Park, K. Shim, "Approximate Algorithms for k-Anonymity", SIGMOD 2007.
[Schrimpf00] G. Schrimpf et al., "Record Breaking Optimization Results Using the Ruin
and Recreate Principle", 2000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.records import Records
from atleastk.models.patterns import Patterns
from atleastk.solvers.anonymity.assignment import Assignment, owned, patterns_of
from atleastk.solvers.compiled import compiled

__all__ = ["NONE", "Ground", "State", "greedy_start"]

IntArray = NDArray[np.int64]
Int32Array = NDArray[np.int32]
FlagArray = NDArray[np.uint8]

NONE = -1
"""No pattern, no row, no record."""

_MOST_GROUPS = 8
"""A move frees up to about so many times k rows ..."""
_MOST_TRIES = 60
"""... and looks at no more than so many records that match its pattern."""
_NOISE = 1.0
_FORCED = 0.9
_SEED_TRIES = 20
_LOSING = 0.25
"""In so many moves rows may lose a star by moving, and may come from cheaper groups."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What the search stands on: the patterns, the patterns of every record, the rows.

    Rows are numbered by record: those of t are ``rows[t]`` to ``rows[t + 1] - 1``.
    """

    patterns: Patterns
    records: Records
    k: int
    starts: IntArray
    listed: Int32Array
    rows: IntArray
    record: Int32Array

    @classmethod
    def of(cls, patterns: Patterns, records: Records, k: int) -> Ground:
        """Lay the ground."""
        starts, listed = owned(patterns, records.distinct)
        rows = np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64)
        every = np.arange(records.distinct, dtype=np.int32)
        record = np.repeat(every, records.copies)
        return cls(patterns, records, k, starts, listed, rows, record)

    def assignment(self, pattern: Int32Array) -> Assignment:
        """Return the assignment that gives every row its pattern."""
        ones = np.ones(len(pattern), dtype=np.int64)
        return Assignment.of(
            pattern.astype(np.int64), self.record.astype(np.int64), ones
        )

    def chosen(self, assignment: Assignment) -> Int32Array:
        """Return the pattern of every row, by what its group keeps.

        Groups of one pattern become one.
        """
        found = patterns_of(
            assignment, self.records, self.patterns, self.starts, self.listed
        )
        order = np.argsort(assignment.record, kind="stable")
        group = np.repeat(assignment.group[order], assignment.copies[order])
        return found[group].astype(np.int32)


def greedy_start(ground: Ground) -> Assignment:
    """Return the assignment of a greedy cover, in one pass over the pairs.

    By increasing stars, a pattern is opened for all uncovered rows that match it if
    they are k or more. Rows left over join their cheapest open pattern.
    """
    patterns = ground.patterns
    chosen = np.full(len(ground.record), NONE, dtype=np.int32)
    _cover(
        patterns.starts,
        patterns.records,
        ground.starts,
        ground.listed,
        ground.rows,
        ground.k,
        chosen,
    )
    return ground.assignment(chosen)


@compiled
def _cover(
    starts: IntArray,
    records: Int32Array,
    record_starts: IntArray,
    listed: Int32Array,
    rows: IntArray,
    k: int,
    chosen: Int32Array,
) -> None:
    """Choose a pattern for every row."""
    count = len(starts) - 1
    size = np.zeros(count, dtype=np.int64)
    for p in range(count):
        free = 0
        for i in range(starts[p], starts[p + 1]):
            t = records[i]
            if chosen[rows[t]] < 0:
                free += rows[t + 1] - rows[t]
        if free >= k:
            size[p] = free
            for i in range(starts[p], starts[p + 1]):
                t = records[i]
                if chosen[rows[t]] < 0:
                    chosen[rows[t] : rows[t + 1]] = p
    last = count - 1
    for t in range(len(rows) - 1):
        if chosen[rows[t]] < 0:
            home = last
            for i in range(record_starts[t], record_starts[t + 1]):
                if size[listed[i]] >= k:
                    home = listed[i]
                    break
            chosen[rows[t] : rows[t + 1]] = home
            size[home] += rows[t + 1] - rows[t]
    # Too few rows that nothing open matches: whole groups join them, costly ones first.
    p = last - 1
    while size[last] < k and p >= 0:
        if size[p] > 0:
            for u in range(len(chosen)):
                if chosen[u] == p:
                    chosen[u] = last
            size[last] += size[p]
            size[p] = 0
        if size[last] == 0:
            break
        p -= 1


class _Table(NamedTuple):
    """The arrays of a ground, for compiled loops."""

    stars: Int32Array
    starts: IntArray
    records: Int32Array
    record_starts: IntArray
    listed: Int32Array
    rows: IntArray
    record: Int32Array
    k: int


class _Homes(NamedTuple):
    """Which rows are where.

    ``first[p]`` is a row of pattern p; ``after`` and ``before`` chain the others to it.
    """

    pattern: Int32Array
    size: Int32Array
    first: Int32Array
    after: Int32Array
    before: Int32Array
    mine: Int32Array
    owner: FlagArray


class _Desk(NamedTuple):
    """Room to work on one move; between moves `held`, `left` and `is_free` are zero.

    ``held[p]`` counts the free rows that list the closed pattern p, ``left[t]`` the
    free rows of record t without a new home. The list of t ends at ``scanned[t]``; its
    free rows are chained from ``chain[t]`` by `next_free`. Entries are the new homes.
    """

    held: Int32Array
    key: NDArray[np.float64]
    candidates: Int32Array
    left: Int32Array
    chain: Int32Array
    refuge: Int32Array
    scanned: IntArray
    next_free: Int32Array
    is_free: FlagArray
    free: Int32Array
    free_records: Int32Array
    entry_record: Int32Array
    entry_copies: Int32Array
    entry_pattern: Int32Array


class State:
    """A pattern for every row, that moves change; may be a share of the table only.

    Attributes
    ----------
    pattern
        The pattern of every row, shared by all states of the same table.
    mine
        The rows of this share. All rows of a group are in the same share.
    """

    def __init__(self, ground: Ground, pattern: Int32Array, mine: Int32Array) -> None:
        patterns = ground.patterns
        count, rows, distinct = patterns.count, len(ground.record), len(ground.rows) - 1
        self.ground = ground
        self.pattern = pattern
        self.mine = mine
        owner = np.zeros(rows, dtype=np.uint8)
        owner[mine] = 1
        self._table = _Table(
            patterns.stars,
            patterns.starts,
            patterns.records,
            ground.starts,
            ground.listed,
            ground.rows,
            ground.record,
            ground.k,
        )
        self._homes = _Homes(
            pattern,
            np.bincount(pattern[mine], minlength=count).astype(np.int32),
            np.full(count, NONE, dtype=np.int32),
            np.full(rows, NONE, dtype=np.int32),
            np.full(rows, NONE, dtype=np.int32),
            mine,
            owner,
        )
        room = min(len(mine), (_MOST_GROUPS + 4) * ground.k + 8)
        self._desk = _Desk(
            held=np.zeros(count, dtype=np.int32),
            key=np.zeros(count, dtype=np.float64),
            candidates=np.empty(count, dtype=np.int32),
            left=np.zeros(distinct, dtype=np.int32),
            chain=np.full(distinct, NONE, dtype=np.int32),
            refuge=np.full(distinct, NONE, dtype=np.int32),
            scanned=np.zeros(distinct, dtype=np.int64),
            next_free=np.full(rows, NONE, dtype=np.int32),
            is_free=np.zeros(rows, dtype=np.uint8),
            free=np.empty(room, dtype=np.int32),
            free_records=np.empty(room, dtype=np.int32),
            entry_record=np.empty(2 * room, dtype=np.int32),
            entry_copies=np.empty(2 * room, dtype=np.int32),
            entry_pattern=np.empty(2 * room, dtype=np.int32),
        )
        _link(self._homes)

    @property
    def cost(self) -> int:
        """What the rows of this share pay."""
        return int(self.ground.patterns.stars[self.pattern[self.mine]].sum())

    def settle(self) -> int:
        """Move rows to cheaper open patterns where k remain; return what that saves."""
        return int(_settle(self._table, self._homes))

    def anneal(
        self, moves: int, hot: float, cold: float, seed: int, flag: FlagArray
    ) -> int:
        """Make moves while it cools from `hot` to `cold`; return how many were made.

        Fewer are made only if the flag is raised.
        """
        return int(
            _anneal(self._table, self._homes, self._desk, moves, hot, cold, seed, flag)
        )


@compiled
def _link(homes: _Homes) -> None:
    """Chain the rows of every pattern."""
    for u in homes.mine:
        _enter(u, homes.pattern[u], homes)


@compiled
def _enter(row: int, p: int, homes: _Homes) -> None:
    """Put a row at the head of a pattern's chain."""
    head = homes.first[p]
    homes.after[row] = head
    homes.before[row] = -1
    if head >= 0:
        homes.before[head] = row
    homes.first[p] = row


@compiled
def _leave(row: int, p: int, homes: _Homes) -> None:
    """Take a row out of a pattern's chain."""
    before, after = homes.before[row], homes.after[row]
    if before >= 0:
        homes.after[before] = after
    else:
        homes.first[p] = after
    if after >= 0:
        homes.before[after] = before


@compiled
def _settle(table: _Table, homes: _Homes) -> int:
    saved = 0
    for u in homes.mine:
        p = homes.pattern[u]
        if homes.size[p] <= table.k:
            continue
        t = table.record[u]
        for i in range(table.record_starts[t], table.record_starts[t + 1]):
            q = table.listed[i]
            if table.stars[q] >= table.stars[p]:
                break
            if homes.size[q] >= table.k:
                _leave(u, p, homes)
                _enter(u, q, homes)
                homes.pattern[u] = q
                homes.size[p] -= 1
                homes.size[q] += 1
                saved += table.stars[p] - table.stars[q]
                break
    return saved


@compiled
def _anneal(
    table: _Table,
    homes: _Homes,
    desk: _Desk,
    moves: int,
    hot: float,
    cold: float,
    seed: int,
    flag: FlagArray,
) -> int:
    np.random.seed(seed)
    heat = hot
    if len(homes.mine) == 0:
        return moves
    for move in range(moves):
        if move & 255 == 0:
            if flag[0] != 0:
                return move
            heat = hot * (cold / hot) ** (move / moves)
        row = _paying(table, homes)
        if row < 0:
            continue
        q = _aim(row, table, homes)
        loss = 1 if np.random.random() < _LOSING else 0
        freed, distinct, old = _ruin(row, q, loss, table, homes, desk)
        listed, candidates = _list(q, loss, distinct, table, homes, desk)
        entries, new = _recreate(loss, distinct, candidates, table, desk)
        growth = new - old
        if entries >= 0 and (
            growth <= 0 or np.random.random() < np.exp(-growth / heat)
        ):
            _commit(entries, homes, desk)
        else:
            for i in range(freed):
                u = desk.free[i]
                desk.is_free[u] = 0
                homes.size[homes.pattern[u]] += 1
        for i in range(listed):
            desk.held[desk.candidates[i]] = 0
        for i in range(distinct):
            desk.left[desk.free_records[i]] = 0
    return moves


@compiled
def _paying(table: _Table, homes: _Homes) -> int:
    """Return a random row that pays; NONE if a few tries find no one."""
    for _ in range(_SEED_TRIES):
        u = homes.mine[int(np.random.random() * len(homes.mine))]
        if table.stars[homes.pattern[u]] > 0:
            return int(u)
    return NONE


@compiled
def _aim(row: int, table: _Table, homes: _Homes) -> int:
    """Return a random pattern that the row matches and that asks no more of it."""
    t = table.record[row]
    most = table.stars[homes.pattern[row]]
    first = table.record_starts[t]
    low, high = first, table.record_starts[t + 1]
    while low < high:
        middle = (low + high) // 2
        if table.stars[table.listed[middle]] <= most:
            low = middle + 1
        else:
            high = middle
    return int(table.listed[first + int(np.random.random() * (low - first))])


@compiled
def _ruin(
    row: int, q: int, loss: int, table: _Table, homes: _Homes, desk: _Desk
) -> tuple[int, int, int]:
    """Free the row's group and others; return rows, distinct records, what they pay."""
    k = table.k
    whole = 2 * k + max(2, k // 2)
    goal = 1 + int(np.random.random() * k * _MOST_GROUPS)
    span = table.starts[q + 1] - table.starts[q]
    place = int(np.random.random() * span)
    looks = min(_MOST_TRIES, span)
    freed, distinct, paid = 0, 0, 0
    u = row
    while True:
        p = homes.pattern[u]
        if homes.size[p] <= whole:
            member = homes.first[p]
            while member >= 0:
                if desk.is_free[member] == 0:
                    distinct = _free(member, freed, distinct, table, homes, desk)
                    freed += 1
                    paid += table.stars[p]
                member = homes.after[member]
        elif homes.size[p] > k:
            distinct = _free(u, freed, distinct, table, homes, desk)
            freed += 1
            paid += table.stars[p]
        if freed >= goal:
            break
        found = False
        while looks > 0 and not found:
            looks -= 1
            t = table.records[table.starts[q] + place]
            place = place + 1 if place + 1 < span else 0
            copies = table.rows[t + 1] - table.rows[t]
            u = table.rows[t] + int(np.random.random() * copies)
            if homes.owner[u] != 0 and desk.is_free[u] == 0:
                found = table.stars[homes.pattern[u]] >= table.stars[q] - loss
        if not found:
            break
    return freed, distinct, paid


@compiled
def _free(
    row: int, freed: int, distinct: int, table: _Table, homes: _Homes, desk: _Desk
) -> int:
    """Free a row; return how many distinct records are free now."""
    desk.is_free[row] = 1
    desk.free[freed] = row
    homes.size[homes.pattern[row]] -= 1
    t = table.record[row]
    if desk.left[t] == 0:
        desk.free_records[distinct] = t
        desk.chain[t] = -1
        distinct += 1
    desk.left[t] += 1
    desk.next_free[row] = desk.chain[t]
    desk.chain[t] = row
    return distinct


@compiled
def _list(
    q: int, loss: int, distinct: int, table: _Table, homes: _Homes, desk: _Desk
) -> tuple[int, int]:
    """Find refuges; return how many closed patterns are listed, and the candidates."""
    listed = 0
    for i in range(distinct):
        t = desk.free_records[i]
        desk.refuge[t] = -1
        limit = table.stars[len(table.stars) - 1]
        place, end = table.record_starts[t], table.record_starts[t + 1]
        while place < end:
            p = table.listed[place]
            if table.stars[p] > limit:
                break
            if homes.size[p] >= table.k:
                if desk.refuge[t] < 0:
                    desk.refuge[t] = p
                    limit = table.stars[p] + loss
            else:
                if desk.held[p] == 0:
                    desk.candidates[listed] = p
                    listed += 1
                desk.held[p] += desk.left[t]
            place += 1
        desk.scanned[t] = place
    candidates = 0
    for i in range(listed):
        p = desk.candidates[i]
        if desk.held[p] >= table.k:
            desk.candidates[i] = desk.candidates[candidates]
            desk.candidates[candidates] = p
            candidates += 1
            desk.key[p] = table.stars[p] + _NOISE * np.random.random()
            if p == q and np.random.random() < _FORCED:
                desk.key[p] = -1.0
    return listed, candidates


@compiled
def _recreate(
    loss: int, distinct: int, candidates: int, table: _Table, desk: _Desk
) -> tuple[int, int]:
    """Find new homes for the free rows; return the number of entries and the cost.

    The number of entries is NONE if some row has no home.
    """
    entries, cost = 0, 0
    while True:
        best = -1
        i = 0
        while i < candidates:
            p = desk.candidates[i]
            if desk.held[p] < table.k:
                candidates -= 1
                desk.candidates[i] = desk.candidates[candidates]
                desk.candidates[candidates] = p
                continue
            if best < 0 or desk.key[p] < desk.key[desk.candidates[best]]:
                best = i
            i += 1
        if best < 0:
            break
        p = desk.candidates[best]
        candidates -= 1
        desk.candidates[best] = desk.candidates[candidates]
        desk.candidates[candidates] = p
        opened = _open(p, loss, entries, distinct, table, desk)
        for i in range(entries, opened):
            cost += desk.entry_copies[i] * table.stars[p]
        entries = opened
    for i in range(distinct):
        t = desk.free_records[i]
        if desk.left[t] > 0:
            refuge = desk.refuge[t]
            if refuge < 0:
                return -1, 0
            desk.entry_record[entries] = t
            desk.entry_copies[entries] = desk.left[t]
            desk.entry_pattern[entries] = refuge
            entries += 1
            cost += desk.left[t] * table.stars[refuge]
    return entries, cost


@compiled
def _open(
    p: int, loss: int, entries: int, distinct: int, table: _Table, desk: _Desk
) -> int:
    """Open a pattern if that saves; return the number of entries then."""
    worst = table.stars[len(table.stars) - 1] + 1
    taken, saved, end = 0, 0, entries
    for i in range(distinct):
        t = desk.free_records[i]
        if desk.left[t] == 0 or not _lists(t, p, table, desk):
            continue
        gain = worst if desk.refuge[t] < 0 else table.stars[desk.refuge[t]]
        gain -= table.stars[p]
        desk.entry_record[end] = t
        desk.entry_copies[end] = desk.left[t] if gain > 0 else 0
        desk.entry_pattern[end] = gain
        end += 1
        if gain > 0:
            taken += desk.left[t]
            saved += desk.left[t] * gain
    for lost in range(loss + 1):
        for i in range(entries, end):
            if taken < table.k and desk.entry_pattern[i] == -lost:
                filled = min(desk.left[desk.entry_record[i]], table.k - taken)
                desk.entry_copies[i] = filled
                taken += filled
                saved -= filled * lost
    if saved <= 0 or taken < table.k:
        return entries
    for i in range(entries, end):
        copies = desk.entry_copies[i]
        if copies > 0:
            t = desk.entry_record[i]
            desk.left[t] -= copies
            for place in range(table.record_starts[t], desk.scanned[t]):
                q = table.listed[place]
                if desk.held[q] > 0:
                    desk.held[q] -= copies
            desk.entry_record[entries] = t
            desk.entry_copies[entries] = copies
            desk.entry_pattern[entries] = p
            entries += 1
    return entries


@compiled
def _lists(t: int, p: int, table: _Table, desk: _Desk) -> bool:
    """Tell whether a free record lists a pattern."""
    low, end = table.record_starts[t], desk.scanned[t]
    high = end
    while low < high:
        middle = (low + high) // 2
        if table.listed[middle] < p:
            low = middle + 1
        else:
            high = middle
    return bool(low < end and table.listed[low] == p)


@compiled
def _commit(entries: int, homes: _Homes, desk: _Desk) -> None:
    """Bring the free rows to their new homes."""
    for i in range(entries):
        t, p = desk.entry_record[i], desk.entry_pattern[i]
        for _ in range(desk.entry_copies[i]):
            u = desk.chain[t]
            desk.chain[t] = desk.next_free[u]
            _leave(u, homes.pattern[u], homes)
            _enter(u, p, homes)
            homes.pattern[u] = p
            homes.size[p] += 1
            desk.is_free[u] = 0
