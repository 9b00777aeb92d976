"""Ceilings of what a table may suppress: moves keep groups below them.

How many cells are suppressed in a row, in a column and in all, and in how many rows and
columns some are, is a matter of the stars of each column and of the group of each row.
So a move of few groups is judged by what it takes away and what it adds. Ceilings count
cells, whatever these cost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.near_state import Groups, Table, Workspace
from atleastk.solvers.tables.orders import add_stars


class Ceilings(NamedTuple):
    """The most cells in a row, in each column and in all, and of rows and columns.

    A column of which nothing may be suppressed has a ceiling of 0.
    """

    per_row: int
    per_column: IntArray  # [column]
    entries: int
    rows: int
    columns: int


class Headroom(NamedTuple):
    """Ceilings; the stars of each column and the rows with some, before and after."""

    ceilings: Ceilings
    stars: IntArray  # [column]
    after: IntArray  # [column]
    touched: IntArray  # [before, after]


def headroom_of(ceilings: Ceilings, table: Table, groups: Groups) -> Headroom:
    """Return the stars of groups that are below the ceilings."""
    stars = np.zeros(table.codes.shape[1], dtype=np.int64)
    every = np.arange(len(groups.size))
    add_stars(every, len(every), 1, table, groups, stars)
    touched = int(groups.size[groups.pays > 0].sum())
    return Headroom(ceilings, stars, stars.copy(), np.array([touched, touched]))


@compiled
def stays_below(
    freed: int,
    found: int,
    table: Table,
    groups: Groups,
    work: Workspace,
    room: Headroom,
) -> bool:
    """Tell whether new groups in place of those freed stay below the ceilings."""
    ceilings, stars, after = room.ceilings, room.stars, room.after
    touched = room.touched[0]
    for g in range(found):
        hidden = 0
        for j in range(len(stars)):
            if not work.constant[g, j]:
                hidden += 1
        if hidden > ceilings.per_row:
            return False
        if hidden > 0:
            touched += work.size[g]
    for place in range(freed):
        if groups.pays[work.freed[place]] > 0:
            touched -= groups.size[work.freed[place]]
    if touched > ceilings.rows:
        return False
    room.touched[1] = touched
    for j in range(len(stars)):
        after[j] = stars[j]
    add_stars(work.freed, freed, -1, table, groups, after)
    entries, columns = 0, 0
    for j in range(len(stars)):
        for g in range(found):
            if not work.constant[g, j]:
                after[j] += work.size[g]
        if after[j] > ceilings.per_column[j]:
            return False
        entries += after[j]
        columns += after[j] > 0
    return bool(entries <= ceilings.entries and columns <= ceilings.columns)


@compiled
def take_up(room: Headroom) -> None:
    """Make what there is after a move what there is before the next."""
    room.touched[0] = room.touched[1]
    for j in range(len(room.stars)):
        room.stars[j] = room.after[j]
