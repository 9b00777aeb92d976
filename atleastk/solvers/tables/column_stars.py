"""What moves among near rows suppress in each column, where that counts.

*Importance orders* ask for stars besides: a column has as many as the fullest of all
more important classes, rounded up to whole groups. So a star in a column that is padded
anyway is free, and one in the column to which others are padded costs as much as all of
them. *Ceilings* say how many cells are suppressed at most in a row, in a column and in
all, and in how many rows and columns some are, whatever they cost.

All of that is a matter of the stars of each column and of the group of each row. So a
move of few groups is judged by what it takes away and what it adds.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.near_state import Groups, Table, Workspace, is_mixed

_NEVER: Final = 2**40
"""The cost of a star in an intact column: above all costs there are."""


class Stars(NamedTuple):
    """The suppressed cells of every column, and the rows that have some.

    Both before a move, and after it.
    """

    before: IntArray  # [column]
    after: IntArray  # [column]
    touched: IntArray  # [before, after]


class Order(NamedTuple):
    """An importance order of columns.

    The columns of class c are ``columns[starts[c]:starts[c + 1]]``. Those that are not
    `free` stay intact.
    """

    columns: IntArray  # [place]
    starts: IntArray  # [class + 1]
    free: BoolArray  # [column]


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


class Ceilings(NamedTuple):
    """The most cells in a row, in each column and in all, and of rows and columns.

    A column of which nothing may be suppressed has a ceiling of 0.
    """

    per_row: int
    per_column: IntArray  # [column]
    entries: int
    rows: int
    columns: int


@compiled
def stays_below(found: int, work: Workspace, stars: Stars, ceilings: Ceilings) -> bool:
    """Tell whether a table stays below ceilings with the new groups of a move."""
    for g in range(found):
        hidden = 0
        for j in range(len(stars.after)):
            hidden += not work.constant[g, j]
        if hidden > ceilings.per_row:
            return False
    entries, columns = 0, 0
    for j, count in enumerate(stars.after):
        if count > ceilings.per_column[j]:
            return False
        entries += count
        columns += count > 0
    within = entries <= ceilings.entries and stars.touched[1] <= ceilings.rows
    return bool(within and columns <= ceilings.columns)


def stars_of(table: Table, groups: Groups) -> Stars:
    """Return the suppressed cells of every column, and the rows that have some."""
    stars = np.zeros(len(table.prices), dtype=np.int64)
    _add_stars(np.arange(len(groups.size)), len(groups.size), 1, table, groups, stars)
    touched = np.full(2, groups.size[groups.pays > 0].sum())
    return Stars(stars, stars.copy(), touched)


@compiled
def move_stars(
    freed: int, found: int, table: Table, groups: Groups, work: Workspace, stars: Stars
) -> None:
    """Count the stars with new groups in place of those freed."""
    for j in range(len(stars.after)):
        stars.after[j] = stars.before[j]
    stars.touched[1] = stars.touched[0]
    _add_stars(work.freed, freed, -1, table, groups, stars.after)
    for place in range(freed):
        if groups.pays[work.freed[place]] > 0:
            stars.touched[1] -= groups.size[work.freed[place]]
    for g in range(found):
        if work.paid[g] > 0:
            stars.touched[1] += work.size[g]
        for j in range(len(stars.after)):
            if not work.constant[g, j]:
                stars.after[j] += work.size[g]


@compiled
def accept(stars: Stars) -> None:
    """Make the stars after a move those before the next."""
    for j in range(len(stars.after)):
        stars.before[j] = stars.after[j]
    stars.touched[0] = stars.touched[1]


@compiled
def _add_stars(
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
        for j in range(len(stars)):
            if is_mixed(g, j, table, groups):
                stars[j] += sign * groups.size[g]
