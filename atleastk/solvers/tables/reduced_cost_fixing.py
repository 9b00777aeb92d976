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
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.branching import Tree
from atleastk.solvers.tables.cuts import tightened
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.incumbent import Incumbent
from atleastk.solvers.tables.listed_groups import list_groups, no_groups
from atleastk.solvers.tables.multipliers import Multipliers, relevant
from atleastk.solvers.tables.reduced_model import ReducedModel, reduced_model
from atleastk.solvers.tables.root_lp import converge

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


def close_gap(
    patterns: Patterns,
    records: Records,
    k: int,
    start: Assignment,
    budget: Budget,
    on_assignment: Callable[[Assignment], object] = lambda _: None,
    on_bound: Callable[[int], object] = lambda _: None,
    multipliers: Multipliers | None = None,
    bound: int = 0,
) -> Incumbent:
    """Look for the optimum of a table and its proof until the budget is spent.

    Parameters
    ----------
    patterns
        All closed patterns of the table.
    start
        A solution.
    on_assignment, on_bound
        Receive every better solution and bound; one at a time, from several threads.
    multipliers
        Weights that prove the bound of the linear program, or nearly so; computed if
        there are none.
    bound
        No solution costs less, as is known already.
    """
    known = Incumbent(records, start.cost(records), start, on_assignment, on_bound)
    proved = multipliers
    if proved is None:
        proved = lp_bound(patterns, records, k, budget, on_bound=known.proved)
    known.proved(max(bound, proved.bound))
    if known.closed or budget.spent:
        return known
    alone = patterns.pairs > _MOST_WHOLE or budget.workers == 1
    part = budget if alone else budget.slice(_ALONE)
    _raise_limits(patterns, records, k, proved, known, part)
    if known.closed or budget.spent or alone:
        return known

    def by_limits(race: Budget) -> bool:
        every = replace(race, workers=budget.workers)
        _raise_limits(patterns, records, k, proved, known, every)
        return True

    def as_a_whole(race: Budget) -> bool:
        workers = max(_CP_SAT_WORKERS, budget.workers)
        model = reduced_model(patterns, records, k, no_groups(patterns), known.cost)
        _run(CpSat(), workers, model, known, known.cost, 0, race)
        return known.closed

    first_answer((by_limits, as_a_whole), budget, bool)
    return known


def _raise_limits(
    patterns: Patterns,
    records: Records,
    k: int,
    proved: Multipliers,
    known: Incumbent,
    budget: Budget,
) -> None:
    branched = patterns.pairs <= _MOST_BRANCHED
    tree = Tree(patterns, records, k, proved) if branched else None
    step = 1
    while not known.closed and not budget.spent:
        before = known.bound, known.cost
        limit = min(known.cost, known.bound + step)
        if tree is not None:
            tree.explore(limit, known, budget)
        else:
            _raise_to(limit, patterns, records, k, proved, known, budget)
        if (known.bound, known.cost) == before:
            return
        step = max(1, int(_STEP * (known.bound - proved.value)))


def _raise_to(
    limit: int,
    patterns: Patterns,
    records: Records,
    k: int,
    proved: Multipliers,
    known: Incumbent,
    budget: Budget,
) -> None:
    """Find a solution of cost below the limit, or prove that there is none."""
    model = _within(patterns, records, k, proved, limit, budget)
    cutting = budget.slice(_CUTS * min(budget.remaining, 600.0))
    tight = tightened(model, records, limit, cutting)
    known.proved(min(limit, tight.bound))
    if known.bound < limit:
        _minimise(replace(model, model=tight.model), limit, known, budget)


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
    model: ReducedModel, limit: int, known: Incumbent, budget: Budget
) -> None:
    """Minimise with all back ends at once, until the first has finished."""
    backends: Sequence[tuple[Backend, int]] = [(Highs(), 1)]
    if budget.workers > 1:
        backends = [*backends, (CpSat(), max(_CP_SAT_WORKERS, budget.workers))]
    runs = [partial(_run, *backend, model, known, limit, limit) for backend in backends]
    race = budget.apart()
    with budget.calling(race.stop.set):
        first_answer(runs, race, lambda _: True)


def _run(
    backend: Backend,
    workers: int,
    model: ReducedModel,
    known: Incumbent,
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
            known.found(assignment)
        if known.cost < enough:
            race.stop.set()

    def proved(bound: int) -> None:
        known.proved(min(bound, limit))
        if bound >= limit or known.closed:
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
