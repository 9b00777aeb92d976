"""Suppression within limits where entries have weights.

Limits do not look at weights. So two tables are solved first, each without one of them:

- *without weights*: that tells whether anything is feasible, and is a solution. The
  bound of its entries, times the least weight of a row and of a column, is one of the
  cost.
- *without limits and orders*: a table of prices and worth, solved by the stages of all
  tables, piece by piece where columns are intact. Its bound is one of the cost; its
  groups, padded, are a solution if they keep the limits, and optimal then.

From the better one near rows are rearranged at what they cost, within the limits
(:mod:`~atleastk.solvers.tables.column_stars`); a model of cells closes the gap, if it
is not too large to be written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.results.solution import Solution, labels_of
from atleastk.models.suppression import check, solution_of_groups
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.stages import reseeded
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.first import offer_if_feasible
from atleastk.solvers.suppression.piecewise import PiecewiseSearch, run_of
from atleastk.solvers.tables.column_stars import Ceilings
from atleastk.solvers.tables.leaders import refuses_leaders
from atleastk.solvers.tables.near_moves import regroup
from atleastk.solvers.tables.reporting import Throttle
from atleastk.solvers.tables.steps import NEAR_ROWS


def minimise_weighted(
    search: Search[Suppression], solve: Callable[[Search[Suppression]], None]
) -> None:
    """Minimise the cost of entries by their weights; `solve` knows none."""
    instance = search.instance
    modelled = refuses_leaders(instance.n, instance.m) is None
    with search.stage("unweighted"):
        _forget_weights(search, solve)
    if search.done:
        return
    entries = PiecewiseSearch(search, "unlimited")
    if not entries.feasible:
        search.close_infeasible("intact columns")
        return
    with search.stage("unlimited"):
        entries.run(search.budget.share(0.5))
    if search.solution is not None and not search.done and _has_ceilings(instance):
        part = search.budget.share(0.3) if modelled else search.budget
        _move_near_rows(search, part)
    if modelled and not search.done:
        minimise_encoded(search, cell_model(instance), CpSat(), "cells")


def _forget_weights(
    search: Search[Suppression], solve: Callable[[Search[Suppression]], None]
) -> None:
    """Solve the table as if all entries cost 1, longer if nothing is found soon."""
    instance, budget = search.instance, search.budget
    own = budget.share(0.75).apart()
    plain: Search[Suppression] = Search(instance.unweighted, check, own)

    def end() -> None:
        if plain.solution is not None or budget.spent:
            own.stop.set()

    with own.awaiting(), budget.share(0.25).calling(end):
        solve(plain)
    if plain.infeasible:
        search.close_infeasible("unweighted", plain.certificate)
        return
    if plain.solution is not None:
        search.offer(plain.solution, "unweighted")
    least = min(instance.row_worth, default=1) * min(instance.column_worth, default=1)
    search.raise_bound((plain.bound or 0) * least, "unweighted")


def _has_ceilings(instance: Suppression) -> bool:
    """Whether limits are ceilings; orders and regions of rows and columns are not."""
    ordered = instance.row_order or instance.column_order
    return not ordered and instance.region != ("rows", "columns")


def _move_near_rows(search: Search[Suppression], part: Budget) -> None:
    """Rearrange near rows within the limits, again and again; once without a limit."""
    instance, records = search.instance, run_of(search).rounded
    ceilings = _ceilings(instance)

    def report(labels: IntArray) -> None:
        groups: Sequence[Sequence[int]] = Solution.labelled(labels).groups
        offer_if_feasible(search, solution_of_groups(instance, groups), NEAR_ROWS)

    throttle = Throttle(report)
    for own in reseeded(search, part, once=part.endless, growing=True):
        assert search.solution is not None
        labels, k = labels_of(search.solution.groups, instance.n), instance.k
        best = regroup(records, k, labels, own, throttle.take, ceilings=ceilings)
        throttle.take(best)
        throttle.flush()


def _ceilings(instance: Suppression) -> Ceilings:
    """Return the limits of an instance, and those of its intact columns."""
    limits, n, m = instance.limits, instance.n, instance.m
    per_column = np.full(m, limits.get("per_column", n), dtype=np.int64)
    per_column[list(instance.intact)] = 0
    return Ceilings(
        limits.get("per_row", m),
        per_column,
        limits.get("entries", n * m),
        limits.get("rows", n),
        limits.get("columns", m),
    )
