"""The outcome of a decision problem: a solution, a refutation, or unknown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from atleastk.arrays import IntArray
from atleastk.models.linear import LinearModel
from atleastk.models.results.status import Status
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.budget import Budget

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """Whether a solution exists, and the solution that was found."""

    status: Status  # FEASIBLE, INFEASIBLE, or UNKNOWN without time or memory
    found: T | None = None  # the solution
    why: str = ""  # it is unknown, if not for lack of time
    proof: Mapping[str, Any] | None = None  # of infeasibility, to be re-checked
    by: str = ""  # the name of the method that decided, where several were asked

    @classmethod
    def of(cls, found: T) -> Decision[T]:
        """Return the decision that this is a solution."""
        return cls(Status.FEASIBLE, found)

    @classmethod
    def impossible(cls, proof: Mapping[str, Any] | None = None) -> Decision[T]:
        """Return the decision that there is no solution."""
        return cls(Status.INFEASIBLE, proof=proof)

    @classmethod
    def unknown(cls, why: str = "") -> Decision[T]:
        """Return that no decision was reached."""
        return cls(Status.UNKNOWN, why=why)

    def read(self, into: Callable[[T], U]) -> Decision[U]:
        """Return the same decision, with the solution converted."""
        found = None if self.found is None else into(self.found)
        return Decision(self.status, found, self.why, self.proof, self.by)

    def credited(self, by: str) -> Decision[T]:
        """Return the same decision with the name of its decider."""
        return replace(self, by=by)


def decided_by(
    backend: Backend,
    model: LinearModel,
    decode: Callable[[IntArray], T],
    budget: Budget,
) -> Decision[T]:
    """Decide whether a model has a point, and decode it."""
    answer = backend.minimise(model, budget)
    if answer.values is not None:
        return Decision.of(decode(answer.values))
    if answer.status is Status.INFEASIBLE:
        return Decision.impossible()
    return Decision.unknown(f"{answer.backend} ended without an answer")
