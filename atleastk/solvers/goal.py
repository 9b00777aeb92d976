"""A goal: when a run may end although its search is not closed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from atleastk.models.results.status import Stop


@dataclass(frozen=True, slots=True)
class Goal:
    """What is good enough; without a gap and a target only the optimum is.

    Attributes
    ----------
    gap
        A solution whose cost is above the bound by at most this part of it:
        ``cost - bound <= gap * |cost|``.
    target
        A solution that costs at most this.
    """

    gap: Fraction | None = None
    target: int | None = None

    def met_by(self, cost: int | None, bound: int | None) -> Stop | None:
        """Return which part of the goal a cost and a bound meet; None if none."""
        if cost is None:
            return None
        if self.target is not None and cost <= self.target:
            return Stop.TARGET
        if self.gap is None or bound is None:
            return None
        return Stop.GAP if cost - bound <= self.gap * abs(cost) else None
