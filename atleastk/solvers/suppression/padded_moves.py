"""Simulated annealing on groups of near rows at the cost of padded columns.

What an importance order of columns asks for besides depends on the stars of the columns
alone, except that it is rounded up to whole groups: a column has as many as the fullest
of all more important classes. So a move of
:mod:`~atleastk.solvers.tables.near_moves` is accepted by what the whole table
costs with it once it is padded: a star in a column that is padded anyway is free, and
one in the column to which others are padded costs as much as all of them.

Time per move: that of a plain move, and O(free rows x columns).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.suppression import Suppression
from atleastk.models.results.solution import Solution, labels_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.first import offer_if_feasible
from atleastk.solvers.suppression.padding import padded
from atleastk.solvers.tables.near_moves import (
    Groups,
    Moves,
    Table,
    Workspace,
    anneal,
    commit,
    free_near,
    grouped,
    paying_row,
    rebuild,
    split,
    workspace_of,
)
from atleastk.solvers.tables.reporting import SECONDS_PER_ROW, Throttle

_PAUSES: Final = 50
"""Reports take one part in so many of the time."""

_NEVER: Final = 2**40
"""The cost of a star in an intact column: above all costs there are."""


class Order(NamedTuple):
    """An importance order of columns, for compiled loops.

    The columns of class c are ``columns[starts[c]:starts[c + 1]]``. Those that are not
    `free` stay intact.
    """

    columns: IntArray  # [place]
    starts: IntArray  # [class + 1]
    free: BoolArray  # [column]

    @classmethod
    def of(cls, instance: Suppression) -> Order:
        """Return the order of an instance."""
        classes = instance.column_order or ()
        columns = [j for members in classes for j in members]
        free = np.ones(instance.m, dtype=np.bool_)
        free[list(instance.intact)] = False
        return cls(
            np.array(columns, dtype=np.int64),
            np.cumsum([0, *map(len, classes)]).astype(np.int64),
            free,
        )


def offer_rearranged(
    search: Search[Suppression], groups: Sequence[Sequence[int]], source: str
) -> None:
    """Rearrange groups for the time left, and report padded ones now and then.

    The table has an order of columns, none of rows, and no limits; its entries count.
    """
    instance, budget = search.instance, search.budget

    def report(found: Sequence[Sequence[int]]) -> None:
        offer_if_feasible(search, padded(instance, found), source)

    throttle = Throttle(report, factor=_PAUSES)
    part = budget.slice(budget.remaining - SECONDS_PER_ROW * instance.n)
    throttle.take(rearranged(instance, groups, part, throttle.take))
    throttle.flush()


def rearranged(
    instance: Suppression,
    groups: Sequence[Sequence[int]],
    budget: Budget,
    on_better: Callable[[Sequence[Sequence[int]]], object],
) -> Sequence[Sequence[int]]:
    """Return groups that cost no more than these once all are padded.

    Parameters
    ----------
    on_better
        Receives better groups on the way.
    """
    records, k, order = instance.records, instance.k, Order.of(instance)
    rows = records.rows
    labels = labels_of(groups, instance.n)
    table = Table(
        records.codes,
        np.where(order.free, 1, 1 + instance.m).astype(np.int32),
        records.record_of[rows],
        np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64),
        np.ones(instance.n, dtype=np.int64),
        k,
    )
    state = grouped(table, split(labels[rows], k), 2 * k - 1)
    work, stars = workspace_of(table, 2 * k - 1), _stars(table, state)

    def make(near: Int32Array, moves: Moves, flag: ByteArray) -> int:
        return int(_anneal(table, state, work, order, stars, near, *moves, flag))

    best = anneal(
        records,
        table,
        state,
        budget,
        make,
        lambda found: on_better(Solution.labelled(found).groups),
        cost_of=lambda _: int(padded_cost(stars, order)),
    )
    return Solution.labelled(best).groups


@compiled
def padded_cost(stars: IntArray, order: Order) -> int:
    """Return the stars of all columns once they are padded, but for whole groups."""
    total, needed = 0, 0
    for j in range(len(stars)):
        total += stars[j] if order.free[j] else _NEVER * stars[j]
    for c in range(len(order.starts) - 1):
        fullest = needed
        for place in range(order.starts[c], order.starts[c + 1]):
            j = order.columns[place]
            if order.free[j]:
                total += max(0, needed - stars[j])
            fullest = max(fullest, stars[j])
        needed = fullest
    return total


@compiled
def _stars(table: Table, groups: Groups) -> IntArray:
    stars = np.zeros(table.codes.shape[1], dtype=np.int64)
    for g in range(len(groups.size)):
        _count(groups.rows[g, : groups.size[g]], 1, table, stars)
    return stars


@compiled
def _count(rows: IntArray, sign: int, table: Table, stars: IntArray) -> None:
    """Add or subtract the stars of the rows of a group."""
    for j in range(len(stars)):
        for i in range(1, len(rows)):
            first, other = table.record[rows[0]], table.record[rows[i]]
            if table.codes[first, j] != table.codes[other, j]:
                stars[j] += sign * len(rows)
                break


@compiled
def _anneal(
    table: Table,
    groups: Groups,
    work: Workspace,
    order: Order,
    stars: IntArray,
    near: Int32Array,
    moves: int,
    hot: float,
    cold: float,
    seed: int,
    flag: ByteArray,
) -> int:
    """Make moves; return how many were made before the flag was raised."""
    np.random.seed(seed)
    heat, cost = hot, padded_cost(stars, order)
    # The stars of every column, before and after a move.
    after = stars.copy()
    for move in range(moves):
        if move & 63 == 0:
            if flag[0] != 0:
                return move
            heat = hot * (cold / hot) ** (move / moves)
        u = paying_row(groups)
        # Ruin: the stars of the groups that are freed go.
        freed, free, _ = free_near(u, table, groups, work, near)
        for j in range(len(stars)):
            after[j] = stars[j]
        for i in range(freed):
            g = work.freed[i]
            _count(groups.rows[g, : groups.size[g]], -1, table, after)
        # Recreate: the stars of the new groups come.
        found, _ = rebuild(free, table, work)
        for g in range(found):
            for j in range(len(stars)):
                if not work.constant[g, j]:
                    after[j] += work.size[g]
        # Accepted with probability min(1, exp(-growth / heat)).
        reached = padded_cost(after, order)
        growth = reached - cost
        if growth <= 0 or np.random.random() < np.exp(-growth / heat):
            commit(freed, free, found, groups, work)
            cost = reached
            for j in range(len(stars)):
                stars[j] = after[j]
    return moves
