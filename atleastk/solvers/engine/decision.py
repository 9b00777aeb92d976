"""What a decision about a level came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from atleastk.models.status import Status
from atleastk.solvers.backends.backend import Answer
from atleastk.solvers.search import Search

__all__ = ["Decision", "no_answer", "remark"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """Whether there is something, and what was found.

    Attributes
    ----------
    status
        FEASIBLE with something found, INFEASIBLE if it was proved that there is
        nothing, UNKNOWN if the time or the memory was spent.
    found
        What was found.
    why
        Why it was not reached, if that was not for the time.
    """

    status: Status
    found: T | None = None
    why: str = ""

    @classmethod
    def of(cls, found: T) -> Decision[T]:
        """Return the decision that this is one."""
        return cls(Status.FEASIBLE, found)

    @classmethod
    def impossible(cls) -> Decision[T]:
        """Return the decision that there is none."""
        return cls(Status.INFEASIBLE)

    @classmethod
    def unknown(cls, why: str = "") -> Decision[T]:
        """Return the decision that was not reached."""
        return cls(Status.UNKNOWN, why=why)


def no_answer(answer: Answer) -> str:
    """Return what is to be said of a back end that neither found nor refuted."""
    return f"{answer.backend} ended without an answer"


def remark(search: Search[Any], source: str, level: int, why: str = "") -> None:
    """Say which level was left undecided with time left, and why."""
    reason = f": {why}" if why else ""
    search.remark(f"{source} cannot decide about the level {level}{reason}")
