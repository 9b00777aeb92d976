"""A goal: when a run may end although its search is not closed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

from atleastk.models.results.status import Stop
from atleastk.solvers.budget import is_integer


@dataclass(frozen=True, slots=True)
class Goal:
    """What is good enough; without a gap and a target only the optimum is."""

    gap: Fraction | None = None
    """A solution whose cost is above the bound by at most this part of it: ``cost -
    bound <= gap * |cost|``."""
    target: int | None = None
    """A solution that costs at most this."""

    @classmethod
    def checked(cls, gap: float | None = None, target: int | None = None) -> Goal:
        """Return a goal, after checking the parameters of `atleastk.solve`."""
        ratio = None if gap is None else checked_gap(gap, "gap: ")
        if target is None:
            return cls(ratio)
        if not is_integer(target):
            raise ValueError(f"target: expected an integer, as costs are, got {target}")
        return cls(ratio, int(target))

    def met_by(self, cost: int | None, bound: int | None) -> Stop | None:
        """Return which part of the goal a cost and a bound meet; None if none."""
        if cost is None:
            return None
        if self.target is not None and cost <= self.target:
            return Stop.TARGET
        if self.gap is None or bound is None:
            return None
        return Stop.GAP if cost - bound <= self.gap * abs(cost) else None


def checked_gap(value: Any, name: str = "") -> Fraction:
    """Return a gap as the decimal that it prints as: 7 of 100 are within 0.07.

    Errors begin with `name`.
    """
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not real or not 0 <= value <= 1:
        raise ValueError(f"{name}expected a number from 0 to 1, got {value}")
    return Fraction(str(float(value)))
