"""Families of generated instances: what the generators are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from atleastk.instances.instance import Instance

__all__ = ["Family"]

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
