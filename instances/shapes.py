"""Shapes: what a field of an instance may hold.

A shape does two things from one declaration, so that they cannot disagree: it parses
a value (returning it in immutable form, or raising an error that names the field), and
it describes itself as a fragment of JSON Schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, Protocol

from atleastk.instances.errors import InvalidInstanceError

__all__ = ["Integer", "JsonSchema", "ListOf", "OneOf", "Shape", "Text"]

JsonSchema = dict[str, Any]


class Shape(Protocol):
    """What a field may hold."""

    def parse(self, value: object, path: str) -> Any:
        """Return `value` in immutable form, or raise `InvalidInstanceError`."""
        ...

    def json_schema(self) -> JsonSchema:
        """Return the fragment of JSON Schema that admits the same values."""
        ...


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number of any magnitude, at least `minimum`."""

    minimum: int

    def parse(self, value: object, path: str) -> int:
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise InvalidInstanceError(_expected(path, "an integer", value))
        number = index(value)
        if number < self.minimum:
            wanted = f"an integer of at least {self.minimum}"
            raise InvalidInstanceError(_expected(path, wanted, value))
        return number

    def json_schema(self) -> JsonSchema:
        return {"type": "integer", "minimum": self.minimum}


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values that share one shape; parsed into a tuple."""

    item: Shape

    def parse(self, value: object, path: str) -> tuple[Any, ...]:
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            raise InvalidInstanceError(_expected(path, "a list", value))
        items = tuple(value)
        if isinstance(self.item, Integer) and _all_plain(items, self.item.minimum):
            return items
        parse = self.item.parse
        return tuple(parse(item, f"{path}[{i}]") for i, item in enumerate(items))

    def json_schema(self) -> JsonSchema:
        return {"type": "array", "items": self.item.json_schema()}


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    def parse(self, value: object, path: str) -> str:
        if not isinstance(value, str) or value not in self.words:
            wanted = "one of " + ", ".join(f'"{word}"' for word in self.words)
            raise InvalidInstanceError(_expected(path, wanted, value))
        return str(value)

    def json_schema(self) -> JsonSchema:
        return {"enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text."""

    def parse(self, value: object, path: str) -> str:
        if not isinstance(value, str):
            raise InvalidInstanceError(_expected(path, "a text", value))
        return value

    def json_schema(self) -> JsonSchema:
        return {"type": "string"}


def _all_plain(items: tuple[Any, ...], minimum: int) -> bool:
    """Tell whether all items are plain ints of at least `minimum`: the fast path."""
    return set(map(type, items)) <= {int} and min(items, default=minimum) >= minimum


def _expected(path: str, wanted: str, value: object) -> str:
    shown = "null" if value is None else repr(value)
    if len(shown) > 40:
        shown = shown[:37] + "..."
    return f"{path}: expected {wanted}, got {shown}"
