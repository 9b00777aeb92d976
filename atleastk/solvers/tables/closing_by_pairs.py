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
from typing import Any, Final, NamedTuple

from atleastk.arrays import IntArray
from atleastk.models.encodings.encoding import point
from atleastk.models.linear import LinearModel
from atleastk.models.results.solution import Solution
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import first_answer
from atleastk.solvers.search import Search

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
    search: Search[Any],
    below: Callable[[int, Budget], LimitedModel],
    budget: Budget,
    source: str,
    unit: int = 1,
) -> int | None:
    """Minimise below ever higher limits until the budget is spent or the gap closed.

    Returns the limit that was not settled in its time, if there is one.

    Parameters
    ----------
    below
        Makes the model for a limit, within a budget.
    unit
        What divides all costs.
    """
    started, step = search.bound or 0, unit
    while not (search.done or budget.spent) and search.cost is not None:
        bound = search.bound or 0
        limit = min(search.cost, bound + step)
        part = budget.share(_LIMIT)
        limited = below(limit, part)
        search.raise_bound(min(limited.bound, limit), source)
        if (search.bound or 0) < limit and not search.done:
            _minimise(search, limited, limit, part, source)
        if search.bound == bound and not search.done:
            return limit
        step = max(unit, int(_STEP * (bound + step - started)))
    return None


def _minimise(
    search: Search[Any], limited: LimitedModel, limit: int, budget: Budget, source: str
) -> None:
    """Minimise with all back ends at once, until the first has finished."""
    model = limited.model

    def found(values: IntArray) -> None:
        if not values[-1]:
            search.offer(limited.decode(values), source)

    def proved(bound: int) -> None:
        search.raise_bound(min(bound, limit), source)

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
