"""A point of a curve of costs: the best that is known for one k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from atleastk.models.results.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeoffPoint:
    """The least cost found for a k, and the bound proved.

    Attributes
    ----------
    k
        The least size of a group.
    result
        The answer, its cost recomputed for this k: `atleastk.check` takes it with
        ``result.instance``.
    seconds
        What was spent on searches for this k; 0 if neighbours told all.
    found_at, proved_at
        The k whose search found the solution, and the one whose search proved the
        bound; None without one.
    """

    k: int
    result: Result
    seconds: float
    found_at: int | None
    proved_at: int | None

    @property
    def cost(self) -> int | None:
        """The cost of the best solution; None without one."""
        return self.result.cost

    @property
    def bound(self) -> int | None:
        """No solution costs less; None if nothing is known."""
        return self.result.bound

    @property
    def gap(self) -> float | None:
        """(cost - bound) / |cost|; None if either is unknown."""
        return self.result.gap

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: the figures, without the solution."""
        return {
            "k": self.k,
            "cost": self.cost,
            "bound": self.bound,
            "gap": self.gap,
            "status": str(self.result.status),
            "trust": None if self.result.trust is None else str(self.result.trust),
            "groups": self.result.number_of_groups,
            "found_at": self.found_at,
            "proved_at": self.proved_at,
            "seconds": round(self.seconds, 3),
            "instance_sha256": self.result.instance_sha256,
        }
