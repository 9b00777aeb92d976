"""k-map: the persons of a whole population that a published row may belong to.

That are all persons who have the labels of the row, at the levels at which it is
published; a suppressed cell matches anything. Values are compared as they
are written in a text file, so that tables of several libraries can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.doors.anonymizing.hierarchies import (
    SUPPRESSED,
    Levels,
    Sourced,
    chains_of,
)
from atleastk.doors.anonymizing.publish import Published
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.frame import Column, Name, Selection
from atleastk.instances.fields.errors import InvalidInstanceError, placed
from atleastk.instances.records import Records, distinct_rows


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """The rows of a table beside those of the whole population."""

    rows: int
    """The number of persons."""
    labels: Sequence[Int32Array]
    """For every column its numbered labels, an array [level, row]: first those of the
    table, then those of the different rows of the population."""
    copies: IntArray
    """How many persons have each of these rows."""

    @classmethod
    def of(cls, selected: Selected, there: Selection) -> Population:
        """Compare a table with the same columns of the population.

        Raises InvalidInstanceError if a row of the table is nobody in the population,
        or a value of that has no place in a hierarchy.
        """
        selection = selected.table
        codes = [column.codes for column in there.columns]
        merged = Records.coded(np.stack(codes, axis=1))

        def labelled(sources: Mapping[Name, Sourced]) -> Population:
            both = zip(selection.names, selection.columns, there.columns, strict=True)
            labels = [
                _labels(name, sources[name], column, other, merged.codes[:, j])
                for j, (name, column, other) in enumerate(both)
            ]
            return cls(there.frame.n, labels, merged.copies)

        plain = labelled(dict.fromkeys(selection.names, SUPPRESSED))
        none = np.zeros((selection.frame.n, len(plain.labels)), dtype=np.int64)
        nobody = plain.matches(none) == 0
        if nobody.any():
            raise InvalidInstanceError(
                f"population: nobody is like row {int(nobody.argmax()) + 1}; it has to "
                "hold all persons of the table"
            )
        return labelled(selected.hierarchies)

    def before_and_after(self, made: Published) -> list[IntArray]:
        """Return how many persons each row may belong to, as it was and as it is."""
        assert made.hidden is not None
        levels = made.hidden.astype(np.int64) if made.levels is None else made.levels
        return [self.matches(each) for each in (0 * levels, levels)]

    def least(self, found: Sequence[IntArray]) -> tuple[int, int]:
        """Return the fewest of these, before and after."""
        before, after = (int(each.min(initial=self.rows)) for each in found)
        return before, after

    def matches(self, levels: Levels) -> IntArray:
        """Return how many persons each row may belong to, published at these levels."""
        n = len(levels)
        found = np.zeros(n, dtype=np.int64)
        kinds, kind_of = np.unique(levels, axis=0, return_inverse=True)
        kind_of = kind_of.reshape(n)
        everybody = np.arange(n, n + len(self.copies))
        for number, kind in enumerate(kinds):
            mine = np.flatnonzero(kind_of == number)
            rows = np.concatenate([mine, everybody])
            pairs = zip(self.labels, kind, strict=True)
            held = np.stack([labels[level][rows] for labels, level in pairs], axis=1)
            alike = distinct_rows(held)[1]
            persons = np.bincount(
                alike[len(mine) :], self.copies, minlength=int(alike.max()) + 1
            )
            found[mine] = persons[alike[: len(mine)]].astype(np.int64)
        return found


def _labels(
    name: Name, one: Sourced, column: Column, other: Column, codes: Int32Array
) -> Int32Array:
    chains = chains_of(name, column, one)
    held = [chains[code] for code in column.codes.tolist()]
    with placed("population"):
        chains = chains_of(name, other, one)
    held += [chains[code] for code in codes.tolist()]
    levels = [
        np.unique(np.array(labels, dtype=object).astype(str), return_inverse=True)[1]
        for labels in zip(*held, strict=True)
    ]
    return np.array(levels, dtype=np.int32)
