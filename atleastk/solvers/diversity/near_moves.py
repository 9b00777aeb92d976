"""Groups of near rows that keep their sensitive values apart, rearranged.

The moves of :mod:`~atleastk.solvers.k_anonymity.near_moves`: the groups of a row and of
near ones are freed, and their rows become groups again. Here a group grows until it
keeps what is asked for: the next row is the one that adds least to what its rows pay;
but if the group could not do with k rows otherwise, only one that makes good something
that is missing. Rows that are left over join the group where they cost least of those
that still keep everything with them; if there is none, the move is not made.

Groups of more rows than a move can free stay as they are. Time per move: O(free rows x
(columns + values) x new groups).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.diversity import failing
from atleastk.models.tables.pseudo_columns import prices_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.k_anonymity.near_moves import (
    Desk,
    Groups,
    Moves,
    Table,
    cell_of,
    commit,
    cool,
    desk_of,
    differs,
    free_near,
    grouped,
)
from atleastk.solvers.k_anonymity.nearness import add, least, near_records

_WIDEST: Final = 8
"""The most rows of a group that is freed, as a multiple of the fewest."""

_ROUNDS: Final = 3
_TRIES: Final = 10
"""Lists of near records, and draws of near groups with each, to mend a group; with each
list every row may cost one more column. What is dearer is better joined."""

_NEAR: Final = 32
_WINDOW: Final = 400
"""Records that are near, at least, and those compared with each: further away than for
moves, since the nearest often have the same sensitive values."""

_NEVER: Final = 2**62
"""The cost of groups that break a condition: above all costs there are."""


class _Values(NamedTuple):
    """The sensitive values of the rows, and what a group has to keep of them.

    Attributes
    ----------
    of_row, totals
        Values by row and sensitive column; how many rows of the table have each.
    n
        The rows of the table.
    different, share
        The least number of different values, and l if no value may have more than 1/l.
    reach
        By the rows of a group, how far its values may be from those of the table; -1 if
        it is too wide.
    close
        Whether that is asked for.
    """

    of_row: Int32Array
    totals: IntArray
    n: int
    different: int
    share: int
    reach: IntArray
    close: bool


class _Tally(NamedTuple):
    """The values of the free rows, numbered anew for each sensitive column.

    Attributes
    ----------
    number
        The new number of a value, -1 of one that no free row has.
    own, total, there
        The new numbers by slot; their totals; how many there are in each column.
    held
        How many rows of a new group have a value.
    """

    number: Int32Array
    own: Int32Array
    total: IntArray
    there: IntArray
    held: IntArray


class Rearranging:
    """Groups of near rows on their way.

    Attributes
    ----------
    groups
        The rows of all groups; some may break what is asked for until they are mended.
    """

    def __init__(
        self, instance: Diversity, plain: Records, groups: Sequence[Sequence[int]]
    ) -> None:
        k = instance.least_rows
        small = [group for group in groups if len(group) <= _WIDEST * k]
        self._large = [list(group) for group in groups if len(group) > _WIDEST * k]
        chosen = np.array([row for group in small for row in group], dtype=np.int64)
        self._records = records = Records.coded(plain.codes[plain.record_of[chosen]])
        labels = np.repeat(np.arange(len(small)), [len(group) for group in small])
        self._rows = chosen[records.rows]
        self._table = Table(
            records.codes,
            prices_of(instance).astype(np.int32),
            records.record_of[records.rows],
            np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64),
            plain.worth[plain.record_of[self._rows]],
            k,
        )
        self._state = grouped(self._table, labels[records.rows], _WIDEST * k)
        self._desk = desk_of(self._table, _WIDEST * k)
        room = len(self._desk.row), len(self._desk.size)
        self._values, self._tally = _valued(instance, self._rows, *room)
        self._instance = instance
        self.few = len(small) < 2 or not instance.totals

    def groups(self) -> list[list[int]]:
        """Return the rows of all groups as they stand."""
        return self._listed(self._state.home)

    def mend(self, budget: Budget) -> None:
        """Rearrange groups that break what is asked for, if near ones can help."""
        if self.few:
            return
        records, count = self._records, max(_NEAR, 2 * self._table.k)
        wrong = np.zeros(len(self._state.size), dtype=np.bool_)
        broken = failing(self._instance, self._state.home, self._rows)
        wrong[: len(broken)] = broken
        rng = np.random.default_rng(budget.seed)
        with budget.flagging() as flag:
            for dear in range(1, _ROUNDS + 1):
                order = rng.permutation(records.m)
                near = near_records(records, count, _WINDOW, order, budget)
                price = int(self._table.k * dear * cell_of(self._table))
                seed = int(rng.integers(2**31))
                _mend(*self._parts, near, wrong, price, seed, flag)

    def cool(
        self, budget: Budget, on_better: Callable[[list[list[int]]], object]
    ) -> None:
        """Rearrange groups that keep what is asked for; report better ones."""
        if self.few:
            return

        def make(near: Int32Array, moves: Moves, flag: ByteArray) -> int:
            return int(_anneal(*self._parts, near, moves, flag))

        cool(
            self._records,
            self._table,
            self._state,
            budget,
            make,
            lambda labels: on_better(self._listed(labels[self._records.rows])),
        )

    @property
    def _parts(self) -> tuple[Table, Groups, Desk, _Values, _Tally]:
        return self._table, self._state, self._desk, self._values, self._tally

    def _listed(self, home: IntArray) -> list[list[int]]:
        order = np.argsort(home, kind="stable")
        ends = np.flatnonzero(np.diff(home[order])) + 1
        parts = np.split(self._rows[order], ends) if len(order) else []
        return self._large + [part.tolist() for part in parts]


def _valued(
    instance: Diversity, rows: IntArray, room: int, most: int
) -> tuple[_Values, _Tally]:
    """Return the values of these rows, and room to count those of free ones."""
    columns = len(instance.totals)
    widest = max(map(len, instance.totals), default=0)
    totals = np.zeros((columns, widest), dtype=np.int64)
    for s, counts in enumerate(instance.totals):
        totals[s, : len(counts)] = counts
    reach = np.full(room + 1, -1, dtype=np.int64)
    for size in range(_WIDEST * instance.least_rows + 1):
        reach[size] = instance.reach(size)
    by_share = instance.reading == "frequency"
    values = _Values(
        np.ascontiguousarray(instance.values[rows]),
        totals,
        instance.n,
        min(instance.l, room + 1),
        min(instance.l, room + 1) if by_share else 1,
        reach,
        instance.t is not None,
    )
    tally = _Tally(
        np.full((columns, widest), -1, dtype=np.int32),
        np.empty((columns, room), dtype=np.int32),
        np.empty((columns, room), dtype=np.int64),
        np.zeros(columns, dtype=np.int64),
        np.zeros((most, columns, room), dtype=np.int64),
    )
    return values, tally


@compiled
def _mend(
    table: Table,
    groups: Groups,
    desk: Desk,
    values: _Values,
    tally: _Tally,
    near: Int32Array,
    wrong: BoolArray,
    price: int,
    seed: int,
    flag: ByteArray,
) -> None:
    """Free wrong groups with near ones; take what is right, at a price for each."""
    np.random.seed(seed)
    for g in range(len(wrong)):
        for _ in range(_TRIES):
            if not wrong[g] or flag[0] != 0:
                break
            u = groups.rows[g, int(np.random.random() * groups.size[g])]
            freed, free, old = free_near(u, table, groups, desk, near)
            _seat(free, table, desk, values, tally)
            found, new = _build(free, table, desk, values, tally)
            righted = 0
            for i in range(freed):
                righted += wrong[desk.freed[i]]
            if new - old <= price * righted:
                for i in range(freed):
                    wrong[desk.freed[i]] = False
                commit(freed, free, found, groups, desk)
            _forget(free, desk, values, tally)


@compiled
def _forget(free: int, desk: Desk, values: _Values, tally: _Tally) -> None:
    """Take back the new numbers of the values."""
    for s in range(len(tally.there)):
        for i in range(free):
            tally.number[s, values.of_row[desk.row[i], s]] = -1


@compiled
def _anneal(
    table: Table,
    groups: Groups,
    desk: Desk,
    values: _Values,
    tally: _Tally,
    near: Int32Array,
    moves: Moves,
    flag: ByteArray,
) -> int:
    """Make moves; return how many were made before the flag was raised."""
    np.random.seed(moves.seed)
    heat = moves.hot
    for move in range(moves.number):
        if move & 63 == 0:
            if flag[0] != 0:
                return move
            heat = moves.hot * (moves.cold / moves.hot) ** (move / moves.number)
        u = int(np.random.random() * len(groups.home))
        if groups.pays[groups.home[u]] == 0:
            continue
        freed, free, old = free_near(u, table, groups, desk, near)
        _seat(free, table, desk, values, tally)
        found, new = _build(free, table, desk, values, tally)
        growth = new - old
        if new < _NEVER and (
            growth <= 0 or np.random.random() < np.exp(-growth / heat)
        ):
            commit(freed, free, found, groups, desk)
        _forget(free, desk, values, tally)
    return moves.number


@compiled
def _seat(free: int, table: Table, desk: Desk, values: _Values, tally: _Tally) -> None:
    """Give every free row a slot at random, and number the values there are."""
    for i in range(free - 1, 0, -1):
        other = int(np.random.random() * (i + 1))
        desk.row[i], desk.row[other] = desk.row[other], desk.row[i]
    for i in range(free):
        t = table.record[desk.row[i]]
        for j in range(len(desk.seen)):
            desk.seen[j, i] = table.codes[t, j]
    for s in range(len(tally.there)):
        tally.there[s] = 0
        for i in range(free):
            value = values.of_row[desk.row[i], s]
            if tally.number[s, value] < 0:
                tally.number[s, value] = tally.there[s]
                tally.total[s, tally.there[s]] = values.totals[s, value]
                tally.there[s] += 1
            tally.own[s, i] = tally.number[s, value]


@compiled
def _build(
    free: int, table: Table, desk: Desk, values: _Values, tally: _Tally
) -> tuple[int, int]:
    """Build groups of the free rows; return how many, and what they cost."""
    live, found = free, 0
    while live >= table.k:
        left = _grow(live, found, table, desk, values, tally)
        if left < 0:
            break
        live = left
        found += 1
    for i in range(live):
        if not _join(i, found, table, desk, values, tally):
            return found, _NEVER
    cost = 0
    for g in range(found):
        cost += desk.worth[g] * desk.paid[g]
    return found, cost


@compiled
def _grow(
    live: int, found: int, table: Table, desk: Desk, values: _Values, tally: _Tally
) -> int:
    """Build one group of the first slots; return how many are left, -1 if it fails."""
    m, first = len(desk.seen), live
    desk.size[found], desk.worth[found], desk.paid[found] = 0, 0, 0
    for s in range(len(tally.there)):
        for v in range(tally.there[s]):
            tally.held[found, s, v] = 0
    # The last slot begins: rows are in random order.
    for i in range(live):
        desk.added[i] = 0
    for j in range(m):
        desk.value[found, j] = desk.seen[j, live - 1]
        desk.kept[found, j] = True
        add(desk.seen[j], desk.value[found, j], table.prices[j], live, desk.added)
    chosen = live - 1
    while chosen >= 0:
        if desk.added[chosen] > 0:
            for j in range(m):
                if differs(chosen, found, j, desk):
                    desk.kept[found, j] = False
                    price, value = table.prices[j], desk.value[found, j]
                    desk.paid[found] += price
                    add(desk.seen[j], value, -price, live, desk.added)
        live -= 1
        desk.target[live] = found
        desk.size[found] += 1
        desk.worth[found] += table.worth[desk.row[chosen]]
        _swap(chosen, live, desk, tally)
        for s in range(len(tally.there)):
            tally.held[found, s, tally.own[s, live]] += 1
        lack = _lack(found, values, tally, desk.size[found])
        if lack == 0 and desk.size[found] >= table.k:
            return live
        if live == 0:
            break
        if lack > 0 and desk.size[found] + lack >= table.k:
            chosen = _helping(live, found, desk, values, tally)
        else:
            chosen = least(desk.added, live)
    for i in range(live, first):
        desk.target[i] = -1
    return -1


@compiled
def _swap(i: int, other: int, desk: Desk, tally: _Tally) -> None:
    """Let two slots change places."""
    desk.row[i], desk.row[other] = desk.row[other], desk.row[i]
    desk.added[i], desk.added[other] = desk.added[other], desk.added[i]
    for j in range(len(desk.seen)):
        desk.seen[j, i], desk.seen[j, other] = desk.seen[j, other], desk.seen[j, i]
    for s in range(len(tally.own)):
        own = tally.own[s]
        own[i], own[other] = own[other], own[i]


@compiled
def _lack(g: int, values: _Values, tally: _Tally, size: int) -> int:
    """Return how many rows a group lacks at least to keep what is asked for."""
    lack = 0
    for s in range(len(tally.there)):
        different, most, apart = 0, 0, 0
        for v in range(tally.there[s]):
            held = tally.held[g, s, v]
            if held > 0:
                different += 1
                most = max(most, held)
                apart += max(0, values.n * held - tally.total[s, v] * size)
        lack = max(lack, values.different - different, values.share * most - size)
        if apart > values.reach[size]:
            lack = max(lack, 1)
    return lack


@compiled
def _helping(live: int, g: int, desk: Desk, values: _Values, tally: _Tally) -> int:
    """Return the cheapest slot whose row makes good something; -1 if none does."""
    chosen, size = -1, desk.size[g]
    for i in range(live):
        if chosen >= 0 and desk.added[i] >= desk.added[chosen]:
            continue
        for s in range(len(tally.there)):
            v = tally.own[s, i]
            held = tally.held[g, s, v]
            rare = values.close and values.n * held < tally.total[s, v] * size
            missing = held == 0 and values.different > 1
            even = values.share > 1 and values.share * held < size
            if missing or rare or even:
                chosen = i
    return chosen


@compiled
def _join(
    i: int, found: int, table: Table, desk: Desk, values: _Values, tally: _Tally
) -> bool:
    """Put the row of a slot into the new group where it costs least, if it may."""
    chosen, price, cheapest = -1, 0, _NEVER
    worth = table.worth[desk.row[i]]
    for g in range(found):
        more = 0
        for j in range(len(desk.seen)):
            if differs(i, g, j, desk):
                more += table.prices[j]
        cost = worth * (desk.paid[g] + more) + desk.worth[g] * more
        if cost < cheapest:
            for s in range(len(tally.there)):
                tally.held[g, s, tally.own[s, i]] += 1
            if _lack(g, values, tally, desk.size[g] + 1) == 0:
                chosen, price, cheapest = g, more, cost
            for s in range(len(tally.there)):
                tally.held[g, s, tally.own[s, i]] -= 1
    if chosen < 0:
        return False
    for j in range(len(desk.seen)):
        if differs(i, chosen, j, desk):
            desk.kept[chosen, j] = False
    for s in range(len(tally.there)):
        tally.held[chosen, s, tally.own[s, i]] += 1
    desk.paid[chosen] += price
    desk.size[chosen] += 1
    desk.worth[chosen] += worth
    desk.target[i] = chosen
    return True
