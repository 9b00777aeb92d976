"""Reduced cost fixing by pairs: the gap is closed under a rising limit.

Weights say which pairs of a pattern and a record solutions below a limit may use. So a
model of these pairs, in which giving up costs the limit, proves the limit or finds a
better solution; then the limit rises from the bound, at most to the best cost. It is
for tables whose groups cannot be listed one by one: rows that pay different weights, or
a condition on sensitive values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from atleastk.arrays import IntArray
from atleastk.models.encodings.encoding import point
from atleastk.models.linear import LinearModel
from atleastk.models.results.solution import Solution
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import first_answer
from atleastk.solvers.tables.table_search import TableSearch

_LIMIT: Final = 0.6
"""The share of the time left for one limit."""

_STEP: Final = 1.0
"""By how much a limit exceeds the bound, as a multiple of what models have raised
it."""

_CP_SAT_WORKERS: Final = 8
"""CP-SAT gains more from many workers than it loses on few cores."""


class LimitedModel(NamedTuple):
    """A model of solutions below a limit; its last variable gives up, for the limit.

    No point costs less than the bound. Of points that do not give up, `decode` makes
    solutions.
    """

    model: LinearModel
    bound: int
    decode: Callable[[IntArray], Solution]


def close_by_pairs(
    table: TableSearch,
    below: Callable[[int, Budget], LimitedModel],
    budget: Budget,
    source: str,
) -> None:
    """Minimise below ever higher limits until the budget is spent or the gap closed.

    It ends with a limit that is not settled in its time.

    Parameters
    ----------
    below
        Makes the model for a limit, in units of the table, within a budget.
    """
    search, unit = table.search, table.unit

    def settle(limit: int) -> None:
        part = budget.share(_LIMIT)
        limited = below(limit, part)
        search.raise_bound(unit * min(limited.bound, limit), source)
        if table.bound < limit and not search.done:
            _minimise(table, limited, limit, part, source)

    raise_limits(table, settle, budget, _STEP, table.bound)


def raise_limits(
    table: TableSearch,
    settle: Callable[[int], object],
    budget: Budget,
    growth: float,
    begun: float,
) -> None:
    """Settle ever higher limits, at most the best cost, until the gap is closed.

    A limit exceeds the bound by `growth` times what that has risen from where it was
    `begun`, and by 1 at least. It ends with a limit that moves neither cost nor bound.

    Parameters
    ----------
    settle
        Finds a solution below a limit, or raises the bound to it, in its time.
    """
    step = 1
    while not (table.search.done or budget.spent):
        before = table.bound, table.cost
        settle(min(table.cost, table.bound + step))
        if (table.bound, table.cost) == before:
            return
        step = max(1, int(growth * (table.bound - begun)))


def _minimise(
    table: TableSearch, limited: LimitedModel, limit: int, budget: Budget, source: str
) -> None:
    """Minimise with all back ends at once, until the first has finished."""
    model, search = limited.model, table.search

    def found(values: IntArray) -> None:
        if not values[-1]:
            search.offer(limited.decode(values), source)

    def proved(bound: int) -> None:
        search.raise_bound(table.unit * min(bound, limit), source)

    def run(backend: Backend, workers: int, race: Budget) -> None:
        answer = backend.minimise(
            model,
            replace(race, workers=workers),
            hint=point(model.columns, [(model.columns - 1, 1)]),
            on_answer=found,
            on_bound=proved,
        )
        if answer.values is not None:
            found(answer.values)
        if answer.bound is not None:
            proved(answer.bound)

    backends: Sequence[tuple[Backend, int]] = [(Highs(), 1)]
    if budget.workers > 1:
        backends = [*backends, (CpSat(), max(_CP_SAT_WORKERS, budget.workers))]
    runs = [partial(run, *backend) for backend in backends]
    first_answer(runs, budget, lambda _: True)
