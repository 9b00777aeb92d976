"""The column, property or attribute with weights, and its values.

A name that is given has to be there, on every item. By default it is the usual name; if
that is missing, an error lists the names that are there, since weights of 1 would
answer another question. With None every item counts 1. A graph without any
attributes at all can mean nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import Any, Final

import numpy as np

from atleastk.instances.fields.errors import InvalidInstanceError, meant, quoted
from atleastk.instances.fields.shapes import whole


class Usual(Enum):
    """The marker for the usual name."""

    NAME = "the usual name"


USUAL: Final = Usual.NAME
Attribute = str | Usual | None
"""A name, the usual name, or None: every item counts 1."""

USUAL_WEIGHTS: Final = ("weight", "population")
"""The usual names of weights of regions."""


def usual_name(
    known: Collection[object], usual: Sequence[str], where: str, kind: str
) -> str:
    """Return the usual name among these; an error if there is none, or several."""
    there = [name for name in usual if name in known]
    if len(there) > 1:
        raise InvalidInstanceError(
            f"{where}: {' and '.join(there)} are both there; say which is meant"
        )
    if not there:
        names = " or ".join(map(quoted, usual))
        raise InvalidInstanceError(_unknown(names, known, where, kind, ""))
    return there[0]


def unknown_name(name: str, known: Collection[object], where: str, kind: str) -> str:
    """Return the message about an unknown name."""
    return _unknown(quoted(name), known, where, kind, meant(name, known))


def numbers_of(
    items: Sequence[tuple[str, Mapping[Any, Any]]],
    name: Attribute,
    usual: Sequence[str],
    kind: str,
) -> list[int]:
    """Return the numbers that the nodes or edges of a graph have in an attribute.

    `items` have a name for errors and their attributes.
    """
    known = dict.fromkeys(name for _, data in items for name in data)
    if name is None or not items or (name is USUAL and not known):
        return [1] * len(items)
    if isinstance(name, Usual):
        name = usual_name(known, usual, "graph", kind)
    elif name not in known:
        raise InvalidInstanceError(unknown_name(name, known, "graph", kind))
    numbers = []
    for what, data in items:
        if name not in data:
            raise InvalidInstanceError(f"graph: {what}: no {name!r}, which others have")
        number = whole_number(data[name])
        if number is None or number < 0:
            raise InvalidInstanceError(
                f"graph: {what}: expected a whole {name} of at least 0, got "
                f"{data[name]!r}"
            )
        numbers.append(number)
    return numbers


def whole_number(value: Any) -> int | None:
    """Return a whole number, which may be written with a decimal point."""
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, float | np.floating):
        return int(value) if value.is_integer() else None
    return whole(value)


def _unknown(
    names: str, known: Collection[object], where: str, kind: str, hint: str
) -> str:
    there = f"there are {', '.join(map(str, known))}" if known else "there is none"
    return f"{where}: no {kind} {names}; {hint}{there}; by weight=None each counts 1"
