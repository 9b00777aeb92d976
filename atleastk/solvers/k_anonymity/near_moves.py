"""Groups of near rows, rearranged: annealing without a list of patterns.

The state is a partition into groups of k to 2k - 1 rows. One move

1. frees the group of a row that pays, and those of rows near to it: two to four groups;
2. builds groups of the free rows anew by the greedy of
   :mod:`~atleastk.solvers.k_anonymity.near_groups`, from random first rows; less than k
   rows are left over and join the new groups where they cost least;
3. is accepted if the cost does not grow, or else with probability exp(-growth / heat).

Time per move: O(free rows x columns x new groups). Rows that are near come from lists:
for every record the nearest of those that stand close in the sorted table; of larger
tables the columns are sorted by in another order now and then, with other lists.

References
----------
[Schrimpf00] G. Schrimpf et al., "Record Breaking Optimization Results Using the Ruin
and Recreate Principle", 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isinf
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.k_anonymity.nearness import (
    add,
    least,
    near_records,
    window_within,
)

_NEAR: Final = 12
_MOST_NEAR: Final = 32
"""Records that are known to be near, for each record; twice k in between."""

_MOST_FREED: Final = 4
"""Groups that a move frees."""

_HOT: Final = 2.0
_COLD: Final = 0.2
"""Heats at first and at last, in cells of average price and median worth."""

_PATIENT: Final = 100
"""Moves a row for which all the heat pays; with fewer it begins cooler."""

EFFORT: Final = 500
"""Moves a row at most."""

_ROUNDS: Final = 40
"""Rounds until it is cold, at least; better solutions are reported in between."""

_LONGEST: Final = 2.0
"""Seconds of a round at most."""

_FIRST_MOVES: Final = 2_000
"""Moves until their speed is measured."""

_FEWEST_MOVES: Final = 100
"""Moves between two looks at the clock, at least."""

_TRIES: Final = 20
"""Draws for a row that pays, or for another group to free."""

_LISTING: Final = 0.1
"""The share of the time for lists of near records."""

_LEAST_WINDOW: Final = 200
"""Records that are compared with each record, at least."""


class Table(NamedTuple):
    """The rows by record: those of record t are first[t] to first[t + 1] - 1.

    A row pays its `worth` times the prices of the columns that it gives up.
    """

    codes: Int32Array
    prices: Int32Array
    record: IntArray
    first: IntArray
    worth: IntArray
    k: int


class Groups(NamedTuple):
    """The group of every row, and the rows of every group.

    There are `size` of them, `worth` so much together, and each `pays` so much for
    every unit of its own worth. Groups that are not in use are `spare`, `spares` of
    them.
    """

    home: IntArray
    rows: IntArray
    size: IntArray
    worth: IntArray
    pays: IntArray
    spare: IntArray
    spares: IntArray


class Desk(NamedTuple):
    """Room to work on one move. Slot i holds a free row, column by column."""

    freed: IntArray
    row: IntArray
    target: IntArray
    seen: Int32Array
    added: Int32Array
    size: IntArray
    worth: IntArray
    paid: IntArray
    value: Int32Array
    kept: BoolArray


class Moves(NamedTuple):
    """How many moves to make: from hot to cold, and with what seed."""

    number: int
    hot: float
    cold: float
    seed: int


Make = Callable[[Int32Array, Moves, ByteArray], int]
"""Makes moves among near records until a flag is raised; returns how many it made."""


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

    Groups of 2k rows or more are split. Cools once, over the time there is or over so
    many moves a row, whichever ends first.

    Parameters
    ----------
    on_better
        Gets the labels of better solutions on the way.
    """
    rows = records.rows
    price = np.ones(records.m, dtype=np.int64) if prices is None else prices
    record = records.record_of[rows]
    first = np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64)
    worth = records.worth[record]
    table = Table(records.codes, price.astype(np.int32), record, first, worth, k)
    groups = grouped(table, split(labels[rows], k), 2 * k - 1)
    desk = desk_of(table, 2 * k - 1)

    def make(near: Int32Array, moves: Moves, flag: ByteArray) -> int:
        return int(_anneal(table, groups, desk, near, *moves, flag))

    return cool(records, table, groups, budget, make, on_better, effort)


def cool(
    records: Records,
    table: Table,
    groups: Groups,
    budget: Budget,
    make: Make,
    on_better: Callable[[IntArray], object],
    effort: int = EFFORT,
    cost_of: Callable[[Groups], int] | None = None,
) -> IntArray:
    """Make moves from hot to cold; return the labels of the best groups there were.

    The best are those that pay least, unless moves count another cost.
    """
    rows, cost_of = records.rows, cost_of or _cost
    best, cost = groups.home.copy(), cost_of(groups)
    rng = np.random.default_rng(budget.seed)
    began = CLOCK.now()
    span = budget.deadline - began
    window, count = _window(records, span), min(_MOST_NEAR, max(_NEAR, 2 * table.k))
    near, cell = None, cell_of(table)
    most, made, moves, cooled, hot = effort * records.n, 0, _FIRST_MOVES, 0.0, _COLD

    def told() -> IntArray:
        labels = np.empty_like(best)
        labels[rows] = best
        return labels

    with budget.flagging() as flag:
        while cooled < 1.0 and not budget.spent and cost > 0:
            if near is None or window < records.distinct:
                order = rng.permutation(records.m)
                near = near_records(records, count, window, order, budget)
            moves_began = CLOCK.now()
            then = max(cooled, (made + moves) / most)
            heats = cell * _heat(hot, cooled), cell * _heat(hot, then)
            seed = int(rng.integers(2**31))
            made += max(1, make(near, Moves(moves, *heats, seed), flag))
            reached = cost_of(groups)
            now = CLOCK.now()
            if reached < cost:
                best, cost = groups.home.copy(), reached
                on_better(told())
            cooled = max(made / most, (now - began) / max(span, 1e-9))
            rate = moves / max(1e-6, now - moves_began)
            expected = min(most - made, rate * (began + span - now)) / records.n
            hot = max(hot, _COLD + (_HOT - _COLD) * min(1.0, expected / _PATIENT))
            moves = most // _ROUNDS
            if not isinf(span):
                moves = min(moves, int(rate * min(_LONGEST, span / _ROUNDS)))
            moves = max(_FEWEST_MOVES, moves)
    return told()


def _window(records: Records, span: float) -> int:
    """Return how many records are compared with each: all if there is time for it."""
    distinct, m = records.distinct, records.m
    if window_within(distinct, m, distinct, _LISTING * span) == distinct:
        return distinct
    length = _LISTING * min(_LONGEST, span / _ROUNDS)
    return max(_LEAST_WINDOW, window_within(distinct, m, distinct, length))


def cell_of(table: Table) -> float:
    """Return the average price of a column, times the median worth of a row."""
    price = table.prices.sum() / max(1, len(table.prices))
    return float(price * np.median(table.worth))


def _heat(hot: float, progress: float) -> float:
    return float(hot * (_COLD / hot) ** min(1.0, progress))


def split(group: IntArray, k: int) -> IntArray:
    """Return groups of k to 2k - 1 rows, numbered without gaps; rows stay in order."""
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
    """Return groups of at least k and at most so many rows, numbered without gaps."""
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


def desk_of(table: Table, widest: int) -> Desk:
    """Return room for a move that frees groups of at most so many rows."""
    k, m = table.k, table.codes.shape[1]
    room = _MOST_FREED * widest
    most = room // k
    return Desk(
        freed=np.empty(most, dtype=np.int64),
        row=np.empty(room, dtype=np.int64),
        target=np.empty(room, dtype=np.int64),
        seen=np.empty((m, room), dtype=np.int32),
        added=np.empty(room, dtype=np.int32),
        size=np.empty(most, dtype=np.int64),
        worth=np.empty(most, dtype=np.int64),
        paid=np.empty(most, dtype=np.int64),
        value=np.empty((most, m), dtype=np.int32),
        kept=np.empty((most, m), dtype=np.bool_),
    )


def _cost(groups: Groups) -> int:
    return int(groups.pays @ groups.worth)


@compiled
def _pay(table: Table, groups: Groups) -> None:
    """Find what the rows of every group pay."""
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
    desk: Desk,
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
        freed, free, old = free_near(u, table, groups, desk, near)
        found, new = rebuild(free, table, desk)
        growth = new - old
        if growth <= 0 or np.random.random() < np.exp(-growth / heat):
            commit(freed, free, found, groups, desk)
    return moves


@compiled
def paying_row(groups: Groups) -> int:
    """Draw a row that pays, or any if none is found soon."""
    u = -1
    for _ in range(_TRIES):
        u = int(np.random.random() * len(groups.home))
        if groups.pays[groups.home[u]] > 0:
            break
    return u


@compiled
def free_near(
    u: int, table: Table, groups: Groups, desk: Desk, near: Int32Array
) -> tuple[int, int, int]:
    """Free groups of a row and near ones; return groups, rows, and what they pay."""
    goal = 2 + int(np.random.random() * (_MOST_FREED - 1))
    freed, free, old = 0, 0, 0
    v = u
    for _ in range(_TRIES):
        g = groups.home[v]
        known = False
        for i in range(freed):
            known = known or desk.freed[i] == g
        if not known:
            desk.freed[freed] = g
            freed += 1
            for i in range(groups.size[g]):
                desk.row[free] = groups.rows[g, i]
                free += 1
            old += groups.worth[g] * groups.pays[g]
        if freed == goal:
            break
        # The next group is one of a row near to this one, or to another free row.
        v = u
        if np.random.random() < 0.3:
            v = desk.row[int(np.random.random() * free)]
        place = int(np.random.random() * np.random.random() * near.shape[1])
        t = near[table.record[v], place]
        if t >= 0:
            copies = table.first[t + 1] - table.first[t]
            v = table.first[t] + int(np.random.random() * copies)
    return freed, free, old


@compiled
def rebuild(free: int, table: Table, desk: Desk) -> tuple[int, int]:
    """Build groups of the free rows; return how many, and what they cost."""
    k, m = table.k, len(desk.seen)
    for i in range(free - 1, 0, -1):
        other = int(np.random.random() * (i + 1))
        desk.row[i], desk.row[other] = desk.row[other], desk.row[i]
    for i in range(free):
        t = table.record[desk.row[i]]
        for j in range(m):
            desk.seen[j, i] = table.codes[t, j]
    live, found = free, 0
    while live >= k:
        chosen = live - 1
        desk.size[found], desk.worth[found], desk.paid[found] = k, 0, 0
        desk.added[:live] = 0
        for j in range(m):
            desk.value[found, j] = desk.seen[j, chosen]
            desk.kept[found, j] = True
            add(desk.seen[j], desk.value[found, j], table.prices[j], live, desk.added)
        for step in range(k):
            if step > 0:
                chosen = least(desk.added, live)
            if desk.added[chosen] > 0:
                for j in range(m):
                    if differs(chosen, found, j, desk):
                        desk.kept[found, j] = False
                        price, value = table.prices[j], desk.value[found, j]
                        desk.paid[found] += price
                        add(desk.seen[j], value, -price, live, desk.added)
            live -= 1
            desk.worth[found] += table.worth[desk.row[chosen]]
            desk.target[live] = found
            desk.row[chosen], desk.row[live] = desk.row[live], desk.row[chosen]
            desk.added[chosen] = desk.added[live]
            for j in range(m):
                desk.seen[j, chosen] = desk.seen[j, live]
        found += 1
    for i in range(live):
        _join_cheapest(i, found, table, desk)
    cost = 0
    for g in range(found):
        cost += desk.worth[g] * desk.paid[g]
    return found, cost


@compiled
def _join_cheapest(i: int, found: int, table: Table, desk: Desk) -> None:
    """Put the row of a slot into the new group where it costs least."""
    chosen, price, cheapest = 0, 0, np.int64(2**62)
    worth = table.worth[desk.row[i]]
    for g in range(found):
        more = 0
        for j in range(len(desk.seen)):
            if differs(i, g, j, desk):
                more += table.prices[j]
        cost = worth * (desk.paid[g] + more) + desk.worth[g] * more
        if cost < cheapest:
            chosen, price, cheapest = g, more, cost
    for j in range(len(desk.seen)):
        if differs(i, chosen, j, desk):
            desk.kept[chosen, j] = False
    desk.paid[chosen] += price
    desk.size[chosen] += 1
    desk.worth[chosen] += worth
    desk.target[i] = chosen


@compiled
def differs(i: int, g: int, j: int, desk: Desk) -> bool:
    """Tell whether a column that a new group keeps has another value in a slot."""
    return bool(desk.kept[g, j] and desk.seen[j, i] != desk.value[g, j])


@compiled
def commit(freed: int, free: int, found: int, groups: Groups, desk: Desk) -> None:
    """Put the new groups in the place of those that were freed."""
    for i in range(freed):
        groups.size[desk.freed[i]], groups.worth[desk.freed[i]] = 0, 0
        groups.spare[groups.spares[0]] = desk.freed[i]
        groups.spares[0] += 1
    for i in range(found):
        groups.spares[0] -= 1
        g = groups.spare[groups.spares[0]]
        desk.freed[i] = g
        groups.pays[g], groups.worth[g] = desk.paid[i], desk.worth[i]
    for i in range(free):
        g = desk.freed[desk.target[i]]
        groups.rows[g, groups.size[g]] = desk.row[i]
        groups.size[g] += 1
        groups.home[desk.row[i]] = g
