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

A poor solution does no harm that way: B grows from below, and the models with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import first_answer
from atleastk.solvers.tables.branching import Tree
from atleastk.solvers.tables.closing_by_pairs import raise_limits
from atleastk.solvers.tables.cuts import tightened
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.listed_groups import list_groups, no_groups
from atleastk.solvers.tables.multipliers import Multipliers, relevant
from atleastk.solvers.tables.reduced_model import ReducedModel, reduced_model
from atleastk.solvers.tables.root_lp import converge
from atleastk.solvers.tables.table_search import TableSearch

SOURCE: Final = "closing"
"""The source of solutions and bounds in results."""

_MOST_PER_PATTERN: Final = (20_000, 1000, 100, 10)
"""Groups per pattern; tried in turn, until there are not too many groups in all."""

_MOST_GROUPS: Final = 40_000
"""Groups that one model may list."""

_MOST_DISTINCT: Final = 2500
"""Records for which column generation ends soon."""

_MOST_BRANCHED: Final = 10_000
"""Pairs of tables that are solved by branch and price."""

_MOST_WHOLE: Final = 5_000
"""Pairs of tables that are also minimised as a whole, at the same time."""

_ALONE: Final = 1.0
"""Seconds that the limits have before that."""

_CP_SAT_WORKERS: Final = 8
"""CP-SAT gains more from many workers than it loses on few cores."""

_STEP: Final = 0.25
"""By how much a limit exceeds the proved bound, as a share of its excess over the LP
bound."""

_ASCENT: Final = 0.1
_ROOT: Final = 0.2
_CUTS: Final = 0.2
"""Shares of the time left for ascent, linear program and cuts."""


def close_gap(table: TableSearch, proved: Multipliers, budget: Budget) -> None:
    """Look for the optimum of a table and its proof until the budget is spent.

    All patterns of the table are listed, its rows all pay the same, and the weights
    prove the bound of the linear program, or nearly so.
    """
    table.raise_bound(proved.bound, SOURCE)
    if table.search.done or budget.spent:
        return
    alone = table.listed.pairs > _MOST_WHOLE or budget.workers == 1
    part = budget if alone else budget.slice(_ALONE)
    _raise_limits(table, proved, part)
    if table.search.done or budget.spent or alone:
        return

    def by_limits(race: Budget) -> bool:
        _raise_limits(table, proved, replace(race, workers=budget.workers))
        return True

    def as_a_whole(race: Budget) -> bool:
        workers = max(_CP_SAT_WORKERS, budget.workers)
        patterns, limit = table.listed, table.cost
        parts = patterns, table.records, table.k, no_groups(patterns)
        _run(CpSat(), workers, reduced_model(*parts, limit), table, limit, 0, race)
        return table.search.done

    first_answer((by_limits, as_a_whole), budget, bool)


def _raise_limits(table: TableSearch, proved: Multipliers, budget: Budget) -> None:
    branched = table.listed.pairs <= _MOST_BRANCHED
    tree = Tree(table, proved) if branched else None

    def settle(limit: int) -> None:
        if tree is not None:
            tree.explore(limit, budget)
        else:
            _raise_to(limit, table, proved, budget)

    raise_limits(table, settle, budget, _STEP, proved.value)


def _raise_to(
    limit: int, table: TableSearch, proved: Multipliers, budget: Budget
) -> None:
    """Find a solution of cost below the limit, or prove that there is none."""
    model = _within(table.listed, table.records, table.k, proved, limit, budget)
    cutting = budget.slice(_CUTS * min(budget.remaining, 600.0))
    tight = tightened(model, table.records, limit, cutting)
    table.raise_bound(min(limit, tight.bound), SOURCE)
    if table.bound < limit:
        _minimise(replace(model, model=tight.model), limit, table, budget)


def lp_bound(
    patterns: Patterns,
    records: Records,
    k: int,
    budget: Budget,
    start: Multipliers | None = None,
    on_bound: Callable[[int], object] = lambda _: None,
) -> Multipliers:
    """Return weights that prove the LP bound, or nearly so, by ascent and columns."""
    proved = start
    if proved is None:
        ascent = budget.slice(_ASCENT * min(budget.remaining, 600.0))
        proved = improve(patterns, records, k, ascent)
        on_bound(proved.bound)
    if records.distinct <= _MOST_DISTINCT:
        root = budget.slice(_ROOT * min(budget.remaining, 600.0))
        proved = converge(patterns, records, k, proved, root)
        on_bound(proved.bound)
    return proved


def _within(
    patterns: Patterns,
    records: Records,
    k: int,
    proved: Multipliers,
    limit: int,
    budget: Budget,
) -> ReducedModel:
    left = relevant(patterns, records, k, proved, limit)
    pool = no_groups(left)
    for most in _MOST_PER_PATTERN:
        listed = list_groups(
            left, records, k, proved, limit, budget, most, _MOST_GROUPS
        )
        if listed.groups.count < _MOST_GROUPS // 2 or listed.complete.all():
            pool = listed
            break
    return reduced_model(left, records, k, pool, limit)


def _minimise(
    model: ReducedModel, limit: int, table: TableSearch, budget: Budget
) -> None:
    """Minimise with all back ends at once, until the first has finished."""
    backends: Sequence[tuple[Backend, int]] = [(Highs(), 1)]
    if budget.workers > 1:
        backends = [*backends, (CpSat(), max(_CP_SAT_WORKERS, budget.workers))]
    runs = [partial(_run, *backend, model, table, limit, limit) for backend in backends]
    race = budget.apart()
    with budget.calling(race.stop.set):
        first_answer(runs, race, lambda _: True)


def _run(
    backend: Backend,
    workers: int,
    model: ReducedModel,
    table: TableSearch,
    limit: int,
    enough: int,
    race: Budget,
) -> None:
    """Minimise below a limit with one back end.

    The race ends once nothing below the limit is possible, or with a solution that
    costs less than `enough`.
    """

    def found(values: IntArray) -> None:
        assignment = model.decode(values)
        if assignment is not None:
            table.offer_assignment(assignment, SOURCE)
        if table.cost < enough:
            race.stop.set()

    def proved(bound: int) -> None:
        table.raise_bound(min(bound, limit), SOURCE)
        if bound >= limit or table.search.closed:
            race.stop.set()

    answer = backend.minimise(
        model.model,
        replace(race, workers=workers),
        hint=model.escape,
        on_answer=found,
        on_bound=proved,
    )
    if answer.values is not None:
        found(answer.values)
    if answer.bound is not None:
        proved(answer.bound)
