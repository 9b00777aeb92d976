"""Large neighbourhood search for the fullest column: parts by integer programs.

A sub-table (:mod:`~atleastk.solvers.tables.occupancy`) is rearranged while all else
stays. With z the stars of the fullest column of the whole table, and prices p_j of its
columns, its model minimises

    (sum of p) z  +  sum of p_j times the stars of column j,

so that a part that cannot lower z makes room where it is dear. Only pairs of small
reduced cost at these prices are offered, beside those in use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.linear import INFINITE
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers
from atleastk.solvers.tables.occupancy import Occupancy, SubTable
from atleastk.solvers.tables.reduced_model import with_columns
from atleastk.solvers.tables.sub_tables import (
    Found,
    arranged,
    model_of,
    occupied,
)

_OFFERED: Final = 0.5
"""The greatest reduced cost, in cells, of pairs that are offered: not tuned."""

_FIRST_ROWS: Final = 100.0
_MOST_ROWS: Final = 300.0
_SECONDS: Final = 1.0
_GROW: Final = 1.2
_SHRINK: Final = 0.8
"""Rows of the first sub-table, and the most; seconds of each; how rows change if these
were enough or not: not tuned."""


def lower(
    listed: ListedTable,
    start: Assignment,
    multipliers: Multipliers,
    budget: Budget,
    enough: int,
    on_lower: Callable[[Assignment], object],
) -> None:
    """Report assignments with fewer stars in the fullest column, from a start on.

    It ends with `enough` of them, or when the whole table is arranged best. The table
    has the prices, and the multipliers are weights at these.
    """
    occupancy = occupied(listed, start, multipliers, _OFFERED)
    few, records = occupancy.patterns, listed.records
    starred = few.kept[:, None] >> np.arange(records.m) & 1 == 0  # [pattern, column]
    starred_by = starred[few.pattern].astype(np.int64)
    rng, rows = np.random.default_rng(budget.seed), _FIRST_ROWS
    fullest = int((occupancy.held @ starred_by).max())
    while fullest > enough and not budget.spent:
        table = occupancy.take(int(rows), int(rng.integers(2**31)))
        if not len(table.pair):
            return
        outside = occupancy.held @ starred_by
        part = budget.slice(_SECONDS)
        found = _arranged(table, occupancy, starred_by, outside, part)
        occupancy.put(table, found.pair, found.copies)
        now = int((occupancy.held @ starred_by).max())
        if now < fullest:
            fullest = now
            on_lower(occupancy.assignment())
        if found.in_time and rows >= records.n:
            return
        rows = min(_MOST_ROWS, rows * (_GROW if found.in_time else _SHRINK))


def _arranged(
    table: SubTable,
    occupancy: Occupancy,
    starred: IntArray,
    outside: IntArray,
    budget: Budget,
) -> Found:
    """Return the best pairs and copies found."""
    price = int(occupancy.records.price.sum())
    model, places = model_of(table, occupancy)
    # The fullest column, in its own variable: the last one.
    stars = np.zeros((model.columns + 1, starred.shape[1]), dtype=np.int64)
    stars[places] = starred[table.offered]
    stars[-1] = -1
    nothing = sparse.csr_array((1, model.rows.shape[0]), dtype=np.int64)
    model = with_columns(model, nothing, price, occupancy.records.n)
    model = replace(
        model,
        rows=sparse.csr_array(sparse.vstack((model.rows, sparse.csr_array(stars.T)))),
        row_lower=np.append(model.row_lower, np.full(len(outside), -INFINITE)),
        row_upper=np.append(model.row_upper, -outside),
    )
    before = outside + table.copies @ starred[table.pair]
    old = price * int(before.max()) + int(occupancy.paid_in(table.pair) @ table.copies)
    return arranged(table, model, places, old, budget)
