"""Cuts for the model of listed groups: subset-row inequalities.

Take three records of one copy each. Groups are disjoint, so at most one of them has two
or more of the three: the z_S of these groups sum to 1 at most
[JepsenPetersenSpoorendonkPisinger08]. The variable that gives up counts as one of them,
or else a small part of it would satisfy all cuts.
:mod:`atleastk.solvers.engine.tightening` adds cuts and fixes variables.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.records import Records
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine import tightening
from atleastk.solvers.engine.set_partition.triples import heavy_triples
from atleastk.solvers.engine.tightening import Tightened
from atleastk.solvers.tables.reduced_model import ReducedModel

_PER_ROUND: Final = 200
_PER_RECORD: Final = 8
"""Cuts per round, and cuts of a round that contain the same record: not tuned."""

_VIOLATED: Final = 0.02
"""By how much a cut is violated to be added."""

_MOST_DISTINCT: Final = 2000
"""Distinct records up to which cuts pay: a table of all pairs is made."""


def tightened(
    reduced: ReducedModel, records: Records, limit: int, budget: Budget
) -> Tightened:
    """Return the model with cuts, without what costs `limit` or more."""
    model = reduced.model
    if records.distinct > _MOST_DISTINCT:
        return Tightened(model, 0, model.columns)
    violated = partial(_violated, reduced, records)
    return tightening.tightened(model, violated, 1, limit, budget)


def _violated(
    reduced: ReducedModel, records: Records, point: FloatArray
) -> sparse.csr_array[Any]:
    pool = reduced.pool
    some = point[: pool.count] > 1e-7
    open_pool = pool.only(some)
    starts, groups_of = _transposed(pool.record, pool.group, records.distinct)
    triples = _triples(
        open_pool.starts,
        open_pool.record,
        point[: pool.count][some],
        records.copies,
        _VIOLATED,
    )
    uses = np.zeros(records.distinct, dtype=np.int64)
    rows: list[IntArray] = []
    for place in np.argsort(-triples[:, 0], kind="stable"):
        triple = triples[place, 1:].astype(np.int64)
        if (uses[triple] >= _PER_RECORD).any():
            continue
        uses[triple] += 1
        groups = np.concatenate([groups_of[starts[t] : starts[t + 1]] for t in triple])
        names, times = np.unique(groups, return_counts=True)
        rows.append(np.append(names[times >= 2], reduced.model.columns - 1))
        if len(rows) == _PER_ROUND:
            break
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    columns = np.concatenate([*rows, np.zeros(0, dtype=np.int64)])
    places = (np.repeat(np.arange(len(rows)), lengths), columns)
    ones = np.ones(len(columns), dtype=np.int64)
    shape = (len(rows), reduced.model.columns)
    return sparse.csr_array(sparse.coo_array((ones, places), shape=shape))


def _transposed(
    record: IntArray, group: IntArray, distinct: int
) -> tuple[IntArray, IntArray]:
    lengths = np.bincount(record, minlength=distinct)
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return starts, group[np.argsort(record, kind="stable")]


@compiled
def _triples(
    starts: IntArray,
    record: IntArray,
    weight: FloatArray,
    supply: IntArray,
    tolerance: float,
) -> FloatArray:
    """Return all violated triples of records: weight of their groups, and names."""
    distinct, groups = len(supply), len(weight)
    shared = np.zeros((distinct, distinct))
    has = np.zeros((groups, distinct), dtype=np.bool_)
    for g in range(groups):
        for a in range(starts[g], starts[g + 1]):
            has[g, record[a]] = True
            for b in range(a + 1, starts[g + 1]):
                shared[record[a], record[b]] += weight[g]
                shared[record[b], record[a]] += weight[g]
    return heavy_triples(has, shared, weight, supply == 1, tolerance)
