"""Functions that are called with the fields of a record: one declaration per wish.

The doors take a table and dozens of wishes. A data class declares them with their
defaults, and `called_with` makes the signature of the function from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from atleastk.models.results.result import Event
from atleastk.runs.ask import Ask, SearchLimits

P = ParamSpec("P")
C = TypeVar("C")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(eq=False)
class Call(SearchLimits):
    """What all doors are called with, besides a table and wishes."""

    on_event: Callable[[Event], object] | None = field(default=None, kw_only=True)

    def ask(self) -> Ask:
        """Return the parameters of a run that starts now."""
        limits = self.time_limit, self.workers, self.seed, self.memory_limit
        return Ask.of(*limits, self.method, self.on_event)


@dataclass(eq=False)
class OfTable:
    """A function of a table, whatever its library."""

    table: Any


def called_with(kind: Callable[P, C]) -> Callable[[Callable[[C], R]], Callable[P, R]]:
    """Let a function of one record be called with the fields of the record.

    As `anonymize(table, k=2)`, whose record holds the table and k.
    """

    def decorate(function: Callable[[C], R]) -> Callable[P, R]:
        shape = signature(kind).replace(
            return_annotation=signature(function).return_annotation
        )

        @wraps(function)
        def call(*given: P.args, **named: P.kwargs) -> R:
            shape.bind(*given, **named)  # or a TypeError says what is wrong
            return function(kind(*given, **named))

        call.__signature__ = shape  # type: ignore[attr-defined]  # for inspect.signature
        return call

    return decorate


def passing_on(kind: type) -> Callable[[F], F]:
    """Show the keywords that a function passes on: those of a record.

    They stand in its signature in place of the parameter that holds them.
    """

    def decorate(function: F) -> F:
        shape = signature(function)
        own = [p for p in shape.parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = {p.name for p in own}
        more = [
            p
            for p in signature(kind).parameters.values()
            if p.kind is p.KEYWORD_ONLY and p.name not in names
        ]
        shown = shape.replace(parameters=[*own, *more])
        function.__signature__ = shown  # type: ignore[attr-defined]  # as above
        return function

    return decorate
