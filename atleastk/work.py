"""Work on a table or a map: what it may take, and what comes of it.

An instance is made of the table, it is solved, and what was found is published. All of
that goes on within one budget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from atleastk.api import budget_of
from atleastk.instances.instance import Instance
from atleastk.models.result import Event
from atleastk.registry import problem_of
from atleastk.solvers.budget import Budget
from atleastk.solving import AUTO, Outcome, solve_within

__all__ = ["Work"]


@dataclass(frozen=True, slots=True)
class Work:
    """What work may take.

    Attributes
    ----------
    budget
        What the run may take; it runs already.
    allowed
        The seconds that were left when the work began.
    """

    budget: Budget
    allowed: float
    method: str = AUTO
    on_event: Callable[[Event], object] | None = None

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
        left -= min(self.allowed - left, 0.2 * left)
        return replace(self, budget=self.budget.slice(left), allowed=left)

    def solve(self, instance: Instance, **more: Any) -> Outcome:
        """Solve an instance; see :func:`atleastk.solving.solve_within`."""
        return solve_within(
            problem_of(instance),
            instance,
            self.budget,
            method=self.method,
            on_event=self.on_event,
            **more,
        )
