"""Simulated annealing on groups of near rows that satisfy a condition.

The moves of :mod:`~atleastk.solvers.tables.near_moves`: the groups of a row and of
near ones are freed, and new groups are built of their rows. Here a group grows until it
satisfies the condition on sensitive values: the next row is the one that adds least to
what its rows pay; but if the group could not end with k rows otherwise, only one that
reduces what is lacking. Rows that are left over join the group where they cost least of
those that still satisfy the condition with them; if there is none, the move is
rejected.

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
from atleastk.solvers.tables.near_moves import (
    Groups,
    Moves,
    Table,
    Workspace,
    anneal,
    cell_of,
    commit,
    differs,
    free_near,
    grouped,
    workspace_of,
)
from atleastk.solvers.tables.nearness import add, least, near_records

_WIDEST: Final = 8
"""The most rows of a group that is freed, as a multiple of the fewest."""

_ROUNDS: Final = 3
_TRIES: Final = 10
"""Lists of near records, and draws of near groups with each, to repair a group; with
each list every row may cost one more column. Beyond that, merging costs less."""

_NEAR: Final = 32
_WINDOW: Final = 400
"""Near records, at least, and those compared with each: more than for moves, since the
nearest often have the same sensitive values."""

_NEVER: Final = 2**62
"""The cost of groups that break a condition: above all costs there are."""


class _Values(NamedTuple):
    """The sensitive values of the rows, and the condition on those of a group.

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
        Whether there is a condition on closeness.
    """

    of_row: Int32Array  # [row, sensitive column]
    totals: IntArray  # [sensitive column, value]
    n: int
    different: int
    share: int
    reach: IntArray  # [size]
    close: bool


class _Tally(NamedTuple):
    """The values of the free rows, numbered anew for each sensitive column.

    Attributes
    ----------
    number
        The new number of a value, -1 if no free row has it.
    own, total, there
        The new numbers by slot; their totals; how many there are in each column.
    held
        How many rows of a new group have a value.
    """

    number: Int32Array  # [sensitive column, value]
    own: Int32Array  # [sensitive column, slot]
    total: IntArray  # [sensitive column, number]
    there: IntArray  # [sensitive column]
    held: IntArray  # [new group, sensitive column, number]


class Rearrangement:
    """Groups of near rows while moves change them; some may break the condition.

    Groups of too many rows are left out.
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
        self._work = workspace_of(self._table, _WIDEST * k)
        room = len(self._work.row), len(self._work.size)
        self._values, self._tally = _valued(instance, self._rows, *room)
        self._instance = instance
        self.few = len(small) < 2 or not instance.totals

    def groups(self) -> list[list[int]]:
        """Return the rows of all groups as they are now."""
        return self._listed(self._state.home)

    def repair(self, budget: Budget) -> None:
        """Rearrange groups that break the condition, if near ones can help."""
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
                _repair(*self._parts, near, wrong, price, seed, flag)

    def anneal(
        self, budget: Budget, on_better: Callable[[list[list[int]]], object]
    ) -> None:
        """Anneal groups that satisfy the condition; report better ones."""
        if self.few:
            return

        def make(near: Int32Array, moves: Moves, flag: ByteArray) -> int:
            return int(_anneal(*self._parts, near, moves, flag))

        anneal(
            self._records,
            self._table,
            self._state,
            budget,
            make,
            lambda labels: on_better(self._listed(labels[self._records.rows])),
        )

    @property
    def _parts(self) -> tuple[Table, Groups, Workspace, _Values, _Tally]:
        return self._table, self._state, self._work, self._values, self._tally

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
def _repair(
    table: Table,
    groups: Groups,
    work: Workspace,
    values: _Values,
    tally: _Tally,
    near: Int32Array,
    wrong: BoolArray,
    price: int,
    seed: int,
    flag: ByteArray,
) -> None:
    """Free failing groups and near ones; accept repairs up to a price for each."""
    np.random.seed(seed)
    for g in range(len(wrong)):
        for _ in range(_TRIES):
            if not wrong[g] or flag[0] != 0:
                break
            u = groups.rows[g, int(np.random.random() * groups.size[g])]
            freed, free, old = free_near(u, table, groups, work, near)
            _fill_slots(free, table, work, values, tally)
            found, new = _build(free, table, work, values, tally)
            righted = 0
            for i in range(freed):
                righted += wrong[work.freed[i]]
            if new - old <= price * righted:
                for i in range(freed):
                    wrong[work.freed[i]] = False
                commit(freed, free, found, groups, work)
            _clear_numbers(free, work, values, tally)


@compiled
def _clear_numbers(free: int, work: Workspace, values: _Values, tally: _Tally) -> None:
    for s in range(len(tally.there)):
        for i in range(free):
            tally.number[s, values.of_row[work.row[i], s]] = -1


@compiled
def _anneal(
    table: Table,
    groups: Groups,
    work: Workspace,
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
        freed, free, old = free_near(u, table, groups, work, near)
        _fill_slots(free, table, work, values, tally)
        found, new = _build(free, table, work, values, tally)
        # Accepted with probability min(1, exp(-growth / heat)).
        growth = new - old
        if new < _NEVER and (
            growth <= 0 or np.random.random() < np.exp(-growth / heat)
        ):
            commit(freed, free, found, groups, work)
        _clear_numbers(free, work, values, tally)
    return moves.number


@compiled
def _fill_slots(
    free: int, table: Table, work: Workspace, values: _Values, tally: _Tally
) -> None:
    """Give every free row a slot at random, and number the values there are."""
    for i in range(free - 1, 0, -1):
        other = int(np.random.random() * (i + 1))
        work.row[i], work.row[other] = work.row[other], work.row[i]
    for i in range(free):
        t = table.record[work.row[i]]
        for j in range(len(work.seen)):
            work.seen[j, i] = table.codes[t, j]
    for s in range(len(tally.there)):
        tally.there[s] = 0
        for i in range(free):
            value = values.of_row[work.row[i], s]
            if tally.number[s, value] < 0:
                tally.number[s, value] = tally.there[s]
                tally.total[s, tally.there[s]] = values.totals[s, value]
                tally.there[s] += 1
            tally.own[s, i] = tally.number[s, value]


@compiled
def _build(
    free: int, table: Table, work: Workspace, values: _Values, tally: _Tally
) -> tuple[int, int]:
    """Build groups of the free rows; return their number and their cost."""
    live, found = free, 0
    while live >= table.k:
        left = _grow(live, found, table, work, values, tally)
        if left < 0:
            break
        live = left
        found += 1
    for i in range(live):
        if not _join(i, found, table, work, values, tally):
            return found, _NEVER
    cost = 0
    for g in range(found):
        cost += work.worth[g] * work.paid[g]
    return found, cost


@compiled
def _grow(
    live: int, found: int, table: Table, work: Workspace, values: _Values, tally: _Tally
) -> int:
    """Build one group of the first slots; return how many are left, -1 if it fails."""
    m, first = len(work.seen), live
    work.size[found], work.worth[found], work.paid[found] = 0, 0, 0
    for s in range(len(tally.there)):
        for v in range(tally.there[s]):
            tally.held[found, s, v] = 0
    # The last slot begins: rows are in random order.
    for i in range(live):
        work.added[i] = 0
    for j in range(m):
        work.value[found, j] = work.seen[j, live - 1]
        work.constant[found, j] = True
        add(work.seen[j], work.value[found, j], table.prices[j], live, work.added)
    # One slot after the other joins, until the group satisfies the condition.
    chosen = live - 1
    while chosen >= 0:
        if work.added[chosen] > 0:
            for j in range(m):
                if differs(chosen, found, j, work):
                    work.constant[found, j] = False
                    price, value = table.prices[j], work.value[found, j]
                    work.paid[found] += price
                    add(work.seen[j], value, -price, live, work.added)
        live -= 1
        work.target[live] = found
        work.size[found] += 1
        work.worth[found] += table.worth[work.row[chosen]]
        _swap(chosen, live, work, tally)
        for s in range(len(tally.there)):
            tally.held[found, s, tally.own[s, live]] += 1
        lack = _lacking(found, values, tally, work.size[found])
        if lack == 0 and work.size[found] >= table.k:
            return live
        if live == 0:
            break
        # The next row has to help if the group would exceed k rows otherwise.
        if lack > 0 and work.size[found] + lack >= table.k:
            chosen = _cheapest_helpful(live, found, work, values, tally)
        else:
            chosen = least(work.added, live)
    for i in range(live, first):
        work.target[i] = -1
    return -1


@compiled
def _swap(i: int, other: int, work: Workspace, tally: _Tally) -> None:
    work.row[i], work.row[other] = work.row[other], work.row[i]
    work.added[i], work.added[other] = work.added[other], work.added[i]
    for j in range(len(work.seen)):
        work.seen[j, i], work.seen[j, other] = work.seen[j, other], work.seen[j, i]
    for s in range(len(tally.own)):
        own = tally.own[s]
        own[i], own[other] = own[other], own[i]


@compiled
def _lacking(g: int, values: _Values, tally: _Tally, size: int) -> int:
    """Return how many rows a group lacks, at least, to satisfy the condition."""
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
def _cheapest_helpful(
    live: int, g: int, work: Workspace, values: _Values, tally: _Tally
) -> int:
    """Return the cheapest slot whose row reduces what is lacking; -1 if none does."""
    chosen, size = -1, work.size[g]
    for i in range(live):
        if chosen >= 0 and work.added[i] >= work.added[chosen]:
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
    i: int, found: int, table: Table, work: Workspace, values: _Values, tally: _Tally
) -> bool:
    """Put the row of a slot into the new group where it costs least, if it may join."""
    # The cheapest group that still satisfies the condition with the row.
    chosen, price, cheapest = -1, 0, _NEVER
    worth = table.worth[work.row[i]]
    for g in range(found):
        more = 0
        for j in range(len(work.seen)):
            if differs(i, g, j, work):
                more += table.prices[j]
        cost = worth * (work.paid[g] + more) + work.worth[g] * more
        if cost < cheapest:
            for s in range(len(tally.there)):
                tally.held[g, s, tally.own[s, i]] += 1
            if _lacking(g, values, tally, work.size[g] + 1) == 0:
                chosen, price, cheapest = g, more, cost
            for s in range(len(tally.there)):
                tally.held[g, s, tally.own[s, i]] -= 1
    if chosen < 0:
        return False
    # The row is added to it.
    for j in range(len(work.seen)):
        if differs(i, chosen, j, work):
            work.constant[chosen, j] = False
    for s in range(len(tally.there)):
        tally.held[chosen, s, tally.own[s, i]] += 1
    work.paid[chosen] += price
    work.size[chosen] += 1
    work.worth[chosen] += worth
    work.target[i] = chosen
    return True
