"""k-map: the persons of a whole population that a published row may belong to.

That are all persons who have the labels of the row, at the levels at which it is
published; a suppressed cell matches anything. Values are compared as they
are written in a text file, so that tables of several libraries can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.doors.anonymizing.hierarchies import (
    Levels,
    numbered_hierarchies,
    numbered_rows,
)
from atleastk.doors.anonymizing.publish import Published
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.frame import Selection
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.generalization import labels_of
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
        table = selected.table
        here, persons = numbered_rows(table, there)
        merged = Records.coded(persons)
        held = np.concatenate([here, merged.codes])
        kinds = distinct_rows(held)[1]
        nobody = ~np.isin(kinds[: len(here)], kinds[len(here) :])
        if nobody.any():
            raise InvalidInstanceError(
                f"population: nobody is like row {int(nobody.argmax()) + 1}; it has to "
                "hold all persons of the table"
            )
        hierarchies = numbered_hierarchies(table, selected.hierarchies, there)
        labels = [
            labels_of(one, [chain[0] for chain in one.chains])[:, held[:, j]]
            for j, one in enumerate(hierarchies)
        ]
        return cls(there.frame.n, labels, merged.copies)

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
