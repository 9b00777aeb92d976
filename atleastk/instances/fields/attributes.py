"""The column, property or attribute with weights, and its values.

A name that is given has to be there, on every item. By default it is the usual name; if
that is missing, an error lists the names that are there, since weights of 1 would
answer another question. With None every item counts 1. A graph without any
attributes at all can mean nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from math import isnan, nan
from typing import Any, Final

import numpy as np

from atleastk.instances.fields.errors import InvalidInstanceError, meant, quoted
from atleastk.instances.fields.shapes import MOST_DIGITS, shown, whole


class Usual(Enum):
    """The marker for the usual name."""

    NAME = "the usual name"


USUAL: Final = Usual.NAME
Attribute = str | Usual | None
"""A name, the usual name, or None: every item counts 1."""

_OBJECTS: Final = ("graph", "frame")
"""What is no file, and can be given from Python only."""

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
        raise InvalidInstanceError(
            _unknown(names, known, where, kind) + _unweighted(where)
        )
    return there[0]


def usual_label(known: Collection[object]) -> str | None:
    """Return what names of regions are called if nobody says: name, or NAME."""
    return next((x for x in map(str, known) if x.casefold() == "name"), None)


def weights_of(items: Sequence[tuple[str, str | None, Any]], column: str) -> list[int]:
    """Return the weights of regions: whole numbers of at least 0, or texts of these.

    `items` have a place for errors, the name of the region if it is known, and what is
    given. An error names the first that is no weight, and counts the others.
    """
    found = [_weight(given) for _, _, given in items]
    wrong = [item for item, weight in zip(items, found, strict=True) if weight is None]
    if wrong:
        where, called, given = wrong[0]
        of = "" if called is None else f" for {called}"
        more = f"; {len(wrong):,} regions are like that" if len(wrong) > 1 else ""
        raise InvalidInstanceError(
            f"{where}: {column}: expected a whole number of at least 0, got "
            f"{shown(given)}{of}{more}{_remedy(given)}"
        )
    return [weight for weight in found if weight is not None]


def _weight(given: Any) -> int | None:
    if isinstance(given, str):
        text = given.strip()
        given = int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None
    weight = whole_number(given)
    return None if weight is None or weight < 0 else weight


def _remedy(given: Any) -> str:
    """Return what to do about what is no weight, if that can be told."""
    try:
        number = nan if given is None or not str(given).strip() else float(given)
    except (TypeError, ValueError):
        return ""
    if isnan(number):
        return "; fill it in, be it with 0, or leave the region out"
    if number > 0 and not number.is_integer():
        return "; take a smaller unit, in which all are whole"
    return ""


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
        told = unknown_name(name, known, "graph", kind)
        raise InvalidInstanceError(told + _unweighted("graph"))
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


def _unweighted(where: str) -> str:
    """Return what can be done where there are no weights of a name."""
    if where in _OBJECTS:
        return "; by weight=None each counts 1"
    return "; say --weight NAME, or let each count 1 by --unweighted (weight=None)"


def _unknown(
    names: str, known: Collection[object], where: str, kind: str, hint: str = ""
) -> str:
    there = f"there are {', '.join(map(str, known))}" if known else "there is none"
    return f"{where}: no {kind} {names}; {hint}{there}"
