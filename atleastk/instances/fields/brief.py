"""Short representations of large objects, for consoles."""

from __future__ import annotations

from dataclasses import fields
from reprlib import Repr
from typing import Any, Final

_REPR: Final = Repr()
_REPR.maxlevel = 3
_REPR.maxstring = _REPR.maxother = 160
_REPR.maxtuple = _REPR.maxlist = _REPR.maxdict = _REPR.maxset = 4
_REPR.maxfrozenset = _REPR.maxarray = _REPR.maxdeque = 4


def brief(value: Any) -> str:
    """Return the representation of a data class with the first parts of long fields."""
    parts = (
        f"{field.name}={_REPR.repr(getattr(value, field.name))}"
        for field in fields(value)
        if field.repr
    )
    return f"{type(value).__qualname__}({', '.join(parts)})"
