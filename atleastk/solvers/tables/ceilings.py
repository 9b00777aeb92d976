"""Ceilings of what a table may suppress: moves keep groups below them.

How many cells are suppressed in a row, in a column and in all, and in how many rows and
columns some are, is a matter of the stars of each column and of the group of each row.
So a move of few groups is judged by what it takes away and what it adds. Ceilings count
cells, whatever these cost.
"""

from __future__ import annotations

from typing import NamedTuple

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.near_state import Stars, Workspace


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
