"""Cuts for the model of listed groups, and reduced cost fixing.

Take three records of one copy each. Groups are disjoint, so at most one of them has two
or more of the three: the z_S of these groups sum to 1 at most
[JepsenPetersenSpoorendonkPisinger08]. The variable that gives up, the last one, counts
as one of them, or else a small part of it would satisfy all cuts. Cuts are added while
the linear relaxation violates any.

Then variables are fixed: with integer multipliers of all rows, of the right signs, let
d_j be the reduced cost of variable j. By weak duality a point costs at least

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
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.engine.set_partition.triples import crossing, violated_triples
from atleastk.solvers.precision import SCALE
from atleastk.solvers.tables.reduced_model import ReducedModel

_MOST_DISTINCT: Final = 2000
"""Distinct records up to which cuts pay: a table of all pairs is made."""

_SAFE: Final = 2.0**61
"""Sums up to here stay within 64 bits, rounding included."""

_ROUNDS: Final = 20
_GAIN: Final = 0.01
"""Rounds at most; those that raise the bound by less are the last, in units of cost."""


@dataclass(frozen=True, slots=True, eq=False)
class Tightened:
    """A model with cuts and fixed variables, and a bound."""

    model: LinearModel  # has the same points below the limit as the original
    bound: int  # no point costs less
    left: int  # the number of variables that are not fixed


def tightened(
    reduced: ReducedModel, records: Records, limit: int, budget: Budget
) -> Tightened:
    """Return the model with cuts, without what costs `limit` or more.

    Its variables begin at 0; the last one stands for giving up at the limit.
    """
    model, first = reduced.model, reduced.first
    if records.distinct > _MOST_DISTINCT:
        return Tightened(model, 0, model.columns)
    has, single = reduced.groups.has, records.copies == 1
    best, total = np.zeros(model.columns, dtype=np.int64), 0
    program = GrowingLp(unbounded(model.row_lower), unbounded(model.row_upper))
    program.add_columns(model.rows.T, model.objective, model.upper)
    reached = -np.inf
    for _ in range(_ROUNDS):
        optimum = program.solve(budget, apart=True)
        if optimum is None:
            break
        left_over, proved = judged(model, optimum.duals)
        if proved > total:
            best, total = left_over, proved
        if optimum.value < reached + _GAIN or proved >= (limit - 1) * SCALE + 1:
            break
        reached, point = optimum.value, optimum.primal[first:-1]
        triples = violated_triples(has, point, single, most=200, per_item=8)
        if not len(triples):
            break
        crossed = crossing(has, triples).T.astype(np.int64)
        before = sparse.csr_array((len(triples), first), dtype=np.int64)
        given_up = np.ones((len(triples), 1), dtype=np.int64)
        blocks = before, *map(sparse.csr_array, (crossed, given_up))
        cuts = sparse.csr_array(sparse.hstack(blocks))
        program.add_rows(cuts, -np.inf, 1.0)
        model = _with_rows(model, cuts)
    ends = np.where(best < 0, model.upper, 0)
    fixed = (np.abs(best) > (limit - 1) * SCALE - total) & (ends == 0)
    fixed[-1] = False
    upper = np.where(fixed, 0, model.upper)
    return Tightened(
        replace(model, upper=upper), -(-total // SCALE), int((upper > 0).sum())
    )


def judged(model: LinearModel, duals: FloatArray) -> tuple[IntArray, int]:
    """Return the reduced costs d and the bound, in units of 1 / `SCALE`, exactly.

    Any multipliers prove a bound; those that could leave 64 bits are not used.
    """
    sizes = np.abs(duals)
    reach = (abs(model.rows).T @ sizes).max(initial=0.0) + np.abs(model.objective).max()
    sides = np.abs(np.concatenate((model.row_lower, model.row_upper)))
    greatest = float(sides[sides < INFINITE].max(initial=0))
    if SCALE * (reach * model.upper.sum() + sizes.sum() * greatest) > _SAFE:
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


def _with_rows(model: LinearModel, cuts: sparse.csr_array[Any]) -> LinearModel:
    """Return the model with further rows of at most 1."""
    count = cuts.shape[0]
    return replace(
        model,
        rows=sparse.csr_array(sparse.vstack((model.rows, cuts))),
        row_lower=np.concatenate((model.row_lower, np.full(count, -INFINITE))),
        row_upper=np.concatenate((model.row_upper, np.ones(count, np.int64))),
    )
