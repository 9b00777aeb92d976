"""Other spellings of public names, and other words for them.

Every public name has one spelling: help, messages and files show no other. The names
below are understood as well. On the command line and in files nothing is said of it; in
Python a `DeprecationWarning` gives the usual name.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import wraps
from inspect import signature
from typing import Any, Final, TypeVar, cast
from warnings import warn

from atleastk.instances.fields.errors import InvalidInstanceError, meant

T = TypeVar("T")

_USUAL: Final[Mapping[str, str]] = {
    "Anonymised": "Anonymized",
    "Generalisation": "Generalization",
    "KAnonymiser": "KAnonymizer",
    "anonymise": "anonymize",
    "cells": "entries",
    "centers": "centres",
    "delete": "deletion",
    "generalisation": "generalization",
    "hierarchy": "hierarchies",
    "importance": "column_order",
    "max_cells": "max_entries",
    "minimize": "minimise",
    "nothing": "none",
    "people-7": "people",
    "row_importance": "row_order",
    "seven-people": "people",
    "std": "deviation",
    "unit": "units",
}
"""The usual name by another one; options of the command line have hyphens."""


def usual(name: str, known: Container[str]) -> str:
    """Return the usual name if it is known and this one is not; else this one."""
    found = _USUAL.get(name, name)
    return found if found in known and name not in known else name


def usual_with_warning(name: str, known: Container[str], level: int) -> str:
    """Return the usual name, and warn the caller that many levels up the stack."""
    found = usual(name, known)
    if found != name:
        warn(f"{name} is called {found}", DeprecationWarning, stacklevel=level + 1)
    return found


def others_of(name: str) -> list[str]:
    """Return the other names of a usual one."""
    return [other for other, found in _USUAL.items() if found == name]


def renamed(
    given: Mapping[str, T],
    known: Container[str],
    name_of: Callable[[str, Container[str]], str] = usual,
) -> dict[str, T]:
    """Return values by their usual names.

    Raise `InvalidInstanceError` if one is given by two names.
    """
    found: dict[str, T] = {}
    for key, value in given.items():
        name = name_of(key, known)
        if name in found:
            raise InvalidInstanceError(
                f"{key}: given twice, also by another name; leave one out"
            )
        found[name] = value
    return found


def respelled(called: T) -> T:
    """Let a function, or the constructor of a class, take keywords by other names.

    A keyword that is not known is refused with the nearest one that is.
    """
    if isinstance(called, type):
        constructor = "__init__"
        setattr(called, constructor, respelled(getattr(called, constructor)))
        return called
    function: Any = called
    known = signature(function).parameters

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        if not keywords.keys() <= known.keys():
            keywords = renamed(keywords, known, _warned)
            for name in keywords.keys() - known.keys():
                wrong = f"got an unexpected keyword argument '{name}'"
                hint = f"; {meant(name, known)}".rstrip("; ")
                raise TypeError(f"{function.__qualname__}() {wrong}{hint}")
        return function(*args, **keywords)

    return cast(T, call)


def _warned(name: str, known: Container[str]) -> str:
    return usual_with_warning(name, known, 4)
