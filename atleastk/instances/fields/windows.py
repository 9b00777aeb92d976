"""Windows on what a group holds: the same words for every problem that takes them.

``groups``: [least, most]
    How many groups there are.
``require``: [{"of": what, "at_least": a, "at_most": b}, ...]
    Of "items", the number of items of a group; of a list of whole numbers, one for each
    item, their sum over a group; of a list of words, the number of items of a group
    with any one word, for every word. It is from `at_least` to `at_most`.
``together``, ``apart``: [[item, ...], ...]
    Items of one group; items of which no two are in one group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import Shaped, shaped
from atleastk.instances.fields.shapes import (
    AnyObject,
    Integer,
    ListOf,
    Row,
    listed,
    shown,
)

_ITEMS: Final = "items"
_KEYS: Final = {"of", "at_least", "at_most"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A whole number of every item, of which the sum over any group has limits.

    Attributes
    ----------
    name
        What it is, for messages.
    amounts
        Of every item, at least 0.
    least, most
        The limits of a group; None for no upper one.
    """

    name: str
    amounts: tuple[int, ...]
    least: int
    most: int | None

    def violation(self, group: Sequence[int]) -> str | None:
        """Say what a group holds too little or too much of, None if nothing."""
        held = sum(self.amounts[item] for item in group)
        if held < self.least:
            return f"holds {held} of {self.name}, fewer than {self.least}"
        if self.most is not None and held > self.most:
            return f"holds {held} of {self.name}, more than {self.most}"
        return None


def read_quantities(
    require: Sequence[Mapping[str, Any]], n: int
) -> tuple[Quantity, ...]:
    """Return what is required of groups of n items; a list of words makes several."""
    return tuple(
        quantity
        for place, asked in enumerate(require)
        for quantity in _quantities(asked, n, f"require[{place}]")
    )


def _quantities(asked: Mapping[str, Any], n: int, path: str) -> Iterator[Quantity]:
    unknown = asked.keys() - _KEYS
    if unknown or "of" not in asked or len(asked) < 2:
        raise InvalidInstanceError(
            f'{path}: expected "of" with "at_least" or "at_most" or both, got '
            f"{shown(dict(asked))}"
        )
    whole = Integer(minimum=0)
    least = whole.parse(asked.get("at_least", 0), f"{path}.at_least")
    most = asked.get("at_most")
    if most is not None:
        most = whole.parse(most, f"{path}.at_most")
        if most < least:
            raise InvalidInstanceError(
                f"{path}.at_most: {most} is less than at_least, {least}"
            )
    of = asked["of"]
    if of == _ITEMS:
        yield Quantity(_ITEMS, (1,) * n, least, most)
        return
    values = listed(of)
    if values is None or len(values) != n:
        raise InvalidInstanceError(
            f'{path}.of: expected "items" or a list of {n} numbers or words, got '
            f"{shown(of)}"
        )
    if all(isinstance(value, str) for value in values):
        for word in sorted(set(values)):
            held = tuple(int(value == word) for value in values)
            yield Quantity(f'"{word}"', held, least, most)
    else:
        yield Quantity(f"{path}.of", ListOf(whole).parse(of, f"{path}.of"), least, most)


@dataclass(frozen=True, kw_only=True)
class Windowed(Shaped):
    """Fields of instances whose groups have windows; see the module.

    A class that inherits it has a number `n` of items.
    """

    groups: Sequence[int] | None = field(
        default=None,
        metadata=shaped(Row("[least, most]", (Integer(minimum=0), Integer(minimum=0)))),
    )
    require: Sequence[Mapping[str, Any]] | None = field(
        default=None, metadata=shaped(ListOf(AnyObject()))
    )
    together: Sequence[Sequence[int]] | None = field(
        default=None, metadata=shaped(ListOf(ListOf(Integer(minimum=0))))
    )
    apart: Sequence[Sequence[int]] | None = field(
        default=None, metadata=shaped(ListOf(ListOf(Integer(minimum=0))))
    )

    @property
    def n(self) -> int:
        """The number of items."""
        raise NotImplementedError

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
        return read_quantities(self.require or (), self.n)

    @cached_property
    def most_items(self) -> int:
        """The most items of a group by what is required of it and of the others."""
        limits = [q.most for q in self.quantities if q.name == _ITEMS]
        return min([self.n, *(limit for limit in limits if limit is not None)])

    @property
    def windowless(self) -> bool:
        """Whether any group stays feasible if it is split into two of enough items."""
        limited = self.groups is not None and self.groups[1] < self.n
        rising = any(quantity.least for quantity in self.quantities)
        return not limited and not rising and not self.together
