"""The request for a run: its budget, its method, and what to prove."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Final

from atleastk.models.completed import Claim
from atleastk.models.results.result import Event
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.goal import Goal
from atleastk.solvers.search import Ran

AUTO: Final = "auto"
"""The name of the automatic choice of methods."""

_MOST: Final = 0.5
"""A note says so if reading takes more than this share of the time: not tuned."""

PUBLISHING: Final = 4e-7
"""Seconds that a cell takes after the search. A million took 0.2 to 0.5, in tables of
60,000 to 6 million, of text, Parquet or pandas, of few or many distinct rows."""


@dataclass(eq=False)
class SearchLimits:
    """Limits of a search, or of several together; see :func:`atleastk.solve`."""

    _: KW_ONLY
    time_limit: float | None = None
    workers: int | None = None
    seed: int = 0
    method: str = AUTO
    memory_limit: float | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """The request for a run; see :func:`atleastk.solve`."""

    budget: Budget
    """The limits of the run; its time is running already."""
    method: str = AUTO
    certify: bool = False
    agree: bool = False
    start: Claim | None = None
    goal: Goal = field(default_factory=Goal)
    on_event: Callable[[Event], object] | None = None
    on_stage: Callable[[Ran], object] | None = None
    note: str | None = None
    """The first note of the result."""
    began: float = field(default_factory=CLOCK.now)
    """When the budget began, on the clock of runs."""

    @classmethod
    def of(
        cls,
        time_limit: float | None = None,
        workers: int | None = None,
        seed: int = 0,
        memory_limit: float | None = None,
        method: str = AUTO,
        on_event: Callable[[Event], object] | None = None,
        *,
        certify: bool = False,
        agree: bool = False,
        start: Claim | None = None,
        gap: float | None = None,
        target: int | None = None,
        work_limit: float | None = None,
    ) -> Ask:
        """Return the request for a run that begins now, once it is checked."""
        budget = Budget.checked(time_limit, workers, seed, memory_limit, work_limit)
        goal = Goal.checked(gap, target)
        return cls(budget, method, certify, agree, start, goal, on_event)

    def within(self, memory: float) -> Ask:
        """Return the same for a process of so many bytes of memory, at most."""
        less = min(self.budget.memory, memory)
        return replace(self, budget=replace(self.budget, memory=less))

    def sparing(self, cells: int = 0, of_reading: float = 1.0) -> Ask:
        """Reserve time for what comes after the search of a table of so many cells.

        That is to publish it, to count it again, to report and to write: a share of
        what reading has taken, or so many seconds for each cell if that is more. At
        most three quarters of the remaining time are reserved.
        """
        left = self.budget.remaining
        if left == float("inf"):
            return self
        allowed, took = self.budget.deadline - self.began, CLOCK.now() - self.began
        note = None
        if took > _MOST * allowed:
            note = f"reading took {took:.0f} of {round(allowed, 1):g} s"
        left -= min(max(of_reading * took, PUBLISHING * cells), 3 * left / 4)
        return replace(self, budget=self.budget.slice(left), note=note)
