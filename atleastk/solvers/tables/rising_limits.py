"""Rising limits: the gap of a table is closed by models of what lies below a limit.

Weights say what solutions below a limit may use: which pairs of a pattern and a record,
or which groups. So a model of these, in which giving up costs the limit, proves the
limit or finds a better solution; then the limit rises from the bound, at most to the
best cost. A poor solution does no harm that way: limits grow from below, and the models
with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from atleastk.solvers.tables.table_search import TableSearch

CLOSING: Final = "closing"
"""The source of solutions and bounds in results."""

_CP_SAT_WORKERS: Final = 8
"""CP-SAT gains more from many workers than it loses on few cores."""

Backends = Sequence[tuple[Backend, int]]
"""Back ends, and the workers of each."""


class LimitedModel(NamedTuple):
    """A model of solutions below a limit; its last variable gives up, for the limit.

    No point costs less than the bound. Points that do not give up can be offered.
    """

    model: LinearModel
    bound: int
    offer: Callable[[IntArray], object]


def close_by_pairs(
    table: TableSearch, below: Callable[[int], LimitedModel], budget: Budget
) -> None:
    """Minimise below ever higher limits until the budget is spent or the gap closed.

    It is for tables whose groups cannot be listed one by one: rows that pay different
    weights, or a condition on sensitive values. `below` makes the model for a limit. It
    ends with a limit that is not settled in its time.
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
    backends: Backends = [(Highs(), 1)]
    if budget.workers > 1:
        backends = [*backends, whole_cp_sat(budget)]
    run = partial(minimise_below, table, limited, limit, enough)
    race = budget.apart()
    with budget.calling(race.stop.set):
        first_answer([partial(run, *each) for each in backends], race, lambda _: True)


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
    if answer.values is not None:
        found(answer.values)
    if answer.bound is not None:
        proved(answer.bound)
