"""Reduced cost fixing: the gap of mid-size tables is closed under a rising limit.

1. Weights of the records prove a bound L, at best that of the linear program
   (:mod:`atleastk.solvers.tables.dual_ascent`,
   :mod:`atleastk.solvers.tables.root_lp`).
2. Guess a limit B a little above L. A solution that costs less than B has only patterns
   and pairs of reduced costs below B - L, and only groups of such reduced costs: few,
   so that most patterns can have them listed one by one.
3. Minimise over these, with cuts (:mod:`atleastk.solvers.tables.cuts`). The result
   is the optimum, or proves that B is a bound: then raise B, at most to the best cost
   known, and repeat.

Tables of few pairs are branched on before anything is listed
(:mod:`atleastk.solvers.tables.branching`); the limits are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from atleastk.arrays import IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import first_answer
from atleastk.solvers.tables.branching import Tree
from atleastk.solvers.tables.cuts import tightened
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.listed_groups import list_groups, no_groups
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers, relevant
from atleastk.solvers.tables.reduced_model import ReducedModel, reduced_model
from atleastk.solvers.tables.rising_limits import (
    CLOSING,
    LimitedModel,
    minimise_below,
    raise_limits,
    settle_below,
    whole_cp_sat,
)
from atleastk.solvers.tables.root_lp import converge
from atleastk.solvers.tables.table_search import TableSearch

_MOST_PER_PATTERN: Final = (20_000, 1000, 100, 10)
"""Groups per pattern; tried in turn, until there are not too many groups in all."""

_MOST_GROUPS: Final = 40_000
"""Groups that one model may list."""

_MOST_DISTINCT: Final = 2500
"""Records for which column generation ends soon."""

MOST_BRANCHED: Final = 10_000
"""Pairs of tables that are solved by branch and price, at any gap."""

_MOST_WHOLE: Final = 5_000
"""Pairs of tables that are also minimised as a whole, at the same time."""

_ALONE: Final = 1.0
"""Seconds that the limits have before that."""

_STEP: Final = 0.25
"""By how much a limit exceeds the proved bound, as a share of its excess over the LP
bound."""


def close_gap(table: TableSearch, proved: Multipliers, budget: Budget) -> None:
    """Look for the optimum of a table and its proof until the budget is spent.

    All patterns of the table are listed, its rows all pay the same, and the weights
    prove the bound of the linear program, or nearly so.
    """
    table.raise_bound(proved.bound, CLOSING)
    if table.search.done or budget.spent:
        return
    alone = table.listed.patterns.pairs > _MOST_WHOLE or budget.workers == 1
    part = budget if alone else budget.slice(_ALONE)
    _raise_limits(table, proved, part)
    if table.search.done or budget.spent or alone:
        return

    def by_limits(race: Budget) -> bool:
        _raise_limits(table, proved, replace(race, workers=budget.workers))
        return True

    def as_a_whole(race: Budget) -> bool:
        listed, limit = table.listed, table.cost
        whole = reduced_model(listed, no_groups(listed), limit)
        limited = _limited(table, whole, 0)
        minimise_below(table, limited, limit, 0, *whole_cp_sat(budget), race)
        return table.search.done

    first_answer((by_limits, as_a_whole), budget, bool)


def _raise_limits(table: TableSearch, proved: Multipliers, budget: Budget) -> None:
    branched = table.listed.patterns.pairs <= MOST_BRANCHED
    tree = Tree(table, proved) if branched else None

    def settle(limit: int) -> None:
        if tree is not None:
            tree.explore(limit, budget)
        else:
            limited = _below(table, proved, limit, budget)
            settle_below(table, limited, limit, budget, enough=limit)

    raise_limits(table, settle, budget, _STEP, proved.value)


def lp_bound(
    table: ListedTable,
    budget: Budget,
    start: Multipliers | None = None,
    on_bound: Callable[[int], object] = lambda _: None,
) -> Multipliers:
    """Return weights that prove the LP bound, or nearly so, by ascent and columns."""
    proved = start
    if proved is None:
        ascent = budget.slice(0.1 * min(budget.remaining, 600.0))
        proved = improve(table, ascent)
        on_bound(proved.bound)
    if table.records.distinct <= _MOST_DISTINCT:
        root = budget.slice(0.2 * min(budget.remaining, 600.0))
        proved = converge(table, proved, root)
        on_bound(proved.bound)
    return proved


def _below(
    table: TableSearch, proved: Multipliers, limit: int, budget: Budget
) -> LimitedModel:
    """Return the model of groups that solutions below a limit may have, with cuts."""
    left = relevant(table.listed, proved, limit)
    pool = no_groups(left)
    for most in _MOST_PER_PATTERN:
        listed = list_groups(left, proved, limit, budget, most, _MOST_GROUPS)
        if listed.groups.count < _MOST_GROUPS // 2 or listed.complete.all():
            pool = listed
            break
    reduced = reduced_model(left, pool, limit)
    cutting = budget.slice(0.2 * min(budget.remaining, 600.0))
    tight = tightened(reduced, table.records, limit, cutting)
    return _limited(table, replace(reduced, model=tight.model), tight.bound)


def _limited(table: TableSearch, reduced: ReducedModel, bound: int) -> LimitedModel:
    def offer(values: IntArray) -> None:
        table.offer_assignment(reduced.decode(values), CLOSING)

    return LimitedModel(reduced.model, bound, offer)
