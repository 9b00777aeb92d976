"""Simulated annealing on groups of near rows, without a list of patterns.

The state is a partition into groups of k rows and more. One move of ruin and recreate
[Schrimpf00]

1. frees the group of a row that pays, and those of rows near to it: two to
   four groups;
2. builds groups of the free rows anew, from random first rows: the row that adds least
   to what a row of its group pays joins; rows that are left over join the new groups
   where they cost least;
3. is accepted with probability min(1, exp(-growth / heat)), growth being that of the
   cost.

Groups may have to keep a condition on sensitive values
(:mod:`~atleastk.solvers.tables.conditions`). Then a group grows until it does: the next
row is the one that adds least; but if the group could not end with k rows otherwise,
only one that reduces what is lacking. Rows left over join groups that still keep the
condition with them; if there is none, the move is rejected.

Or the cost is that of padded columns, or what is suppressed has ceilings
(:mod:`~atleastk.solvers.tables.column_stars`); only the third step looks at these. What
is not asked for is None: the loops are compiled for each kind of question, without the
branches of the others.

Time per move: O(free rows x (columns + values) x new groups). Lists say which rows are
near: for every record the nearest of those that stand close in the sorted table. For
larger tables the lists are made anew now and then, with the columns in another order.

References
----------
[Schrimpf00] G. Schrimpf et al., "Record Breaking Optimization Results Using the Ruin
and Recreate Principle", 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.column_stars import (
    Ceilings,
    Order,
    Stars,
    accept,
    move_stars,
    padded_cost,
    stars_of,
    stays_below,
)
from atleastk.solvers.tables.conditions import (
    Condition,
    Sensitive,
    admits,
    cheapest_helpful,
    clear_counts,
    clear_numbers,
    count_row,
    fill_slot,
    lacking,
    number_values,
)
from atleastk.solvers.tables.cooling import Cooling, Moves, Schedule, heat_at
from atleastk.solvers.tables.near_state import (
    MOST_FREED,
    Groups,
    Table,
    Workspace,
    differs,
    grouped,
    room_of,
    split,
    table_of,
    workspace_of,
)
from atleastk.solvers.tables.nearness import (
    add,
    least,
    near_records,
    window_within,
)
from atleastk.solvers.tables.ruin_and_recreate_moves import TRIES

_NEAR: Final = 12
_MOST_NEAR: Final = 32
"""Near records in the list of each record: 2k of them, within these bounds."""

_SCHEDULE: Final = Schedule(hot=2.0, cold=0.2, rounds=40, longest=2.0, patience=100)
"""Heats are in units of the average price of a column times the median worth of a
row."""

EFFORT: Final = 500
"""Moves per row at most."""

_WIDEST: Final = 8
"""The most rows of a group that keeps a condition, as a multiple of the fewest: larger
ones are not freed."""

_LISTING: Final = 0.1
"""The share of the time for lists of near records."""

_LEAST_WINDOW: Final = 200
"""Records with which each record is compared, at least."""

NEVER: Final = 2**62
"""The cost of groups that break a condition: above all costs there are."""


def regroup(
    records: Records,
    k: int,
    labels: IntArray,
    budget: Budget,
    on_better: Callable[[IntArray], object],
    effort: int = EFFORT,
    order: Order | None = None,
    ceilings: Ceilings | None = None,
    asked: Sensitive | None = None,
) -> IntArray:
    """Return the best groups found, never dearer than those of these labels.

    It cools once, over the time there is or over `effort` moves per row, whichever ends
    first. With an order the cost is that of padded columns. Groups below ceilings stay
    below them; those that keep a condition go on to do so. Labels of better groups are
    reported on the way.
    """
    table, groups, condition = state_of(records, k, labels, asked)
    stars = None if order is None and ceilings is None else stars_of(table, groups)
    work = workspace_of(table, groups.rows.shape[1])
    best, cost = groups.home.copy(), _cost(groups, stars, order)
    rng = np.random.default_rng(budget.seed)
    cooling = Cooling(_SCHEDULE, records.n, effort * records.n, budget.deadline)
    window = _window(records, cooling.span)
    count = min(_MOST_NEAR, max(_NEAR, 2 * k))
    near, cell = None, records.cell

    def found() -> IntArray:
        labels = np.empty_like(best)
        labels[records.rows] = best
        return labels

    with budget.flagging() as flag:
        while not cooling.over and not budget.spent and cost > 0:
            if near is None or window < records.distinct:
                columns = rng.permutation(records.m)
                near = near_records(records, count, window, columns, budget)
            hot, cold = cooling.heats(cooling.moves)
            seed = int(rng.integers(2**31))
            began = CLOCK.now()
            moves = Moves(cooling.moves, cell * hot, cell * cold, seed)
            wishes = condition, stars, order, ceilings
            made = _anneal(table, groups, work, *wishes, near, moves, flag)
            cooling.advance(made, CLOCK.now() - began)
            reached = _cost(groups, stars, order)
            if reached < cost:
                best, cost = groups.home.copy(), reached
                on_better(found())
    return found()


def state_of(
    records: Records, k: int, labels: IntArray, asked: Sensitive | None = None
) -> tuple[Table, Groups, Condition | None]:
    """Return the rows, their groups, and the condition that these have to keep.

    Groups of 2k rows or more are split, unless a condition is asked for: then they have
    at most `_WIDEST` times k.
    """
    table, home = table_of(records, k), labels[records.rows]
    if asked is None:
        return table, grouped(table, split(home, k), 2 * k - 1), None
    home, widest = np.unique(home, return_inverse=True)[1], _WIDEST * k
    condition = asked.of_free_rows(table.record, widest, *room_of(k, widest))
    return table, grouped(table, home.astype(np.int64), widest), condition


def are_small(labels: IntArray, k: int) -> BoolArray:
    """Return which rows are in groups that may be freed where they keep a condition."""
    _, group, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    small: BoolArray = sizes[group] <= _WIDEST * k
    return small


def _window(records: Records, span: float) -> int:
    """Return how many records are compared with each: all if there is time for it."""
    distinct, m = records.distinct, records.m
    if window_within(distinct, m, distinct, _LISTING * span) == distinct:
        return distinct
    length = _LISTING * _SCHEDULE.round_seconds(span)
    return max(_LEAST_WINDOW, window_within(distinct, m, distinct, length))


def _cost(groups: Groups, stars: Stars | None, order: Order | None) -> int:
    if stars is not None and order is not None:
        return int(padded_cost(stars.before, order))
    return int(groups.pays @ groups.worth)


@compiled
def _anneal(
    table: Table,
    groups: Groups,
    work: Workspace,
    condition: Condition | None,
    stars: Stars | None,
    order: Order | None,
    ceilings: Ceilings | None,
    near: Int32Array,  # [record, rank]
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
            heat = heat_at(move, moves)
        # Ruin and recreate.
        freed, free, old = free_near(_paying_row(groups), table, groups, work, near)
        found, new = rebuild(free, table, work, condition)
        growth = new - old
        if stars is not None:
            move_stars(freed, found, table, groups, work, stars)
            if order is not None:
                growth = padded_cost(stars.after, order)
                growth -= padded_cost(stars.before, order)
            if ceilings is not None and not stays_below(found, work, stars, ceilings):
                growth = NEVER
        # Accepted with probability min(1, exp(-growth / heat)).
        if growth <= 0 or np.random.random() < np.exp(-growth / heat):
            commit(freed, free, found, groups, work)
            if stars is not None:
                accept(stars)
        if condition is not None:
            clear_numbers(free, work.row, condition)
    return moves.number


@compiled
def _paying_row(groups: Groups) -> int:
    """Draw a row that pays, or any row if none is found in a few draws."""
    u = -1
    for _ in range(TRIES):
        u = int(np.random.random() * len(groups.home))
        if groups.pays[groups.home[u]] > 0:
            break
    return u


@compiled
def free_near(
    u: int, table: Table, groups: Groups, work: Workspace, near: Int32Array
) -> tuple[int, int, int]:
    """Free the groups of a row and of near ones; return groups, rows and their cost."""
    goal = 2 + int(np.random.random() * (MOST_FREED - 1))
    freed, free, old = 0, 0, 0
    v = u
    for _ in range(TRIES):
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
def rebuild(
    free: int, table: Table, work: Workspace, condition: Condition | None
) -> tuple[int, int]:
    """Build groups of the free rows; return their number and their cost.

    The cost is `NEVER` if some row fits into no group that keeps the condition.
    """
    # The free rows get slots in random order.
    for i in range(free - 1, 0, -1):
        other = int(np.random.random() * (i + 1))
        work.row[i], work.row[other] = work.row[other], work.row[i]
    if condition is not None:
        number_values(free, work.row, condition)
    for i in range(free):
        _fill_slot(i, table, work, condition)
    live, found = free, 0
    while live >= table.k:
        left = _grow(live, found, table, work, condition)
        if left < 0:
            break
        live = left
        found += 1
    # Rows that are left over join the new group where they cost least.
    for i in range(live):
        if not _join_cheapest(i, found, table, work, condition):
            return found, NEVER
    cost = 0
    for g in range(found):
        cost += work.worth[g] * work.paid[g]
    return found, cost


@compiled
def _fill_slot(
    i: int, table: Table, work: Workspace, condition: Condition | None
) -> None:
    """Read what a slot shows of its row."""
    t = table.record[work.row[i]]
    for j in range(len(work.seen)):
        work.seen[j, i] = table.codes[t, j]
    if condition is not None:
        fill_slot(i, work.row[i], condition)


@compiled
def _grow(
    live: int, found: int, table: Table, work: Workspace, condition: Condition | None
) -> int:
    """Build one group of the first slots; return how many are left, -1 if it fails."""
    m, first = len(work.seen), live
    work.size[found], work.worth[found], work.paid[found] = 0, 0, 0
    if condition is not None:
        clear_counts(found, condition)
    # The last slot begins a group; `added` is what the others would add to it.
    chosen = live - 1
    work.added[:live] = 0
    for j in range(m):
        work.value[found, j] = work.seen[j, chosen]
        work.constant[found, j] = True
        add(work.seen[j], work.value[found, j], table.prices[j], live, work.added)
    # One slot after the other joins and leaves, until the group is complete.
    while chosen >= 0:
        if work.added[chosen] > 0:
            for j in range(m):
                if differs(chosen, found, j, work):
                    work.constant[found, j] = False
                    price, value = table.prices[j], work.value[found, j]
                    work.paid[found] += price
                    add(work.seen[j], value, -price, live, work.added)
        lack = 0
        work.size[found] += 1
        if condition is not None:
            count_row(chosen, found, 1, condition)
            lack = lacking(found, work.size[found], condition)
        live -= 1
        work.worth[found] += table.worth[work.row[chosen]]
        work.target[live] = found
        work.row[chosen], work.row[live] = work.row[live], work.row[chosen]
        work.added[chosen] = work.added[live]
        for j in range(m):
            work.seen[j, chosen] = work.seen[j, live]
        if condition is not None:
            for own in condition.own:
                own[chosen] = own[live]
        if lack == 0 and work.size[found] >= table.k:
            return live
        chosen = _next(live, found, lack, table.k, work, condition)
    # It failed: its rows are left over.
    for i in range(live, first):
        _fill_slot(i, table, work, condition)
    return -1


@compiled
def _next(
    live: int, g: int, lack: int, k: int, work: Workspace, condition: Condition | None
) -> int:
    """Return the slot that joins next, -1 if none may.

    It adds least; and it helps if the group would exceed k rows otherwise.
    """
    if live == 0:
        return -1
    if condition is not None and lack > 0 and work.size[g] + lack >= k:
        return cheapest_helpful(live, g, work.size[g], work.added, condition)
    return least(work.added, live)


@compiled
def _join_cheapest(
    i: int, found: int, table: Table, work: Workspace, condition: Condition | None
) -> bool:
    """Put the row of a slot into the new group where it costs least, if it may join."""
    chosen, price, cheapest = -1, 0, np.int64(NEVER)
    worth = table.worth[work.row[i]]
    for g in range(found):
        more = 0
        for j in range(len(work.seen)):
            if differs(i, g, j, work):
                more += table.prices[j]
        cost = worth * (work.paid[g] + more) + work.worth[g] * more
        if cost < cheapest and admits(i, g, work.size[g], condition):
            chosen, price, cheapest = g, more, cost
    if chosen < 0:
        return False
    for j in range(len(work.seen)):
        if differs(i, chosen, j, work):
            work.constant[chosen, j] = False
    if condition is not None:
        count_row(i, chosen, 1, condition)
    work.paid[chosen] += price
    work.size[chosen] += 1
    work.worth[chosen] += worth
    work.target[i] = chosen
    return True


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
