"""Guarantees of algorithms from papers, in a form that tests can assert.

They are made of data and named functions, so that results with guarantees can be
pickled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from atleastk.instances.instance import Amount


@dataclass(frozen=True, slots=True)
class Times:
    """The ceiling of a ratio: the optimum times a factor, maybe one of the instance.

    Where costs are squares of lengths, the factor applies to lengths.
    """

    factor: Amount | Callable[[Any], Amount]

    def __call__(self, instance: Any, optimum: int) -> Amount:
        factor = self.factor(instance) if callable(self.factor) else self.factor
        ceiling: Amount = instance.stretched(optimum, factor)
        return ceiling


@dataclass(frozen=True, slots=True)
class Regardless:
    """A ceiling that does not depend on the optimum."""

    most: Callable[[Any], Amount]

    def __call__(self, instance: Any, _optimum: int) -> Amount:
        return self.most(instance)


def _always(_instance: Any) -> bool:
    return True


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
        Conditions on the instance, in words; empty if there are none.
    ceiling
        The greatest cost allowed on an instance with the given optimum.
    applies
        Whether the hypotheses hold of an instance.
    """

    statement: str
    theorem: str
    ceiling: Callable[[Any, int], Amount] = field(repr=False)
    hypotheses: str = ""
    applies: Callable[[Any], bool] = field(default=_always, repr=False)

    def holds(self, instance: Any, cost: int, optimum: int) -> bool:
        """Tell whether a cost keeps the promise (true if it does not apply)."""
        return not self.applies(instance) or cost <= self.ceiling(instance, optimum)

    def outside(self, instance: Any) -> str | None:
        """Return why nothing is promised of an instance; None if something is."""
        if self.applies(instance):
            return None
        under = f": only if {self.hypotheses}" if self.hypotheses else ""
        return f"outside of what is promised{under}"

    @property
    def promise(self) -> str:
        """The statement with its hypotheses."""
        under = f" if {self.hypotheses}" if self.hypotheses else ""
        return f"{self.statement}{under}"

    def __str__(self) -> str:
        return f"{self.promise} ({self.theorem})"
