"""The incumbent: the best solution and bound while several methods close the gap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock

from atleastk.instances.records import Records
from atleastk.solvers.tables.assignment import Assignment


@dataclass(slots=True)
class Incumbent:
    """The best solution and bound of a table; several threads may report to it.

    Attributes
    ----------
    cost, assignment
        The best solution; its groups may have 2k rows and more.
    bound
        No solution costs less.
    """

    records: Records
    cost: int
    assignment: Assignment
    on_assignment: Callable[[Assignment], object]
    on_bound: Callable[[int], object]
    bound: int = 0
    lock: RLock = field(default_factory=RLock)

    @property
    def closed(self) -> bool:
        """Whether the best solution is proved optimal."""
        return self.bound >= self.cost

    def found(self, assignment: Assignment) -> None:
        """Report a solution."""
        cost = assignment.cost(self.records)
        with self.lock:
            if cost < self.cost:
                self.cost, self.assignment = cost, assignment
                self.on_assignment(assignment)

    def proved(self, bound: int) -> None:
        """Report a bound for solutions below the best cost known."""
        with self.lock:
            bound = min(bound, self.cost)
            if bound > self.bound:
                self.bound = bound
                self.on_bound(bound)
