"""Cuts for the model of listed groups, and what they allow to leave out.

Take three records of one copy each. Groups are disjoint, so at most one of them has two
or more of the three: the z_S of these groups sum to 1 at most (the subset-row
inequalities of [JepsenPetersenSpoorendonkPisinger08]). Giving up counts as one of them,
or a small part of it would pay off all cuts. They are added to the linear program while
it violates any, and the variables are judged by the result: with integer multipliers of
all rows, of the right signs, let d_j be what is left of the cost of variable j. By weak
duality a point costs at least

    sum of multipliers times right-hand sides + sum of min(0, d_j) upper_j,

and |d_j| more for every step of variable j away from its better end. So a variable that
cannot leave 0 below the limit is fixed there. Only the search for multipliers is in
floating point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.records import Records
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.packages import sparse
from atleastk.solvers.backends.highs import unbounded
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.engine.triples import heavy_triples
from atleastk.solvers.k_anonymity.reduced_model import ReducedModel

__all__ = ["SCALE", "Tightened", "judged", "tightened"]


SCALE: Final = 2**20
"""Bounds and reduced costs are in units of 1 / scale."""

_SAFE: Final = 2.0**61
_ROUNDS: Final = 20
_PER_ROUND: Final = 200
_PER_RECORD: Final = 8
"""Cuts of one round that a record may be in."""

_VIOLATED: Final = 0.02
_GAIN: Final = 0.01
"""Rounds that raise the bound by less, in cells, are the last."""

_MOST_DISTINCT: Final = 2000
"""Distinct records up to which cuts pay: a table of all pairs is made."""


@dataclass(frozen=True, slots=True, eq=False)
class Tightened:
    """A model with cuts and fixed variables, and a bound.

    Attributes
    ----------
    model
        The same in other numbers: its points below the limit are those of the original.
    bound
        No point costs less.
    left
        The number of variables that are not fixed.
    """

    model: LinearModel
    bound: int
    left: int


def tightened(
    reduced: ReducedModel, records: Records, limit: int, budget: Budget
) -> Tightened:
    """Return the model with cuts, without what costs `limit` or more."""
    model = reduced.model
    if records.distinct > _MOST_DISTINCT:
        return Tightened(model, 0, model.columns)
    best, total = np.zeros(model.columns, dtype=np.int64), 0
    program, reached = _relaxed(model), -np.inf
    for _ in range(_ROUNDS):
        optimum = program.solve(budget, apart=True)
        if optimum is None:
            break
        left_over, proved = judged(model, optimum.duals)
        if proved > total:
            best, total = left_over, proved
        if optimum.value < reached + _GAIN or proved >= (limit - 1) * SCALE + 1:
            break
        reached = optimum.value
        cuts = _violated(reduced, records, optimum.primal)
        if not cuts.shape[0]:
            break
        program.add_rows(cuts, -np.inf, 1.0)
        model = _with_rows(model, cuts)
    ends = np.where(best < 0, model.upper, 0)
    fixed = (np.abs(best) > (limit - 1) * SCALE - total) & (ends == 0)
    fixed[-1] = False
    upper = np.where(fixed, 0, model.upper)
    return Tightened(
        replace(model, upper=upper), -(-total // SCALE), int((upper > 0).sum())
    )


def _relaxed(model: LinearModel) -> GrowingLp:
    """Return the linear relaxation of a model whose variables begin at 0."""
    program = GrowingLp(unbounded(model.row_lower), unbounded(model.row_upper))
    program.add_columns(model.rows.T, model.objective, model.upper)
    return program


def judged(model: LinearModel, duals: FloatArray) -> tuple[IntArray, int]:
    """Return d and the bound, both in units of 1 / scale, exactly.

    Any multipliers prove a bound; those that could leave 64 bits are not used.
    """
    sizes = np.abs(duals)
    reach = (abs(model.rows).T @ sizes).max(initial=0.0) + np.abs(model.objective).max()
    if SCALE * (reach * model.upper.sum() + sizes.sum() * _greatest(model)) > _SAFE:
        duals = np.zeros_like(duals)
    multipliers = np.rint(duals * SCALE).astype(np.int64)
    multipliers[model.row_lower <= -INFINITE] = np.minimum(
        multipliers[model.row_lower <= -INFINITE], 0
    )
    multipliers[model.row_upper >= INFINITE] = np.maximum(
        multipliers[model.row_upper >= INFINITE], 0
    )
    sides = np.where(multipliers >= 0, model.row_lower, model.row_upper)
    sides[multipliers == 0] = 0
    left_over = model.objective * SCALE - model.rows.T @ multipliers
    total = int(sides @ multipliers) + int(np.minimum(left_over, 0) @ model.upper)
    return left_over, total


def _greatest(model: LinearModel) -> float:
    """Return the greatest finite side of a row."""
    sides = np.abs(np.concatenate((model.row_lower, model.row_upper)))
    return float(sides[sides < INFINITE].max(initial=0))


def _violated(
    reduced: ReducedModel, records: Records, point: FloatArray
) -> sparse.csr_array[Any]:
    """Return the rows of cuts that the point violates most."""
    pool = reduced.pool
    some = point[: pool.count] > 1e-7
    open_pool = pool.only(some)
    held, others = _transposed(pool.record, pool.group, records.distinct)
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
        groups = np.concatenate([others[held[t] : held[t + 1]] for t in triple])
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


def _with_rows(model: LinearModel, cuts: sparse.csr_array[Any]) -> LinearModel:
    """Return the model with further rows of at most 1."""
    count = cuts.shape[0]
    return replace(
        model,
        rows=sparse.csr_array(sparse.vstack((model.rows, cuts))),
        row_lower=np.concatenate((model.row_lower, np.full(count, -INFINITE))),
        row_upper=np.concatenate((model.row_upper, np.ones(count, dtype=np.int64))),
    )


def _transposed(
    record: IntArray, group: IntArray, distinct: int
) -> tuple[IntArray, IntArray]:
    """Return the groups of every record, and where they start."""
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
