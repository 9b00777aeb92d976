"""Importance orders of columns: what a table costs once its columns are padded.

What an order asks for besides depends on the stars of the columns alone, except that it
is rounded up to whole groups: a column has as many as the fullest of all more important
classes. So a star in a column that is padded anyway is free, and one in the column to
which others are padded costs as much as all of them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.near_state import Groups, Table, Workspace

_NEVER: Final = 2**40
"""The cost of a star in an intact column: above all costs there are."""


class Order(NamedTuple):
    """An importance order of columns.

    The columns of class c are ``columns[starts[c]:starts[c + 1]]``. Those that are not
    `free` stay intact.
    """

    columns: IntArray  # [place]
    starts: IntArray  # [class + 1]
    free: BoolArray  # [column]


class Padding(NamedTuple):
    """An order, and the stars of every column before and after a move."""

    order: Order
    stars: IntArray  # [column]
    after: IntArray  # [column]


def padding_of(order: Order, table: Table, groups: Groups) -> Padding:
    """Return the stars of all columns."""
    stars = np.zeros(table.codes.shape[1], dtype=np.int64)
    every = np.arange(len(groups.size))
    add_stars(every, len(every), 1, table, groups, stars)
    return Padding(order, stars, stars.copy())


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
def padded_growth(
    freed: int,
    found: int,
    table: Table,
    groups: Groups,
    work: Workspace,
    padding: Padding,
) -> int:
    """Return by how much new groups in place of those freed raise the padded cost."""
    stars, after = padding.stars, padding.after
    for j in range(len(stars)):
        after[j] = stars[j]
    add_stars(work.freed, freed, -1, table, groups, after)
    for g in range(found):
        for j in range(len(stars)):
            if not work.constant[g, j]:
                after[j] += work.size[g]
    return padded_cost(after, padding.order) - padded_cost(stars, padding.order)


@compiled
def accept(padding: Padding) -> None:
    """Make the stars after a move those before the next."""
    for j in range(len(padding.stars)):
        padding.stars[j] = padding.after[j]


@compiled
def add_stars(
    chosen: IntArray,
    count: int,
    sign: int,
    table: Table,
    groups: Groups,
    stars: IntArray,
) -> None:
    """Add or subtract the stars of the first `count` of the chosen groups."""
    for place in range(count):
        g = chosen[place]
        first = table.record[groups.rows[g, 0]]
        for j in range(len(stars)):
            for i in range(1, groups.size[g]):
                other = table.record[groups.rows[g, i]]
                if table.codes[first, j] != table.codes[other, j]:
                    stars[j] += sign * groups.size[g]
                    break
