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
from atleastk.instances.records import Records
from atleastk.models.linear import INFINITE
from atleastk.models.results.status import Status
from atleastk.models.tables.patterns import Patterns
from atleastk.packages import sparse
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.multipliers import Multipliers, reduced_costs
from atleastk.solvers.tables.occupancy import Occupancy, SubTable
from atleastk.solvers.tables.reduced_model import with_columns
from atleastk.solvers.tables.sub_tables import held_pairs, model_of

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
    patterns: Patterns,
    records: Records,
    k: int,
    start: Assignment,
    multipliers: Multipliers,
    budget: Budget,
    enough: int,
    on_lower: Callable[[Assignment], object],
) -> None:
    """Report assignments with fewer stars in the fullest column, from a start on.

    It ends with `enough` of them, or when the whole table is arranged best. Patterns
    and records have the prices, and the multipliers are weights at these.
    """
    held = held_pairs(patterns, records, k, start)
    raises = reduced_costs(patterns, records, k, multipliers)
    offered = (raises <= records.cell * _OFFERED * multipliers.scale) | (held > 0)
    few, weights = patterns.only(offered), multipliers.weights / multipliers.scale
    occupancy = Occupancy.of(few, records, k, weights, held[offered])
    starred = few.kept[:, None] >> np.arange(records.m) & 1 == 0  # [pattern, column]
    starred_by = starred[few.pattern].astype(np.int64)
    rng, rows = np.random.default_rng(budget.seed), _FIRST_ROWS
    fullest = int((occupancy.held @ starred_by).max())
    while fullest > enough and not budget.spent:
        table = occupancy.take(int(rows), int(rng.integers(2**31)))
        if not len(table.pair):
            return
        outside = occupancy.held @ starred_by
        pair, copies, whole = _arranged(
            table, occupancy, k, starred_by, outside, budget.slice(_SECONDS)
        )
        occupancy.put(table, pair, copies)
        now = int((occupancy.held @ starred_by).max())
        if now < fullest:
            fullest = now
            on_lower(occupancy.assignment())
        if whole and rows >= records.n:
            return
        rows = min(_MOST_ROWS, rows * (_GROW if whole else _SHRINK))


def _arranged(
    table: SubTable,
    occupancy: Occupancy,
    k: int,
    starred: IntArray,
    outside: IntArray,
    budget: Budget,
) -> tuple[IntArray, IntArray, bool]:
    """Return the best pairs and copies found, and whether nothing is better."""
    price, model = int(occupancy.records.price.sum()), model_of(table, occupancy, k)
    # The fullest column, in its own variable: the last one.
    pairs = np.concatenate((table.option, table.refuge))
    stay = model.columns - table.records.distinct
    placed = np.r_[: len(table.option), stay : model.columns]
    stars = np.zeros((model.columns + 1, starred.shape[1]), dtype=np.int64)
    stars[placed] = starred[pairs]
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
    options = {"threads": 1, "time_limit": 0.9 * budget.on_the_wall}
    options |= {"objective_bound": old + 0.5, "mip_abs_gap": 0.99}
    answer = Highs(options).minimise(model, budget)
    whole = answer.status is Status.OPTIMAL
    if answer.values is None or answer.cost is None or answer.cost > old:
        return table.pair, table.copies, whole
    copies = answer.values[placed]
    return pairs[copies > 0], copies[copies > 0], whole
