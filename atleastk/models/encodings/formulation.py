"""Formulations by name: linear models of whole instances, for any solver.

The optimum of a formulation is the least cost, with no bound or reduction beforehand,
and it has no solution iff the instance has none. Its mathematics is the docstring of
what builds it: variables under the names that files have, and rows as formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc
from typing import Any, Generic, TypeVar

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.models.encodings.encoding import Encoding

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers


def takes_all(_instance: Any) -> str | None:
    """Refuse nothing."""
    return None


def _items(instance: Any) -> int:
    return int(instance.n)


@dataclass(frozen=True, slots=True)
class Formulation(Generic[I]):
    """A formulation of a problem."""

    name: str
    build: Callable[[I], Encoding]
    """Returns the model of an instance, or raises `NotApplicableError`."""
    refuses: Callable[[I], str | None] = takes_all
    """Says why an instance has no such model, or None."""
    most: int = 400
    items: str = "items"
    count: Callable[[I], int] = _items
    """`most`, `items`, `count`: how many items it takes, what they are, and what counts
    them: with all pairs, models are tens of megabytes."""

    @property
    def mathematics(self) -> str:
        """The variables and the rows, as formulas."""
        return getdoc(self.build) or ""

    @property
    def summary(self) -> str:
        """The first line of its mathematics."""
        return self.mathematics.partition("\n")[0].rstrip(".:")

    def encoded(self, instance: I) -> Encoding:
        """Return the model of an instance, and the way between points and solutions.

        Raise `NotApplicableError` if it would be too large, or is not of this instance.
        """
        count = self.count(instance)
        if count > self.most:
            raise NotApplicableError(
                f"{count} {self.items} are too many for a model; it takes {self.most}"
            )
        reason = self.refuses(instance)
        if reason is not None:
            raise NotApplicableError(reason)
        return self.build(instance)
