"""What a decision about a level came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from atleastk.models.status import Status

__all__ = ["Decision"]

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
    """

    status: Status
    found: T | None = None

    @classmethod
    def of(cls, found: T) -> Decision[T]:
        """Return the decision that this is one."""
        return cls(Status.FEASIBLE, found)

    @classmethod
    def impossible(cls) -> Decision[T]:
        """Return the decision that there is none."""
        return cls(Status.INFEASIBLE)

    @classmethod
    def unknown(cls) -> Decision[T]:
        """Return the decision that was not reached."""
        return cls(Status.UNKNOWN)
