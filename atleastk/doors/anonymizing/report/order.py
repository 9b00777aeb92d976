"""The part of a report on order: what the places of rows say of changed cells.

Rows that were sorted by a column lie between rows whose values may still be seen. A
changed cell is *plain* if the nearest unchanged ones above and below it hold one value:
so did it. By chance n rows, of which c_1, c_2, ... have one value each, are sorted one
way or the other with the probability 2 c_1! c_2! ... / n!; a column is called sorted if
that is less than 1 in 1000.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lgamma, log
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.doors.anonymizing.publish import Published
from atleastk.frames.frame import Column, Selection, is_missing
from atleastk.models.wording import Warned

_BY_CHANCE: Final = 1 / 1000
"""A smaller probability is no chance; see above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What the order of the published rows says."""

    shuffled: bool
    """Whether the rows were put in random order: then it says nothing."""
    sorted_by: Mapping[str, tuple[int, int]]
    """Of the columns that the rows are sorted by and some cells of which were changed,
    how many cells that are, and how many of them are plain."""

    @classmethod
    def of(cls, table: Selection, made: Published, *, shuffled: bool) -> Order | None:
        if made.hidden is None:
            return None
        changed = made.hidden if made.levels is None else made.levels > 0
        found: dict[str, tuple[int, int]] = {}
        for name, column, cells in zip(
            table.texts, table.columns, changed.T, strict=True
        ):
            places = None if shuffled or not cells.any() else _sorted(column)
            if places is not None:
                found[name] = int(cells.sum()), _plain(places, cells)
        return cls(shuffled=shuffled, sorted_by=found)

    @property
    def warnings(self) -> Iterator[Warned]:
        for name, (changed, plain) in self.sorted_by.items():
            told = (
                f", and {plain} of {changed} changed cells are plain" if plain else ""
            )
            yield Warned(
                f'the rows are sorted by column "{name}"',
                f"the least and the most are at the ends{told}; --shuffle them",
            )

    def lines(self) -> Iterator[str]:
        for warned in self.warnings:
            yield from warned.lines()
        if self.shuffled:
            yield "  order       rows are published in random order"


def _sorted(column: Column) -> IntArray | None:
    """Return the places of the values of sorted rows, -1 of missing ones; else None.

    Values are numbered as they first appear, so their numbers rise if rows are sorted.
    """
    there = ~column.missing
    seen = column.codes[there]
    if (np.diff(seen) < 0).any() or not _in_order(column.values):
        return None
    ways = lgamma(len(seen) + 1) - sum(
        lgamma(count + 1) for count in np.bincount(seen).tolist()
    )
    sorted_by_chance = log(2) - ways >= log(_BY_CHANCE)
    return None if sorted_by_chance else np.where(there, column.codes, -1)


def _in_order(values: Sequence[Any]) -> bool:
    """Tell whether values rise or fall; numbers are compared as such, in texts too."""
    known = [value for value in values if not is_missing(value)]
    keys = list(map(_key, known))
    if any(isinstance(key, str) for key in keys):
        keys = list(map(str, known))
    try:
        rises = all(one <= other for one, other in pairwise(keys))
        return rises or all(one >= other for one, other in pairwise(keys))
    except (TypeError, ArithmeticError):  # the latter of decimals
        return False


def _key(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value


def _plain(places: IntArray, changed: BoolArray) -> int:
    """Return how many changed cells lie between unchanged ones of one value."""
    rows = np.arange(len(places))
    seen = ~changed & (places >= 0)
    above = np.maximum.accumulate(np.where(seen, rows, -1))
    below = np.minimum.accumulate(np.where(seen, rows, len(rows))[::-1])[::-1]
    between = changed & (places >= 0) & (above >= 0) & (below < len(rows))
    return int((places[above[between]] == places[below[between]]).sum())
