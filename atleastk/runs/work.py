"""Work on a table or a map: what it may take, and what comes of it.

An instance is made of the table, it is solved, and what was found is published. All of
that goes on within one budget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from atleastk.instances.instance import Instance
from atleastk.models.results.result import Event
from atleastk.runs.api import budget_of
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import AUTO, Outcome, solve_within
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK

_MOST: Final = 0.5
"""The share of the limit from which on it is told what reading took: not tuned."""


@dataclass(frozen=True, slots=True)
class Work:
    """What work may take.

    Attributes
    ----------
    budget
        What the run may take; it runs already.
    allowed
        The seconds that were left when the work began.
    told
        What a result says of the time before the search, if that took most of it.
    """

    budget: Budget
    allowed: float
    method: str = AUTO
    on_event: Callable[[Event], object] | None = None
    told: str | None = None

    @classmethod
    def of(
        cls,
        time_limit: float | None = None,
        workers: int | None = None,
        seed: int = 0,
        memory_limit: float | None = None,
        method: str = AUTO,
        on_event: Callable[[Event], object] | None = None,
        work_limit: float | None = None,
    ) -> Self:
        """Return the work that begins now; see `atleastk.solve`."""
        budget = budget_of(time_limit, workers, seed, memory_limit, work_limit)
        return cls(budget, budget.remaining, method, on_event)

    def sparing(self) -> Self:
        """Return the work that leaves time for what follows.

        Writing a table takes about as long as reading it took. At most a fifth of what
        is left is set aside for it.
        """
        left = self.budget.remaining
        if left == float("inf"):
            return self
        took = CLOCK.now() + self.allowed - self.budget.deadline
        told = None
        if took > _MOST * self.allowed:
            told = f"reading the table took {took:.0f} of {round(self.allowed, 1):g} s"
        left -= min(self.allowed - left, 0.2 * left)
        return replace(self, budget=self.budget.slice(left), allowed=left, told=told)

    def solve(self, instance: Instance, **more: Any) -> Outcome:
        """Solve an instance; see :func:`atleastk.runs.solving.solve_within`."""
        outcome = solve_within(
            problem_of(instance),
            instance,
            self.budget,
            method=self.method,
            on_event=self.on_event,
            **more,
        )
        if self.told is None:
            return outcome
        notes = filter(None, (self.told, outcome.result.note))
        return replace(outcome, result=replace(outcome.result, note="; ".join(notes)))
