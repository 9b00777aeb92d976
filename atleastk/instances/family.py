"""Families of generated instances: what the generators are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any, Generic, TypeVar

from atleastk.instances.errors import InvalidInstanceError, UnknownNameError
from atleastk.instances.instance import Instance

__all__ = ["Family", "Parameters", "at_least", "defaults_of", "described", "require"]

Parameters = Mapping[str, int | str | None]
I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers


@dataclass(frozen=True, slots=True)
class Family(Generic[I]):
    """A family of generated instances.

    ``make`` takes a seed and the family's own parameters by keyword: those of its
    signature, unless they are ``given``.
    """

    name: str
    summary: str
    make: Callable[..., I]
    given: Parameters | None = None

    @property
    def parameters(self) -> Parameters:
        """The family's own parameters with their defaults."""
        return defaults_of(self.make) if self.given is None else self.given

    def default(self, parameter: str) -> int | str | None:
        """Return the default of a parameter, which the family has to have."""
        if parameter not in self.parameters:
            known = ", ".join(f"{n}={d}" for n, d in self.parameters.items())
            message = f'{self.name} has no parameter "{parameter}"; known are {known}'
            raise UnknownNameError(message)
        return self.parameters[parameter]


def defaults_of(make: Callable[..., Any]) -> Parameters:
    """Return the defaults of what a function takes after a seed."""
    _, *own = signature(make).parameters.values()
    return {parameter.name: parameter.default for parameter in own}


def described(family: str, seed: int, **parameters: int | str) -> dict[str, Any]:
    """Return the name and the source of a generated instance, as its fields."""
    shown = "".join(f" {key}={value}" for key, value in parameters.items())
    return {
        "name": f"{family}{shown} seed={seed}",
        "source": f"generated: family {family}, seed {seed}{shown}",
    }


def require(condition: bool, message: str) -> None:
    """Raise `InvalidInstanceError` unless a parameter is as it has to be."""
    if not condition:
        raise InvalidInstanceError(message)


def at_least(least: int, **parameters: int) -> None:
    """Raise `InvalidInstanceError` if a parameter is below `least`."""
    for name, value in parameters.items():
        require(value >= least, f"{name}: expected at least {least}, got {value}")
