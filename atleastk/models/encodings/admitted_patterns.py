"""Admitted patterns of suppression, and the row kinds that match them.

A *row kind* is a distinct record together with its importance class. Columns of the
region, stars of a row and thresholds between classes of rows may be *fixed* before the
model is written.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.models import k_anonymity
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import importance_of_rows
from atleastk.models.tables.patterns import Patterns


def is_ordered(instance: Suppression) -> bool:
    """Tell whether there is an importance order."""
    return bool(instance.row_order or instance.column_order)


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The row kinds of a table: distinct records, apart by importance class."""

    records: Records
    """The kinds with their copies; the same codes may appear once in every class."""
    classes: IntArray
    """The importance class of every kind; 0 without an order of rows."""

    @classmethod
    def of(cls, instance: Suppression) -> Kinds:
        """Return the row kinds of an instance."""
        records, ranks = instance.records.divided_by(importance_of_rows(instance))
        return cls(records, ranks[:, 0].astype(np.int64))


@dataclass(frozen=True, slots=True)
class Fixed:
    """Decisions before the model is written; None where the model decides."""

    columns: int | None = None
    """The columns of the region, as the bits of an integer."""
    per_row: int | None = None
    """The most stars of a row."""
    thresholds: tuple[int, ...] | None = None
    """For every two successive classes of rows: the most stars of the former, and the
    fewest of the latter."""


def admitted(instance: Suppression, patterns: Patterns, fixed: Fixed) -> Patterns:
    """Return the patterns that limits, intact columns and fixed decisions allow."""
    hidden = ~patterns.kept & ((1 << instance.m) - 1)
    forbidden = sum(1 << column for column in instance.intact)
    if fixed.columns is not None and "rows" not in instance.region:
        forbidden |= ~fixed.columns
    most = [instance.most.per_row, fixed.per_row, instance.most.columns]
    if "rows" in instance.region:
        most.pop()
    stars = min((limit for limit in most if limit is not None), default=instance.m)
    chosen = (hidden & forbidden == 0) & (patterns.stars <= stars)
    return patterns.only(np.repeat(chosen, np.diff(patterns.starts)))


FREE = Fixed()
"""Nothing is fixed."""


class PatternKinds:
    """The pairs of an admitted pattern and a row kind that matches it."""

    def __init__(
        self, instance: Suppression, kinds: Kinds, patterns: Patterns, fixed: Fixed
    ) -> None:
        self.instance, self.kinds = instance, kinds
        self.patterns, self.fixed = patterns, fixed
        m = instance.m
        self.pattern = np.repeat(np.arange(patterns.count), np.diff(patterns.starts))
        self.kind = patterns.records.astype(np.int64)
        self.copies = kinds.records.copies[self.kind]
        self.hides = ~patterns.kept[self.pattern] & ((1 << m) - 1)
        self.stars = patterns.stars[self.pattern].astype(np.int64)
        self.starred = [np.flatnonzero(self.hides >> j & 1) for j in range(m)]
        opened = self.pairs + np.arange(patterns.count)
        self.starred_patterns = [opened[patterns.kept >> j & 1 == 0] for j in range(m)]
        """The y of the patterns with a star in each column."""
        self.both = instance.region == ("rows", "columns")

    @property
    def pairs(self) -> int:
        """The number of variables x_pt."""
        return len(self.kind)

    def hidden(self, values: IntArray) -> BoolArray:
        """Return the cells that a point suppresses.

        Without importance orders, only those on which groups differ.
        """
        used = values[: self.pairs].nonzero()[0]
        home = self.kinds.records.row_groups(
            self.pattern[used], self.kind[used], values[used]
        )
        if not is_ordered(self.instance):
            return k_anonymity.suppressed(self.instance, Solution.labelled(home))
        kept = self.patterns.kept[home]
        hidden: BoolArray = kept[:, None] >> np.arange(self.instance.m) & 1 == 0
        return hidden

    def point(self, hidden: BoolArray, length: int) -> IntArray | None:
        """Return the point x, y of these cells; None if they need other patterns."""
        powers = 1 << np.arange(self.instance.m, dtype=np.int64)
        wanted = zip(
            (hidden @ powers).tolist(),
            self.kinds.records.record_of.tolist(),
            strict=True,
        )
        known = zip(self.hides.tolist(), self.kind.tolist(), strict=True)
        place = {pair: index for index, pair in enumerate(known)}
        found = [place.get(pair, -1) for pair in wanted]
        if -1 in found:
            return None
        places = np.array(found, dtype=np.int64)
        values = np.zeros(length, dtype=np.int64)
        np.add.at(values, places, 1)
        values[self.pairs + self.pattern[places]] = 1
        return values
