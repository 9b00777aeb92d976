"""Simulated annealing on groups of near rows, without a list of patterns.

The state is a partition into groups of k to 2k - 1 rows. One move of ruin and recreate
[Schrimpf00]

1. frees the group of a row that pays, and those of rows near to it: two to
   four groups;
2. builds groups of the free rows anew by the greedy algorithm of
   :mod:`~atleastk.solvers.tables.near_groups`, from random first rows; fewer than
   k rows are left over and join the new groups where they cost least;
3. is accepted with probability min(1, exp(-growth / heat)), growth being that of the
   cost.

Time per move: O(free rows x columns x new groups). Lists say which rows are near: for
every record the nearest of those that stand close in the sorted table. For larger
tables the lists are made anew now and then, with the columns in another order.

References
----------
[Schrimpf00] G. Schrimpf et al., "Record Breaking Optimization Results Using the Ruin
and Recreate Principle", 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.cooling import Cooling, Schedule
from atleastk.solvers.tables.nearness import (
    add,
    least,
    near_records,
    window_within,
)

_NEAR: Final = 12
_MOST_NEAR: Final = 32
"""Near records in the list of each record: 2k of them, within these bounds."""

_MOST_FREED: Final = 4
"""Groups that a move frees."""

_SCHEDULE: Final = Schedule(hot=2.0, cold=0.2, rounds=40, longest=2.0, patience=100)
"""Heats are in units of the average price of a column times the median worth of a
row."""

EFFORT: Final = 500
"""Moves per row at most."""

_TRIES: Final = 20
"""Random draws to find a row that pays, or another group to free."""

_LISTING: Final = 0.1
"""The share of the time for lists of near records."""

_LEAST_WINDOW: Final = 200
"""Records with which each record is compared, at least."""


class Table(NamedTuple):
    """The rows by record: those of record t are first[t] to first[t + 1] - 1.

    A row pays its `worth` times the prices of the columns on which its group is not
    constant.
    """

    codes: Int32Array  # [record, column]
    prices: Int32Array  # [column]
    record: IntArray  # [row]
    first: IntArray  # [record + 1]
    worth: IntArray  # [row]
    k: int


class Groups(NamedTuple):
    """The group of every row (`home`), and the rows of every group.

    A group has `size` rows, which are `worth` so much together; each of them `pays` so
    much per unit of its own worth. The `spare` groups, `spares` of them, are not in
    use.
    """

    home: IntArray  # [row]
    rows: IntArray  # [group, place]
    size: IntArray  # [group]
    worth: IntArray  # [group]
    pays: IntArray  # [group]
    spare: IntArray  # [place]
    spares: IntArray  # [1]


class Workspace(NamedTuple):
    """The groups that one move frees, and the groups that it builds of their rows.

    Slot i holds a free row: its codes are ``seen[:, i]``, its new group is
    ``target[i]``, and it would add ``added[i]`` to what each row of the group that is
    being built pays. A new group has the codes `value` in the columns in which it is
    `constant`.
    """

    freed: IntArray  # [place]
    row: IntArray  # [slot]
    target: IntArray  # [slot]
    seen: Int32Array  # [column, slot]
    added: Int32Array  # [slot]
    size: IntArray  # [new group]
    worth: IntArray  # [new group]
    paid: IntArray  # [new group]
    value: Int32Array  # [new group, column]
    constant: BoolArray  # [new group, column]


class Moves(NamedTuple):
    """The number of moves of a round, their first and last heat, and their seed."""

    number: int
    hot: float
    cold: float
    seed: int


Make = Callable[[Int32Array, Moves, ByteArray], int]
"""Makes moves among near records until a flag is raised; returns their number."""


def regroup(
    records: Records,
    k: int,
    labels: IntArray,
    budget: Budget,
    on_better: Callable[[IntArray], object],
    prices: IntArray | None = None,
    effort: int = EFFORT,
) -> IntArray:
    """Return the best groups found, never dearer than those of these labels.

    Groups of 2k rows or more are split before. It cools once, over the time there is or
    over `effort` moves per row, whichever ends first.

    Parameters
    ----------
    on_better
        Receives the labels of better solutions on the way.
    """
    rows = records.rows
    price = np.ones(records.m, dtype=np.int64) if prices is None else prices
    record = records.record_of[rows]
    first = np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64)
    worth = records.worth[record]
    table = Table(records.codes, price.astype(np.int32), record, first, worth, k)
    groups = grouped(table, split(labels[rows], k), 2 * k - 1)
    work = workspace_of(table, 2 * k - 1)

    def make(near: Int32Array, moves: Moves, flag: ByteArray) -> int:
        return int(_anneal(table, groups, work, near, *moves, flag))

    return anneal(records, table, groups, budget, make, on_better, effort)


def anneal(
    records: Records,
    table: Table,
    groups: Groups,
    budget: Budget,
    make: Make,
    on_better: Callable[[IntArray], object],
    effort: int = EFFORT,
    cost_of: Callable[[Groups], int] | None = None,
) -> IntArray:
    """Make moves while it cools; return the labels of the best groups on the way.

    They are the best at the cost that the moves minimise: by default what the rows pay.
    """
    rows, cost_of = records.rows, cost_of or _cost
    best, cost = groups.home.copy(), cost_of(groups)
    rng = np.random.default_rng(budget.seed)
    cooling = Cooling(_SCHEDULE, records.n, effort * records.n, budget.deadline)
    window = _window(records, cooling.span)
    count = min(_MOST_NEAR, max(_NEAR, 2 * table.k))
    near, cell = None, cell_of(table)

    def labels() -> IntArray:
        found = np.empty_like(best)
        found[rows] = best
        return found

    with budget.flagging() as flag:
        while not cooling.over and not budget.spent and cost > 0:
            if near is None or window < records.distinct:
                order = rng.permutation(records.m)
                near = near_records(records, count, window, order, budget)
            hot, cold = cooling.heats(cooling.moves)
            seed = int(rng.integers(2**31))
            began = CLOCK.now()
            moves = Moves(cooling.moves, cell * hot, cell * cold, seed)
            cooling.advance(make(near, moves, flag), CLOCK.now() - began)
            reached = cost_of(groups)
            if reached < cost:
                best, cost = groups.home.copy(), reached
                on_better(labels())
    return labels()


def _window(records: Records, span: float) -> int:
    """Return how many records are compared with each: all if there is time for it."""
    distinct, m = records.distinct, records.m
    if window_within(distinct, m, distinct, _LISTING * span) == distinct:
        return distinct
    length = _LISTING * _SCHEDULE.round_seconds(span)
    return max(_LEAST_WINDOW, window_within(distinct, m, distinct, length))


def cell_of(table: Table) -> float:
    """Return the average price of a column, times the median worth of a row."""
    price = table.prices.sum() / max(1, len(table.prices))
    return float(price * np.median(table.worth))


def split(group: IntArray, k: int) -> IntArray:
    """Split groups into groups of k to 2k - 1 rows, numbered without gaps, in order."""
    order = np.argsort(group, kind="stable")
    _, opened, sizes = np.unique(group[order], return_index=True, return_counts=True)
    parts = np.maximum(1, sizes // k)
    size, part = np.repeat(sizes, sizes), np.repeat(parts, sizes)
    place = np.arange(len(group)) - np.repeat(opened, sizes)
    number = np.repeat(np.cumsum(parts) - parts, sizes) + place * part // size
    split = np.empty_like(group)
    split[order] = number
    return split


def grouped(table: Table, home: IntArray, widest: int) -> Groups:
    """Return groups of k to `widest` rows from labels without gaps."""
    n, k = len(home), table.k
    most = n // k
    sizes = np.bincount(home, minlength=most).astype(np.int64)
    worth = np.zeros(most, dtype=np.int64)
    np.add.at(worth, home, table.worth)
    order = np.argsort(home, kind="stable")
    starts = np.cumsum(sizes) - sizes
    place = np.arange(n) - starts[home[order]]
    rows = np.full((most, widest), -1, dtype=np.int64)
    rows[home[order], place] = order
    used = int(home.max(initial=-1)) + 1
    spare = np.concatenate((np.arange(used, most), np.zeros(used, dtype=np.int64)))
    groups = Groups(
        home.copy(),
        rows,
        sizes,
        worth,
        np.zeros(most, dtype=np.int64),
        spare,
        np.array([most - used], dtype=np.int64),
    )
    _pay(table, groups)
    return groups


def workspace_of(table: Table, widest: int) -> Workspace:
    """Return room for a move that frees groups of at most `widest` rows."""
    k, m = table.k, table.codes.shape[1]
    room = _MOST_FREED * widest
    most = room // k
    return Workspace(
        freed=np.empty(most, dtype=np.int64),
        row=np.empty(room, dtype=np.int64),
        target=np.empty(room, dtype=np.int64),
        seen=np.empty((m, room), dtype=np.int32),
        added=np.empty(room, dtype=np.int32),
        size=np.empty(most, dtype=np.int64),
        worth=np.empty(most, dtype=np.int64),
        paid=np.empty(most, dtype=np.int64),
        value=np.empty((most, m), dtype=np.int32),
        constant=np.empty((most, m), dtype=np.bool_),
    )


def _cost(groups: Groups) -> int:
    return int(groups.pays @ groups.worth)


@compiled
def _pay(table: Table, groups: Groups) -> None:
    for g in range(len(groups.size)):
        groups.pays[g] = 0
        for j in range(table.codes.shape[1]):
            for i in range(1, groups.size[g]):
                one, other = groups.rows[g, 0], groups.rows[g, i]
                if (
                    table.codes[table.record[one], j]
                    != table.codes[table.record[other], j]
                ):
                    groups.pays[g] += table.prices[j]
                    break


@compiled
def _anneal(
    table: Table,
    groups: Groups,
    work: Workspace,
    near: Int32Array,
    moves: int,
    hot: float,
    cold: float,
    seed: int,
    flag: ByteArray,
) -> int:
    """Make moves; return how many were made before the flag was raised."""
    np.random.seed(seed)
    heat = hot
    for move in range(moves):
        if move & 63 == 0:
            if flag[0] != 0:
                return move
            heat = hot * (cold / hot) ** (move / moves)
        u = paying_row(groups)
        freed, free, old = free_near(u, table, groups, work, near)
        found, new = rebuild(free, table, work)
        growth = new - old
        if growth <= 0 or np.random.random() < np.exp(-growth / heat):
            commit(freed, free, found, groups, work)
    return moves


@compiled
def paying_row(groups: Groups) -> int:
    """Draw a row that pays, or any row if none is found in a few draws."""
    u = -1
    for _ in range(_TRIES):
        u = int(np.random.random() * len(groups.home))
        if groups.pays[groups.home[u]] > 0:
            break
    return u


@compiled
def free_near(
    u: int, table: Table, groups: Groups, work: Workspace, near: Int32Array
) -> tuple[int, int, int]:
    """Free the groups of a row and of near ones; return groups, rows and their cost."""
    goal = 2 + int(np.random.random() * (_MOST_FREED - 1))
    freed, free, old = 0, 0, 0
    v = u
    for _ in range(_TRIES):
        g = groups.home[v]
        known = False
        for i in range(freed):
            known = known or work.freed[i] == g
        if not known:
            work.freed[freed] = g
            freed += 1
            for i in range(groups.size[g]):
                work.row[free] = groups.rows[g, i]
                free += 1
            old += groups.worth[g] * groups.pays[g]
        if freed == goal:
            break
        # The next group is one of a row near to this one, or to another free row.
        v = u
        if np.random.random() < 0.3:
            v = work.row[int(np.random.random() * free)]
        place = int(np.random.random() * np.random.random() * near.shape[1])
        t = near[table.record[v], place]
        if t >= 0:
            copies = table.first[t + 1] - table.first[t]
            v = table.first[t] + int(np.random.random() * copies)
    return freed, free, old


@compiled
def rebuild(free: int, table: Table, work: Workspace) -> tuple[int, int]:
    """Build groups of the free rows; return their number and their cost."""
    k, m = table.k, len(work.seen)
    # The free rows get slots in random order.
    for i in range(free - 1, 0, -1):
        other = int(np.random.random() * (i + 1))
        work.row[i], work.row[other] = work.row[other], work.row[i]
    for i in range(free):
        t = table.record[work.row[i]]
        for j in range(m):
            work.seen[j, i] = table.codes[t, j]
    live, found = free, 0
    while live >= k:
        # The last slot begins a group; `added` is what the others would add to it.
        chosen = live - 1
        work.size[found], work.worth[found], work.paid[found] = k, 0, 0
        work.added[:live] = 0
        for j in range(m):
            work.value[found, j] = work.seen[j, chosen]
            work.constant[found, j] = True
            add(work.seen[j], work.value[found, j], table.prices[j], live, work.added)
        # The row that adds least joins and leaves the slots, k - 1 times.
        for step in range(k):
            if step > 0:
                chosen = least(work.added, live)
            if work.added[chosen] > 0:
                for j in range(m):
                    if differs(chosen, found, j, work):
                        work.constant[found, j] = False
                        price, value = table.prices[j], work.value[found, j]
                        work.paid[found] += price
                        add(work.seen[j], value, -price, live, work.added)
            live -= 1
            work.worth[found] += table.worth[work.row[chosen]]
            work.target[live] = found
            work.row[chosen], work.row[live] = work.row[live], work.row[chosen]
            work.added[chosen] = work.added[live]
            for j in range(m):
                work.seen[j, chosen] = work.seen[j, live]
        found += 1
    # Fewer than k rows are left over; each joins the new group where it costs least.
    for i in range(live):
        _join_cheapest(i, found, table, work)
    cost = 0
    for g in range(found):
        cost += work.worth[g] * work.paid[g]
    return found, cost


@compiled
def _join_cheapest(i: int, found: int, table: Table, work: Workspace) -> None:
    chosen, price, cheapest = 0, 0, np.int64(2**62)
    worth = table.worth[work.row[i]]
    for g in range(found):
        more = 0
        for j in range(len(work.seen)):
            if differs(i, g, j, work):
                more += table.prices[j]
        cost = worth * (work.paid[g] + more) + work.worth[g] * more
        if cost < cheapest:
            chosen, price, cheapest = g, more, cost
    for j in range(len(work.seen)):
        if differs(i, chosen, j, work):
            work.constant[chosen, j] = False
    work.paid[chosen] += price
    work.size[chosen] += 1
    work.worth[chosen] += worth
    work.target[i] = chosen


@compiled
def differs(i: int, g: int, j: int, work: Workspace) -> bool:
    """Tell whether a slot and a group differ in a column that the group shares."""
    return bool(work.constant[g, j] and work.seen[j, i] != work.value[g, j])


@compiled
def commit(freed: int, free: int, found: int, groups: Groups, work: Workspace) -> None:
    """Replace the groups that were freed by the new ones."""
    for i in range(freed):
        groups.size[work.freed[i]], groups.worth[work.freed[i]] = 0, 0
        groups.spare[groups.spares[0]] = work.freed[i]
        groups.spares[0] += 1
    for i in range(found):
        groups.spares[0] -= 1
        g = groups.spare[groups.spares[0]]
        work.freed[i] = g
        groups.pays[g], groups.worth[g] = work.paid[i], work.worth[i]
    for i in range(free):
        g = work.freed[work.target[i]]
        groups.rows[g, groups.size[g]] = work.row[i]
        groups.size[g] += 1
        groups.home[work.row[i]] = g
