"""Shapes: the types of the fields of instances, results and certificates.

A shape does two things from one declaration, so that they cannot disagree: it parses
a value (returning it in immutable form, or raising an error that names the field), and
it describes itself as a fragment of JSON Schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain
from math import isfinite
from operator import index, ne
from sys import float_info
from typing import Any, Final, Generic, Protocol, SupportsIndex, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import SAFE
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.garbage import garbage_waits

JsonSchema = dict[str, Any]
S = TypeVar("S", bound=str)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

MOST_DIGITS: Final = 2000
"""The most digits of an integer. Python prints 4300, and costs are products of two."""

PRINTED_DIGITS: Final = 4300
"""The most digits that Python prints: results and certificates hold no more."""

_FRACTION: Final = re.compile(
    r"[0-9]{1,18}(\.[0-9]{1,18})?|[0-9]{1,18}/0*[1-9][0-9]{0,17}"
)
"""A decimal, or a fraction of whole numbers."""

_TOO_LARGE: Final = 10**MOST_DIGITS
"""The least integer that is refused."""


def shown(value: object) -> str:
    """Return a value as text for messages: on one line, and not too long."""
    try:
        text = "null" if value is None else " ".join(repr(value).split())
    except ValueError:  # Python prints no integer of that many digits
        text = "one of thousands of digits"
    return text if len(text) <= 40 else text[:37] + "..."


def whole(value: object) -> int | None:
    """Return an integer of any kind, also of numpy, as a plain one; None of others.

    True, false and arrays are not whole numbers.
    """
    if type(value) is int:  # to ask for the protocol takes long
        return value
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return index(value)
    except TypeError:  # an array of several elements says that it can be one
        return None


def listed(value: object) -> tuple[Any, ...] | None:
    """Return the items of a list, an array or the like; None of others.

    Texts and mappings are no lists, and neither are arrays without axes.
    """
    if type(value) in (list, tuple):  # nearly all, without the tests of the others
        return tuple(cast("Iterable[Any]", value))
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return None
    return None if isinstance(value, np.ndarray) and not value.ndim else tuple(value)


def real(value: object) -> float | None:
    """Return a floating-point number of any width as a plain one; None of others."""
    return float(value) if isinstance(value, float | np.floating) else None


class Shape(Protocol[T_co]):
    """The type of a field."""

    def parse(self, value: object, path: str) -> T_co:
        """Return `value` in immutable form, or raise `InvalidInstanceError`."""
        ...

    def json_schema(self) -> JsonSchema:
        """Return the fragment of JSON Schema that admits the same values."""
        ...


@dataclass(frozen=True, slots=True)
class Cell:
    """A text or a whole number."""

    def parse(self, value: object, path: str) -> str | int | float:
        if isinstance(value, str):
            return str(value)
        number = whole(value)
        if number is None:
            raise _misfit(path, "a text or an integer", value)
        if abs(number) >= _TOO_LARGE:
            raise _misfit(path, f"an integer of at most {MOST_DIGITS} digits", value)
        return number

    def json_schema(self) -> JsonSchema:
        return {"type": ["string", "integer"]}


@dataclass(frozen=True, slots=True)
class NumberCell(Cell):
    """A text or a finite number."""

    def parse(self, value: object, path: str) -> str | int | float:
        number = real(value)
        if number is None:
            return Cell().parse(value, path)
        if not isfinite(number):
            raise _misfit(path, "a finite number", value)
        return number

    def json_schema(self) -> JsonSchema:
        return {"type": ["string", "number"]}


@dataclass(frozen=True, slots=True)
class AnyObject:
    """An object that is read later, if at all."""

    def parse(self, value: object, path: str) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise _misfit(path, "an object", value)
        return value

    def json_schema(self) -> JsonSchema:
        return {"type": "object"}


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def parse(self, value: object, path: str) -> bool:
        if not isinstance(value, bool | np.bool_):
            raise _misfit(path, "true or false", value)
        return bool(value)

    def json_schema(self) -> JsonSchema:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number of at least `minimum`, if given, with at most `digits` digits."""

    minimum: int | None = None
    digits: int = MOST_DIGITS

    def parse(self, value: object, path: str) -> int:
        number = whole(value)
        if number is None:
            raise _misfit(path, "an integer", value)
        if self.minimum is not None and number < self.minimum:
            raise _misfit(path, f"an integer of at least {self.minimum}", value)
        if abs(number) >= _power_of_ten(self.digits):
            raise _misfit(path, f"an integer of at most {self.digits} digits", value)
        return number

    def json_schema(self) -> JsonSchema:
        least = {} if self.minimum is None else {"minimum": self.minimum}
        return {"type": "integer", **least}


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number of at least `minimum`, if given; exact if it is whole."""

    minimum: int | None = None

    def parse(self, value: object, path: str) -> float:
        number = real(value)
        found = whole(value) if number is None else number
        if found is None or not abs(found) <= float_info.max:
            raise _misfit(path, "a finite number, at most 1.7e308", value)
        if self.minimum is not None and found < self.minimum:
            raise _misfit(path, f"a finite number of at least {self.minimum}", value)
        return found

    def json_schema(self) -> JsonSchema:
        least = {} if self.minimum is None else {"minimum": self.minimum}
        return {"type": "number", **least}


@dataclass(frozen=True, slots=True)
class Share:
    """An exact fraction from 0 to 1; of a number it is the decimal that is printed."""

    def parse(self, value: object, path: str) -> Fraction:
        number = real(value)
        if number is not None:
            found = Fraction(repr(number)) if isfinite(number) else None
        elif isinstance(value, str):
            found = Fraction(value) if _FRACTION.fullmatch(value) else None
        else:
            exact = value if isinstance(value, Fraction) else whole(value)
            found = None if exact is None else Fraction(exact)
        if found is None or not 0 <= found <= 1:
            raise _misfit(path, "a fraction from 0 to 1, such as 0.2 or 1/5", value)
        return found

    def json_schema(self) -> JsonSchema:
        text = {"type": "string", "pattern": f"^({_FRACTION.pattern})$"}
        return {"anyOf": [text, {"type": "number", "minimum": 0, "maximum": 1}]}


@dataclass(frozen=True, slots=True)
class Nullable(Generic[T]):
    """A value of a shape, or null."""

    value: Shape[T]

    def parse(self, value: object, path: str) -> T | None:
        return None if value is None else self.value.parse(value, path)

    def json_schema(self) -> JsonSchema:
        schema = self.value.json_schema()
        if "enum" in schema:
            return {"enum": [*schema["enum"], None]}
        return {**schema, "type": [schema["type"], "null"]}


@dataclass(frozen=True, slots=True)
class ListOf(Generic[T]):
    """A list, of a given length or any, of values of one shape; parsed into a tuple."""

    item: Shape[T]
    length: int | None = None

    def parse(self, value: object, path: str) -> tuple[T, ...]:
        items = listed(value)
        if items is None or (self.length is not None and len(items) != self.length):
            wanted = "a list" if self.length is None else f"a list of {self.length}"
            raise _misfit(path, wanted, value)
        if are_plain(self.item, items):
            nested = bool(items) and isinstance(items[0], tuple | list)
            return tuple(map(tuple, items)) if nested else items  # type: ignore[arg-type]
        parse = self.item.parse
        return tuple(parse(item, f"{path}[{i}]") for i, item in enumerate(items))

    def json_schema(self) -> JsonSchema:
        return {"type": "array", "items": self.item.json_schema()}


@dataclass(frozen=True, slots=True)
class Row:
    """A list of a fixed length whose values have a shape each."""

    layout: str  # the expected list, as errors show it
    shapes: tuple[Shape[Any], ...]

    def parse(self, value: object, path: str) -> tuple[Any, ...]:
        items = listed(value)
        if items is None or len(items) != len(self.shapes):
            raise _misfit(path, self.layout, value)
        return tuple(
            shape.parse(item, f"{path}[{i}]")
            for i, (shape, item) in enumerate(zip(self.shapes, items, strict=True))
        )

    def json_schema(self) -> JsonSchema:
        return {
            "type": "array",
            "prefixItems": [shape.json_schema() for shape in self.shapes],
            "minItems": len(self.shapes),
            "maxItems": len(self.shapes),
        }


@dataclass(frozen=True, slots=True)
class IntegerRows:
    """Rows of one shape; an array if they are of one length, whole, and safe."""

    row: ListOf[int] | Row

    @garbage_waits()
    def parse(self, value: object, path: str) -> Sequence[tuple[Any, ...]]:
        found = _coded(value)
        if found is not None and self._admits(found.codes):
            return found
        return ListOf(self.row).parse(value, path)

    def _admits(self, codes: NDArray[Any]) -> bool:
        """Tell whether all numbers of an array are safe, and fit the shape of rows."""
        width, row = codes.shape[1], self.row
        shapes = row.shapes if isinstance(row, Row) else (row.item,) * width
        if len(shapes) != width or codes.max(initial=0) >= SAFE:
            return False
        bounds = (getattr(shape, "minimum", None) for shape in shapes)
        least = [-SAFE if bound is None else bound for bound in bounds]
        return bool((codes >= least).all())

    def json_schema(self) -> JsonSchema:
        return ListOf(self.row).json_schema()


@dataclass(frozen=True, slots=True)
class ObjectOf(Generic[T]):
    """An object whose values share one shape."""

    value: Shape[T]

    def parse(self, value: object, path: str) -> dict[str, T]:
        entries = AnyObject().parse(value, path).items()
        return {key: self.value.parse(item, f"{path}.{key}") for key, item in entries}

    def json_schema(self) -> JsonSchema:
        return {"type": "object", "additionalProperties": self.value.json_schema()}


@dataclass(frozen=True, slots=True)
class OneOf(Generic[S]):
    """One of a few words."""

    words: tuple[S, ...]

    def parse(self, value: object, path: str) -> S:
        found = [w for w in self.words if isinstance(value, str) and w == value]
        if not found:
            wanted = "one of " + ", ".join(f'"{word}"' for word in self.words)
            raise _misfit(path, wanted, value)
        return found[0]

    def json_schema(self) -> JsonSchema:
        return {"enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one length, whose cells have one shape."""

    cell: Cell = Cell()

    @garbage_waits()
    def parse(
        self, value: object, path: str
    ) -> tuple[tuple[Any, ...], ...] | CodedTable:
        if isinstance(value, CodedTable):
            return value
        listed_rows = listed(value)
        if listed_rows is None:
            raise _misfit(path, "a list of rows", value)
        if _are_lists(listed_rows):  # nearly all: see `listed`
            rows = tuple(map(tuple, listed_rows))
        else:
            found = [listed(row) for row in listed_rows]
            if None in found:
                i = found.index(None)
                raise _misfit(f"{path}[{i}]", "a row of cells", listed_rows[i])
            rows = tuple(row for row in found if row is not None)
        if len(set(map(len, rows))) > 1:
            first = len(rows[0])
            i, cells = next(row for row in enumerate(rows) if len(row[1]) != first)
            wanted = f"{first} cells as in row 0"
            raise _misfit(f"{path}[{i}]", wanted, cells)
        numbers = isinstance(self.cell, NumberCell)
        if numbers and are_plain(Number(), tuple(chain.from_iterable(rows))):
            return rows
        if _all_plain_cells(rows):
            known: dict[Any, Any] = {}  # a table has few values: each is stored once
            return tuple(tuple(map(known.setdefault, row, row)) for row in rows)
        parse = self.cell.parse
        return tuple(
            tuple(parse(cell, f"{path}[{i}][{j}]") for j, cell in enumerate(row))
            for i, row in enumerate(rows)
        )

    def json_schema(self) -> JsonSchema:
        row = {"type": "array", "items": self.cell.json_schema()}
        return {"type": "array", "items": row}


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text."""

    def parse(self, value: object, path: str) -> str:
        if not isinstance(value, str):
            raise _misfit(path, "a text", value)
        return value

    def json_schema(self) -> JsonSchema:
        return {"type": "string"}


def are_plain(shape: Shape[Any], items: tuple[Any, ...]) -> bool:
    """Tell whether all items are plain values of a shape: the fast path of lists.

    These are numbers, lists of numbers of one shape, and rows of numbers.
    """
    types: set[type] = set(map(type, items))
    kinds: set[type] = {int}
    lists = types <= {tuple, list}
    match shape:
        case Nullable():
            return are_plain(shape.value, items)
        case ListOf(item=Integer() | Number() | Nullable(), length=None) if lists:
            return are_plain(shape.item, tuple(chain.from_iterable(items)))
        case Row(shapes=shapes) if lists and set(map(len, items)) <= {len(shapes)}:
            flat = tuple(chain.from_iterable(items))
            return all(
                isinstance(one, Integer | Number)
                and are_plain(one, flat[j :: len(shapes)])
                for j, one in enumerate(shapes)
            )
        case Integer():
            most: float = _power_of_ten(shape.digits) - 1
        case Number():
            most, kinds = float_info.max, {int, float}
        case _:
            return False
    if not types <= kinds or (float in types and any(map(ne, items, items))):
        return False  # not even a NaN is equal to itself
    least = -most if shape.minimum is None else shape.minimum
    return min(items, default=least) >= least and max(items, default=most) <= most


def _are_lists(items: tuple[Any, ...]) -> bool:
    return set(map(type, items)) <= {tuple, list}


def _coded(value: object) -> CodedTable | None:
    """Return rows of integers as an array; None if they are no such, or not safe."""
    if isinstance(value, CodedTable):
        return value
    if isinstance(value, np.ndarray):
        whole_numbers = value.ndim == 2 and value.dtype.kind == "i"
        return CodedTable(value.astype(np.int64)) if whole_numbers else None
    items = listed(value)
    if not items or not _are_lists(items):
        return None
    cells, widths = [*chain.from_iterable(items)], set(map(len, items))
    if len(widths) > 1 or not set(map(type, cells)) <= {int}:
        return None
    if min(cells, default=0) < -SAFE or max(cells, default=0) >= SAFE:
        return None
    return CodedTable(np.array(cells, dtype=np.int64).reshape(len(items), *widths))


def _all_plain_cells(rows: tuple[tuple[Any, ...], ...]) -> bool:
    """Tell whether all cells are texts, or integers of any ordinary size."""
    types = set(map(type, chain.from_iterable(rows)))
    if not types <= {int, str}:
        return False
    cells = chain.from_iterable(rows) if int in types else ()
    numbers = [cell for cell in cells if type(cell) is int]
    return not numbers or -_TOO_LARGE < min(numbers) <= max(numbers) < _TOO_LARGE


@cache
def _power_of_ten(digits: int) -> int:
    power: int = 10**digits
    return power


def _misfit(path: str, wanted: str, value: object) -> InvalidInstanceError:
    return InvalidInstanceError(f"{path}: expected {wanted}, got {shown(value)}")
