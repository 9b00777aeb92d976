"""Reduced cost fixing: the gap of a table is closed under a limit that rises.

1. Weights of the records prove a bound L, at best that of the linear program
   (:mod:`atleastk.solvers.tables.dual_ascent`).
2. Guess a limit B a little above L. A solution that costs less than B has only patterns
   and pairs of reduced costs below B - L, and only groups of such reduced costs: few,
   so that most patterns can have them listed one by one.
3. Minimise over these, with cuts (:mod:`atleastk.solvers.tables.cuts`), in a model that
   may give up, at the price of B. The result is the optimum, or proves that B is a
   bound: then raise B, at most to the best cost known, and repeat.

A poor solution does no harm that way: limits grow from below, and models with them.
Where rows pay different weights, or groups keep a condition on sensitive values, the
models are those of the pairs. Tables of few pairs are branched on before anything is
listed (:mod:`atleastk.solvers.tables.branching`); the limits are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from atleastk.arrays import IntArray
from atleastk.models.linear import LinearModel
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import first_answer
from atleastk.solvers.engine.set_partition.listed import escape_of
from atleastk.solvers.tables.branching import Tree
from atleastk.solvers.tables.cuts import tightened
from atleastk.solvers.tables.listed_groups import list_groups, no_groups
from atleastk.solvers.tables.multipliers import Multipliers, relevant
from atleastk.solvers.tables.reduced_model import ReducedModel, reduced_model
from atleastk.solvers.tables.table_search import TableSearch

CLOSING: Final = "closing"
"""The source of solutions and bounds in results."""

_CP_SAT_WORKERS: Final = 8
"""CP-SAT gains more from many workers than it loses on few cores."""

_MOST_PER_PATTERN: Final = (20_000, 1000, 100, 10)
"""Groups per pattern; tried in turn, until there are not too many groups in all."""

_MOST_GROUPS: Final = 40_000
"""Groups that one model may list."""

MOST_BRANCHED: Final = 10_000
"""Pairs of tables that are solved by branch and price, at any gap."""

_MOST_WHOLE: Final = 5_000
"""Pairs of tables that are also minimised as a whole, at the same time."""

_ALONE: Final = 1.0
"""Seconds that the limits have before that."""

_STEP: Final = 0.25
"""By how much a limit exceeds the proved bound, as a share of its excess over the LP
bound."""


class LimitedModel(NamedTuple):
    """A model of solutions below a limit; its last variable gives up, for the limit.

    No point costs less than the bound. Points that do not give up can be offered.
    """

    model: LinearModel
    bound: int
    offer: Callable[[IntArray], object]


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
        limit, pool = table.cost, no_groups(table.listed)
        whole = reduced_model(table.listed, pool, limit)
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


def close_by_pairs(
    table: TableSearch, below: Callable[[int], LimitedModel], budget: Budget
) -> None:
    """Minimise below ever higher limits until the budget is spent or the gap closed.

    `below` makes the model for a limit. It ends with a limit that is not settled in its
    time.
    """

    def settle(limit: int) -> None:
        part = budget.share(0.6)
        settle_below(table, below(limit), limit, part)

    raise_limits(table, settle, budget, 1.0, table.bound)


def raise_limits(
    table: TableSearch,
    settle: Callable[[int], object],
    budget: Budget,
    growth: float,
    begun: float,
) -> None:
    """Settle ever higher limits, at most the best cost, until the gap is closed.

    A limit exceeds the bound by `growth` times what that has risen from where it was
    `begun`, and by 1 at least. `settle` finds a solution below it, or raises the bound
    to it. It ends with a limit that moves neither cost nor bound.
    """
    step = 1
    while not (table.search.done or budget.spent):
        before = table.bound, table.cost
        settle(min(table.cost, table.bound + step))
        if (table.bound, table.cost) == before:
            return
        step = max(1, int(growth * (table.bound - begun)))


def settle_below(
    table: TableSearch,
    limited: LimitedModel,
    limit: int,
    budget: Budget,
    enough: int = 0,
) -> None:
    """Minimise below a limit with all back ends at once, until the first has finished.

    It ends before with a solution that costs less than `enough`.
    """
    table.raise_bound(min(limited.bound, limit), CLOSING)
    if table.bound >= limit or table.search.done:
        return
    run = partial(minimise_below, table, limited, limit, enough)
    runs, race = [partial(run, Highs(), 1)], budget.apart()
    if budget.workers > 1:
        runs.append(partial(run, *whole_cp_sat(budget)))
    with budget.calling(race.stop.set):
        first_answer(runs, race, lambda _: True)


def whole_cp_sat(budget: Budget) -> tuple[Backend, int]:
    """Return CP-SAT and its workers."""
    return CpSat(), max(_CP_SAT_WORKERS, budget.workers)


def minimise_below(
    table: TableSearch,
    limited: LimitedModel,
    limit: int,
    enough: int,
    backend: Backend,
    workers: int,
    race: Budget,
) -> None:
    """Minimise with one back end.

    The race ends once nothing below the limit is possible, or with a solution that
    costs less than `enough`.
    """

    def found(values: IntArray) -> None:
        if not values[-1]:
            limited.offer(values)
        if table.cost < enough:
            race.stop.set()

    def proved(bound: int) -> None:
        table.raise_bound(min(bound, limit), CLOSING)
        if bound >= limit or table.search.closed:
            race.stop.set()

    answer = backend.minimise(
        limited.model,
        replace(race, workers=workers),
        hint=escape_of(limited.model),
        on_answer=found,
        on_bound=proved,
    )
    answer.tell(found, proved)
