"""Windows on what a group holds: the same words for every problem that takes them.

``groups``: [least, most]
    How many groups there are.
``require``: [{"of": what, "at_least": a, "at_most": b}, ...]
    Of "items", the number of items of a group; of a list of whole numbers, one for each
    item, their sum over a group; of a list of words, the number of items of a group
    with any one word, for every word. It is from `at_least` to `at_most`. Numbers may
    be below 0: -1 for an item and 1 for each of its friends, at least 0, asks for one
    of them where it is.
``together``, ``apart``: [[item, ...], ...]
    Items of one group; items of which no two are in one group.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, Final, cast

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import LISTS, Given, Shaped, shaped
from atleastk.instances.fields.shapes import (
    AnyObject,
    Integer,
    JsonSchema,
    ListOf,
    OneOf,
    Row,
    listed,
    shown,
)

_ITEMS: Final = "items"
_KEYS: Final = ("of", "at_least", "at_most")
_WHOLE: Final = Integer(minimum=0)
_AMOUNT: Final = Integer()
_MOST_SUM: Final = 2**62
"""Sums of amounts without signs stay below, so that they fit 64 bits."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A whole number of every item, of which the sum over any group has limits."""

    name: str
    """What it is, for messages."""
    amounts: tuple[int, ...]
    """Of every item."""
    least: int | None
    most: int | None
    """`least`, `most`: the limits of a group; None for none."""

    @property
    def lowest(self) -> int:
        """The least that any set of items holds: all amounts below 0."""
        return sum(min(0, amount) for amount in self.amounts)

    @property
    def highest(self) -> int:
        """The most that any set of items holds: all amounts above 0."""
        return sum(max(0, amount) for amount in self.amounts)

    @property
    def low(self) -> int:
        """The least of a group, at most 1 above what any set holds."""
        least = self.lowest if self.least is None else self.least
        return max(self.lowest, min(least, self.highest + 1))

    @property
    def high(self) -> int:
        """The most of a group, at least 1 below what any set holds."""
        most = self.highest if self.most is None else self.most
        return min(self.highest, max(most, self.lowest - 1))

    @property
    def splits(self) -> bool:
        """Whether both parts of any group that is within the limits are, too."""
        return not self.lowest and not max(0, self.low)

    def counts(self, n: int) -> range:
        """Return how many groups n items make by the limits of all they hold."""
        total, fewest, most = sum(self.amounts), 0, n
        if self.least is not None and self.least > 0:
            most = min(n, total // self.least)
        if self.most is not None and total > 0:
            fewest = -(-total // self.most) if self.most > 0 else n + 1
        return range(fewest, most + 1)

    def violation(self, group: Sequence[int]) -> str | None:
        """Say what a group holds too little or too much of, None if nothing."""
        held = sum(self.amounts[item] for item in group)
        if self.least is not None and held < self.least:
            return f"holds {held} of {self.name}, fewer than {self.least}"
        if self.most is not None and held > self.most:
            return f"holds {held} of {self.name}, more than {self.most}"
        return None


@dataclass(frozen=True, slots=True)
class Requirement(Given):
    """What is required of every group, as given; a mapping of what is there."""

    of: str | tuple[Any, ...]
    """``"items"``, or a number of every item, or a word of every item."""
    at_least: int | None = None
    at_most: int | None = None

    def quantities(self, n: int, path: str) -> Iterator[Quantity]:
        """Yield what is limited for groups of n items; one for each word."""
        least, most = self.at_least, self.at_most
        if isinstance(self.of, str):
            yield Quantity(_ITEMS, (1,) * n, least, most)
            return
        if len(self.of) != n:
            raise InvalidInstanceError(
                f"{path}.of: {len(self.of)} values for {n} items"
            )
        if all(isinstance(value, str) for value in self.of):
            for word in sorted(set(self.of)):
                held = tuple(int(value == word) for value in self.of)
                yield Quantity(f'"{word}"', held, least, most)
        elif sum(map(abs, self.of)) >= _MOST_SUM:
            raise InvalidInstanceError(
                f"{path}.of: they add up to 2**62 or more; take larger units"
            )
        else:
            yield Quantity(f"{path}.of", self.of, least, most)


@dataclass(frozen=True, slots=True)
class _RequirementShape:
    def parse(self, value: object, path: str) -> Requirement:
        asked = AnyObject().parse(value, path)
        if asked.keys() - {*_KEYS} or "of" not in asked or len(asked) < 2:
            raise InvalidInstanceError(
                f'{path}: expected "of" with "at_least" or "at_most" or both, got '
                f"{shown(dict(asked))}"
            )
        of = self._of(asked["of"], f"{path}.of")
        signed = any(not isinstance(value, str) and value < 0 for value in of)
        limit_shape = _AMOUNT if signed else _WHOLE
        limits = {
            key: limit_shape.parse(limit, f"{path}.{key}")
            for key, limit in asked.items()
            if key != "of" and limit is not None
        }
        if limits.get("at_most", inf) < limits.get("at_least", -inf):
            raise InvalidInstanceError(
                f"{path}.at_most: {limits['at_most']} is less than at_least, "
                f"{limits['at_least']}"
            )
        return Requirement(of, **limits)

    def _of(self, value: object, path: str) -> str | tuple[Any, ...]:
        values = listed(value)
        if values is None:
            return OneOf((_ITEMS,)).parse(value, path)
        words = bool(values) and all(isinstance(each, str) for each in values)
        return values if words else ListOf(_AMOUNT).parse(values, path)

    def json_schema(self) -> JsonSchema:
        limit = {"anyOf": [_AMOUNT.json_schema(), {"type": "null"}]}
        words = {"type": "array", "items": {"type": "string"}}
        of = [{"const": _ITEMS}, ListOf(_AMOUNT).json_schema(), words]
        return {
            "type": "object",
            "properties": {"of": {"anyOf": of}, "at_least": limit, "at_most": limit},
            "required": ["of"],
            "minProperties": 2,
            "additionalProperties": False,
        }


@dataclass(frozen=True, kw_only=True)
class Windowed(Shaped):
    """Fields of instances whose groups have windows; see the module.

    A class that inherits it has a number `n` of items.
    """

    groups: Sequence[int] | None = field(
        default=None,
        metadata=shaped(Row("[least, most]", (Integer(minimum=0), Integer(minimum=0)))),
    )
    require: Sequence[Requirement | Mapping[str, Any]] | None = field(
        default=None, metadata=shaped(ListOf(_RequirementShape()))
    )
    together: Sequence[Sequence[int]] | None = field(default=None, metadata=LISTS)
    apart: Sequence[Sequence[int]] | None = field(default=None, metadata=LISTS)

    @property
    @abstractmethod
    def n(self) -> int:
        """The number of items."""

    def validate_windows(self) -> None:
        """Raise InvalidInstanceError for windows that make no sense."""
        if self.groups is not None and self.groups[0] > self.groups[1]:
            raise InvalidInstanceError(
                f"groups: expected [least, most], got {list(self.groups)}"
            )
        for name in ("together", "apart"):
            for place, items in enumerate(getattr(self, name) or ()):
                if len(set(items)) != len(items) or max(items, default=0) >= self.n:
                    raise InvalidInstanceError(
                        f"{name}[{place}]: expected different items of "
                        f"0..{self.n - 1}, got {list(items)}"
                    )
        _ = self.quantities

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """What is required of every group."""
        parsed = cast("Sequence[Requirement]", self.require or ())
        return tuple(
            quantity
            for place, asked in enumerate(parsed)
            for quantity in asked.quantities(self.n, f"require[{place}]")
        )

    @cached_property
    def most_items(self) -> int:
        """The most items of a group by what is required of it and of the others."""
        limits = [q.most for q in self.quantities if q.name == _ITEMS]
        return min([self.n, *(limit for limit in limits if limit is not None)])

    @property
    def is_windowed(self) -> bool:
        """Whether anything is asked of groups, or of their number."""
        asked = self.groups, self.require, self.together, self.apart
        return any(each is not None for each in asked)

    @property
    def splits_freely(self) -> bool:
        """Whether any group stays feasible if it is split into two of enough items."""
        limited = self.groups is not None and self.groups[1] < self.n
        splits = all(quantity.splits for quantity in self.quantities)
        return not limited and splits and not self.together
