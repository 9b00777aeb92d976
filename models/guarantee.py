"""What a paper promises of an algorithm, in a form that tests can assert."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

__all__ = ["Guarantee"]


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A promise ``cost <= ceiling(instance, optimum)`` under stated hypotheses.

    Attributes
    ----------
    statement
        The promise in words or formula, e.g. ``"cost <= 5/2 * OPT"``.
    theorem
        Where it is stated and proved, e.g. ``"[Du09] Theorem 10"``.
    hypotheses
        What must hold of the instance, in words; empty if nothing must.
    ceiling
        The greatest cost allowed on an instance with the given optimum.
    applies
        Whether the hypotheses hold of an instance.
    """

    statement: str
    theorem: str
    ceiling: Callable[[Any, int], Fraction | int]
    hypotheses: str = ""
    applies: Callable[[Any], bool] = lambda _instance: True

    def holds(self, instance: Any, cost: int, optimum: int) -> bool:
        """Tell whether a cost keeps the promise (true if it does not apply)."""
        return not self.applies(instance) or cost <= self.ceiling(instance, optimum)

    @property
    def promise(self) -> str:
        """The statement with its hypotheses."""
        under = f" if {self.hypotheses}" if self.hypotheses else ""
        return f"{self.statement}{under}"

    def __str__(self) -> str:
        return f"{self.promise} ({self.theorem})"
