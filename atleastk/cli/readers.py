"""Readers of option values: each turns a text into a value, or raises an error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from atleastk.instances.fields.allowance import allowed_rows
from atleastk.instances.fields.errors import AtleastkError, InvalidInstanceError
from atleastk.instances.fields.spelling import usual
from atleastk.instances.files.csv_rows import rows_of
from atleastk.instances.files.encoding import encoding_named
from atleastk.instances.suppression import COSTS
from atleastk.solvers.budget import checked_seed, checked_workers, positive
from atleastk.solvers.goal import checked_gap

_NEXT_CLASS: Final = re.compile(r'>(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""A ``>`` that is not between quotes."""

_DASHED: Final = re.compile(r"(\d+)-(\d+)")

_MOST_LEVELS: Final = 10_000
"""The most values of a range; more are a slip of the pen."""


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise ValueError(f'expected a number, got "{text}"') from error


def integer(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise ValueError(f'expected an integer, got "{text}"') from error


def seconds(text: str) -> float:
    return positive(number(text), "seconds")


def seconds_or_none(text: str) -> float | None:
    """Read a time limit, or the word none."""
    return None if text == "none" else seconds(text)


def steps(text: str) -> float:
    return positive(number(text), "deterministic seconds")


def gigabytes(text: str) -> float:
    return positive(number(text), "gigabytes")


def processors(text: str) -> int:
    return checked_workers(integer(text))


def seed_of(text: str) -> int:
    return checked_seed(integer(text))


def shuffling(text: str) -> int | bool:
    """Read the seed of an order; nothing is any order."""
    return seed_of(text) if text else True


def gap(text: str) -> float:
    """Read a share of the cost, as a number or a percentage."""
    try:
        share = float(Decimal(text[:-1]) / 100) if text.endswith("%") else number(text)
    except ArithmeticError as error:
        raise ValueError(f'expected a number or a percentage, got "{text}"') from error
    checked_gap(share)
    return share


def levels(text: str) -> tuple[int, ...]:
    """Read one k, or several: ``2,5,10``, ``2..50``, or both."""
    return tuple(k for word in text.split(",") for k in _range(word))


def _range(text: str) -> Iterable[int]:
    """Read one k, or the first and the last of several."""
    first, dots, last = text.partition("..")
    if not dots:
        return (level(text),)
    found = range(level(first), level(last) + 1)
    if not 0 < len(found) <= _MOST_LEVELS:
        raise ValueError(f"expected from 1 to {_MOST_LEVELS} values, got {text}")
    return found


def level(text: str) -> int:
    """Read an integer of at least 1."""
    found = integer(text)
    if found < 1:
        raise ValueError(f"expected an integer of at least 1, got {found}")
    return found


def window(text: str) -> int | tuple[int, int | None]:
    """Read ``2``, or ``2..3``, or ``2..``: a least number and a most one, if any."""
    first, dots, last = text.partition("..")
    low, high = count(first), count(last) if last else None
    if not dots:
        return low
    if high is not None and high < low:
        raise ValueError(f"expected a least number and a most one, got {text}")
    return low, high


def windowed(text: str) -> tuple[str, int | tuple[int, int | None]]:
    """Read ``NAME:2..3``."""
    name, colon, limits = text.rpartition(":")
    if not colon or not name:
        raise ValueError(f'expected COLUMN:LOW..HIGH, got "{text}"')
    return name, window(limits)


def cost(text: str) -> str:
    """Read the name of an objective, with hyphens or underscores."""
    found = usual(text.replace("-", "_"), COSTS)
    if found not in COSTS:
        known = ", ".join(COSTS).replace("_", "-")
        raise ValueError(f'expected one of {known}, got "{text}"')
    return found


def count(text: str) -> int:
    """Read an integer of at least 0."""
    if not text.isdecimal():
        ends = _DASHED.fullmatch(text)
        hint = f"; a range is {'..'.join(ends.groups())}" if ends else ""
        raise ValueError(f'expected an integer of at least 0, got "{text}"{hint}')
    return int(text)


def amount(text: str) -> float:
    found = number(text)
    if not 0 <= found < float("inf"):
        raise ValueError(f"expected a number of at least 0, got {text}")
    return found


def delimiter(text: str) -> str:
    """Read one character; a tab may be written as a word."""
    text = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(text) != 1 or text in '"\r\n':
        raise ValueError(f"expected one character or the word tab, got {text!r}")
    return text


def encoding(text: str) -> str:
    try:
        return encoding_named(text)
    except (LookupError, ValueError) as error:
        raise ValueError(
            f'expected an encoding, such as utf-8 or cp1252, got "{text}"'
        ) from error


def names(text: str) -> list[str]:
    """Read ``age,zip``; a name with a comma in it goes in double quotes."""
    rows = rows_of(text, f"names {text!r}", trimmed=True)
    if len(rows) > 1:
        raise AtleastkError(f"names {text!r}: expected one line")
    return rows[0][1] if rows else []


def allowance(text: str) -> str:
    """Check a number of rows, or a share of them; the table makes it a number."""
    try:
        allowed_rows(text, 0)
    except InvalidInstanceError as error:
        raise ValueError(str(error).partition(": ")[2]) from error
    return text


def allowances(text: str) -> tuple[str, ...]:
    """Check numbers of rows, or shares of them: ``0,1%,5%``."""
    return tuple(map(allowance, text.split(",")))


def classes(text: str) -> list[list[str]]:
    """Read ``age > zip,sex``."""
    return [names(members.strip()) for members in _NEXT_CLASS.split(text)]


def sized(text: str) -> tuple[str, str]:
    """Read ``NAME=SIZE``."""
    name, equals, size = text.rpartition("=")
    if not equals or not name:
        raise AtleastkError(f'expected NAME=SIZE, got "{text}"')
    return name, size
