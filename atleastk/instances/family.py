"""Families of generated instances: what the generators are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from atleastk.instances.errors import InvalidInstanceError, UnknownNameError
from atleastk.instances.instance import Instance

__all__ = ["Family", "described", "require"]

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers


@dataclass(frozen=True, slots=True)
class Family(Generic[I]):
    """A family of generated instances.

    ``make`` takes a seed and the family's own parameters by keyword; ``parameters``
    names them with their defaults.
    """

    name: str
    summary: str
    make: Callable[..., I]
    parameters: Mapping[str, int | str | None] = field(default_factory=dict)

    def default(self, parameter: str) -> int | str | None:
        """Return the default of a parameter, which the family has to have."""
        if parameter not in self.parameters:
            known = ", ".join(f"{n}={d}" for n, d in self.parameters.items())
            message = f'{self.name} has no parameter "{parameter}"; known are {known}'
            raise UnknownNameError(message)
        return self.parameters[parameter]


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
