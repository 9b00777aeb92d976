"""The fields of a result's JSON object, each read with an error that names it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from sys import float_info
from typing import Any, NoReturn, TypeVar

from atleastk.instances.errors import InvalidResultError
from atleastk.instances.shapes import (
    UNPRINTABLE,
    listed,
    real,
    shown,
    whole,
)

__all__ = [
    "boxes",
    "events",
    "groups",
    "indices",
    "integer",
    "number",
    "optional_integer",
    "optional_object",
    "optional_text",
    "optional_word",
    "pairs",
    "text",
    "versions",
    "word",
]

E = TypeVar("E", bound=StrEnum)


def text(data: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """Return a text; one without a default must be there."""
    if key not in data and default is None:
        message = f"{key}: missing; a result needs it"
        raise InvalidResultError(message)
    value = data.get(key, default)
    return value if isinstance(value, str) else _expected(key, "a text", value)


def optional_text(value: object, path: str) -> str | None:
    """Return a text, or None."""
    if value is not None and not isinstance(value, str):
        _expected(path, "a text", value)
    return value


def word(data: Mapping[str, Any], key: str, words: type[E]) -> E:
    """Return one of a few words, which must be there."""
    value = text(data, key)
    if value not in list(words):
        _expected(key, "one of " + ", ".join(words), value)
    return words(value)


def optional_word(data: Mapping[str, Any], key: str, words: type[E]) -> E | None:
    """Return one of a few words, or None if it is missing or null."""
    return None if data.get(key) is None else word(data, key, words)


def integer(value: object, path: str) -> int:
    """Return an integer, of any magnitude that can be printed."""
    number = whole(value)
    if number is None or abs(number) >= UNPRINTABLE:
        _expected(path, "an integer", value)
    return number


def optional_integer(value: object, path: str) -> int | None:
    """Return an integer, or None."""
    return None if value is None else integer(value, path)


def number(value: object, path: str) -> float:
    """Return a finite number that is not negative."""
    found = _plain(value)
    if found is None:
        _expected(path, "a number", value)
    if not 0 <= found <= float_info.max:
        _expected(path, "a finite number of at least 0", value)
    return float(found)


def groups(value: object, path: str) -> list[list[int]] | None:
    """Return lists of item indices, or None."""
    if value is None:
        return None
    return [
        [
            integer(item, f"{path}[{g}][{i}]")
            for i, item in enumerate(_items(group, f"{path}[{g}]"))
        ]
        for g, group in enumerate(_items(value, path))
    ]


def indices(value: object, path: str) -> list[int]:
    """Return item indices, none if they are missing or null."""
    listed = [] if value is None else _items(value, path)
    return [integer(item, f"{path}[{i}]") for i, item in enumerate(listed)]


def pairs(value: object, path: str) -> list[tuple[int, int]]:
    """Return pairs of integers."""
    found = groups(value, path) or []
    for i, pair in enumerate(found):
        if len(pair) != 2:
            _expected(f"{path}[{i}]", "a pair of integers", pair)
    return [(first, second) for first, second in found]


def boxes(value: object, path: str) -> list[tuple[float, float, float, float]]:
    """Return quadruples of finite numbers; none if they are missing or null."""
    found = []
    for i, row in enumerate([] if value is None else _items(value, path)):
        four = [
            number
            for x in _items(row, f"{path}[{i}]")
            if (number := _plain(x)) is not None and abs(number) <= float_info.max
        ]
        if len(four) != 4:
            _expected(f"{path}[{i}]", "four finite numbers", row)
        found.append((four[0], four[1], four[2], four[3]))
    return found


def _plain(value: object) -> float | None:
    """Return a number as a plain one, exact if it is whole; None of others."""
    number = whole(value)
    return real(value) if number is None else number


def events(value: object, path: str) -> list[tuple[float, int | None, int | None]]:
    """Return the triples (seconds, cost, bound)."""
    rows = []
    for i, row in enumerate(_items(value, path)):
        where = f"{path}[{i}]"
        triple = _items(row, where)
        if len(triple) != 3:
            _expected(where, "[seconds, cost, bound]", row)
        seconds, cost, bound = triple
        rows.append(
            (
                number(seconds, f"{where}[0]"),
                optional_integer(cost, f"{where}[1]"),
                optional_integer(bound, f"{where}[2]"),
            )
        )
    return rows


def versions(value: object, path: str) -> dict[str, str]:
    """Return a mapping from names to versions."""
    found = optional_object(value, path)
    if found is None or not all(isinstance(v, str) for v in found.values()):
        _expected(path, "an object of texts", value)
    return dict(found)


def optional_object(value: object, path: str) -> Mapping[str, Any] | None:
    """Return a JSON object, or None."""
    if value is not None and not isinstance(value, Mapping):
        _expected(path, "an object", value)
    return value


def _items(value: object, path: str) -> list[object]:
    items = listed(value)
    return _expected(path, "a list", value) if items is None else list(items)


def _expected(path: str, wanted: str, value: object) -> NoReturn:
    message = f"{path}: expected {wanted}, got {shown(value)}"
    raise InvalidResultError(message)
