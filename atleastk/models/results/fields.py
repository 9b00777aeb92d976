"""The fields of results and certificates, read by their shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    InvalidResultError,
)
from atleastk.instances.fields.shapes import (
    PRINTED_DIGITS,
    Integer,
    ListOf,
    Nullable,
    Row,
    Shape,
)
from atleastk.instances.fields.spelling import others_of

T = TypeVar("T")

INTEGER: Final = Integer(digits=PRINTED_DIGITS)
INTEGERS: Final = ListOf(INTEGER)
PAIR: Final = Row("a pair of integers", (INTEGER, INTEGER))
GROUPS: Final = Nullable(ListOf(INTEGERS))
"""Lists of item indices, or null."""


def read(
    data: Mapping[str, Any], name: str, shape: Shape[T], default: T | None = None
) -> T:
    """Read a field of a result; it may be missing if it may be null.

    Raise `InvalidResultError` if it has another shape, or is missing without a default.
    """
    key = next((n for n in (name, *others_of(name)) if n in data), None)
    if key is None and default is None and not isinstance(shape, Nullable):
        raise InvalidResultError(f"{name}: missing; a result needs it")
    return parsed(shape, default if key is None else data[key], name)


def read_list(data: Mapping[str, Any], name: str, item: Shape[T]) -> tuple[T, ...]:
    """Read a list of a result; an empty one if it is missing or null."""
    return read(data, name, Nullable(ListOf(item))) or ()


def parsed(
    shape: Shape[T],
    value: object,
    path: str,
    error: type[AtleastkError] = InvalidResultError,
) -> T:
    """Return a value in the form of its shape, or raise an error that names it."""
    try:
        return shape.parse(value, path)
    except InvalidInstanceError as misfit:
        raise error(str(misfit)) from misfit
