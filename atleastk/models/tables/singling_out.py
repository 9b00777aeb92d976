"""Identifiers among the columns that are published unchanged.

A column *singles out* a row if it has a value there that no other row has: an attacker
who knows this value of a person finds the row, whatever was done to other columns.
Missing values - None, NaN, the empty text - are no such values.

A column that singles out many rows is an *identifier*: at least 20 rows, and at least
every tenth. Columns of 50 values or less are rarely mistaken for one, nor diagnoses in
small tables: if a row has a value with probability p, it is the only one of n rows
to have it with probability n p (1 - p)^(n - 1). That is at most (1 - 1/n)^(n - 1),
below 0.38 from n = 20 on, so fewer than 20 rows of such a column are expected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final

import numpy as np

from atleastk.arrays import Int32Array
from atleastk.models.wording import Warned

_FEWEST_ROWS: Final = 20
"""How many rows an identifier singles out; see above."""

_EVERY: Final = 10
"""At least one row in this many."""

_MOST_COLUMNS: Final = 10
"""The most columns that a report warns of, the worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SinglingOut:
    """How many rows each of some columns singles out."""

    rows: int = 0
    """How many rows there are."""
    by_column: Mapping[str, int] = field(default_factory=dict)
    """The rows that each column singles out."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """Why columns look like identifiers whatever they single out: see `signs_of`."""
    needed: Mapping[str, str] = field(default_factory=dict)
    """Columns that have to be published as they are, and their role: sensitive, or
    weights."""

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The identifiers that need not be published, the worst first."""
        suspected = dict.fromkeys([*self._worst, *self.signs])
        return tuple(name for name in suspected if name not in self.needed)

    @property
    def warnings(self) -> Iterator[Warned]:
        """A warning of every identifier."""
        found = self.identifiers
        for name in found[:_MOST_COLUMNS]:
            yield self._warned(name)
        if found[_MOST_COLUMNS:]:
            what = f"{len(found) - _MOST_COLUMNS} more columns look like identifiers"
            yield Warned(what, "drop them, or name them in --columns")

    def _warned(self, name: str) -> Warned:
        told = f'column "{name}", left unchanged, '
        if name in self._worst:
            why = "whoever knows it finds them; drop it, or name it in --columns"
            return Warned(f"{told}singles out {self._counted(name)}", why)
        why = "if it names persons drop it, or name it in --columns"
        return Warned(f"{told}looks like an identifier: {self.signs[name]}", why)

    def lines(self) -> Iterator[str]:
        """Yield the lines of a report: warnings, and remarks on needed columns."""
        for warned in self.warnings:
            yield from warned.lines()
        for name in self._worst:
            if name in self.needed:
                what = f"{name} ({self.needed[name]})"
                yield f"  singled out {self._counted(name)}, by {what}:"
                yield f"{'':14}round its values first if somebody may know them"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a JSON object."""
        return {
            "singled_out": dict(self.by_column),
            "identifiers": list(self.identifiers),
        }

    @property
    def _worst(self) -> list[str]:
        """The columns that single out many rows, the worst first."""
        found = sorted(self.by_column.items(), key=itemgetter(1), reverse=True)
        return [
            name
            for name, alone in found
            if alone >= _FEWEST_ROWS and alone * _EVERY >= self.rows
        ]

    def _counted(self, name: str) -> str:
        alone = self.by_column[name]
        return f"{alone} of {self.rows} rows, {alone / self.rows:.2%}"


def rows_of_own_value(codes: Int32Array, values: Sequence[Any]) -> int:
    """Return the number of rows whose value no other row has; values are numbered."""
    alone = np.flatnonzero(np.bincount(codes) == 1).tolist()
    return sum(not _is_missing(values[number]) for number in alone)


def _is_missing(value: object) -> bool:
    if isinstance(value, float):
        return value != value
    return value is None or (isinstance(value, str) and not value)
