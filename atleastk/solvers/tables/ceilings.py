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
from atleastk.solvers.tables.near_state import (
    Groups,
    Stars,
    Table,
    Workspace,
    accept,
    move_stars,
    stars_of,
)


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
    """Ceilings, the stars of the columns, and the rows with some, before and after."""

    ceilings: Ceilings
    stars: Stars
    touched: IntArray  # [before, after]


def headroom_of(ceilings: Ceilings, table: Table, groups: Groups) -> Headroom:
    """Return the stars of groups that are below the ceilings."""
    touched = int(groups.size[groups.pays > 0].sum())
    return Headroom(ceilings, stars_of(table, groups), np.array([touched, touched]))


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
    ceilings, touched = room.ceilings, room.touched[0]
    for g in range(found):
        hidden = 0
        for j in range(len(table.prices)):
            hidden += not work.constant[g, j]
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
    move_stars(freed, found, table, groups, work, room.stars)
    entries, columns = 0, 0
    for j, stars in enumerate(room.stars.after):
        if stars > ceilings.per_column[j]:
            return False
        entries += stars
        columns += stars > 0
    return bool(entries <= ceilings.entries and columns <= ceilings.columns)


@compiled
def take_up(room: Headroom) -> None:
    """Make what there is after a move what there is before the next."""
    room.touched[0] = room.touched[1]
    accept(room.stars)
