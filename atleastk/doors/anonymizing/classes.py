"""The classes in which a table is published, and new rows that join them.

A class is a level for every column and, but for cells at the top, a label at it: a cell
that is not suppressed is at level 0, a suppressed one at the top, level 1. A new row
fits a class if it has its labels at its levels. It joins one at which it loses least.

A value that was not in the fitted table has the labels of its column's hierarchy. If
there are none, it fits at the top only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from atleastk.arrays import Int32Array
from atleastk.doors.anonymizing.hierarchies import Levels, at_levels, chains_by_text
from atleastk.frames.frame import Column, Frame, Name, chosen, written
from atleastk.frames.rows import identity_of
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.hierarchies.hierarchy import Hierarchy
from atleastk.instances.records import distinct_rows


class _Ladder(NamedTuple):
    """The labels that cells of a column may be replaced by."""

    chains: Mapping[str, Sequence[str]] | None
    """The labels of every value by its text, from level 1 on; None if cells are
    suppressed."""
    height: int
    """The level of the top."""
    numbers: dict[Any, int]
    """The number of every label that is published, by level and label."""
    blank: frozenset[int] = frozenset()
    """The levels at which an empty label is published as a missing value."""

    def labels(self, column: Column) -> list[list[Any]]:
        """Return the labels of every value by level; None if the value is unknown."""
        top = (None,) * (self.height - 1)
        if self.chains is None:
            return [[identity_of(value), *top, ""] for value in column.values]
        at_top = next(iter(self.chains.values()))[-1:]
        return [
            [text, *self.chains.get(text or "", (*top, *at_top))]
            for text in written(column.values)
        ]

    def cells(self, column: Column) -> list[list[str | None]]:
        """Return the published text of every value by level, as `fit` publishes it."""
        empty = [None if i in self.blank else "" for i in range(self.height + 1)]
        return [
            [text, *(each or empty[i] for i, each in enumerate(more, 1))]
            for text, *more in self.labels(column)
        ]

    def numbered(self, column: Column, *, learn: bool) -> Int32Array:
        """Return the numbers of labels, [row, level]; of unknown ones -1."""
        known = self.numbers
        codes = np.full((len(column.values), self.height + 1), -1, dtype=np.int32)
        for i, labels in enumerate(self.labels(column)):
            for place in enumerate(labels):
                if learn:
                    known.setdefault(place, len(known))
                codes[i, place[0]] = known.get(place, -1)
        found: Int32Array = codes[column.codes]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Classes that are published."""

    names: Sequence[Name]
    """The columns that were anonymised."""
    ladders: Sequence[_Ladder]
    """The labels that their cells may be replaced by."""
    levels: Levels
    labels: Int32Array
    """`levels`, `labels`: of every class, the level of each column and the number of
    its label there."""
    weights: Sequence[int]
    """What a level of each column costs."""

    @classmethod
    def of(
        cls,
        frame: Frame,
        names: Sequence[Name],
        levels: Levels,
        hierarchies: Mapping[Name, Hierarchy],
        weights: Sequence[int],
    ) -> Self:
        ladders = []
        labels = np.empty(levels.shape, dtype=np.int32)
        rows = np.arange(len(levels))
        for j, name in enumerate(names):
            chains, height, blank = None, 1, frozenset[int]()
            column = frame.column(name)
            if name in hierarchies and levels[:, j].any():
                chains = chains_by_text(hierarchies[name])
                height = len(next(iter(chains.values())))
                of_missing = chains[""] if None in written(column.values) else ()
                blank = frozenset(i for i, x in enumerate(of_missing, 1) if not x)
            ladders.append(_Ladder(chains, height, {}, blank))
            labels[:, j] = ladders[j].numbered(column, learn=True)[rows, levels[:, j]]
        first, _ = distinct_rows(np.hstack((levels.astype(np.int32), labels)))
        return cls(tuple(names), ladders, levels[first], labels[first], weights)

    def publish(self, frame: Frame, names: Sequence[Name], marker: str) -> Frame:
        """Return new rows as the classes that they join, with columns called `names`.

        Raises NotApplicableError if a row fits none of them.
        """
        chosen(frame, names)
        columns = [frame.column(name) for name in names]
        levels = self._joined(columns, frame.n)
        masks, texts = {}, {}
        for j, (name, column) in enumerate(zip(names, columns, strict=True)):
            if self.ladders[j].chains is None:
                masks[name] = levels[:, j] > 0
                continue
            texts[name] = at_levels(column, self.ladders[j].cells(column), levels[:, j])
        return frame.hiding(masks, marker).relabelled(texts).rebuilt()

    def _joined(self, columns: Sequence[Column], n: int) -> Levels:
        cells = [
            ladder.numbered(column, learn=False)
            for ladder, column in zip(self.ladders, columns, strict=True)
        ]
        levels = np.zeros((n, len(cells)), dtype=np.int64)
        homeless = np.arange(n)
        ways = np.unique(self.levels, axis=0)[::-1]
        for way in ways[np.argsort(ways @ np.array(self.weights), kind="stable")]:
            known = self.labels[(self.levels == way).all(axis=1)]
            labels = [
                cell[homeless, level] for cell, level in zip(cells, way, strict=True)
            ]
            _, number = distinct_rows(
                np.concatenate((known, np.stack(labels, axis=1))) + np.int32(1)
            )
            fits = np.isin(number[len(known) :], number[: len(known)])
            levels[homeless[fits]] = way
            homeless = homeless[~fits]
        if len(homeless):
            raise NotApplicableError(
                f"{len(homeless)} rows fit no published class, the first is row "
                f"{homeless[0] + 1}; anonymise them together with the old ones"
            )
        return levels
