"""Tables of files that wrap a table of a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from atleastk.arrays import BoolArray, IntArray
from atleastk.frames.frame import Column, Frame, Labels, Name


@dataclass(frozen=True, slots=True, eq=False)
class HoldingFrame:
    """A table of a library, with more contents of its file."""

    table: Frame
    """Its columns and rows."""

    @property
    def native(self) -> Self:
        return self

    @property
    def names(self) -> Sequence[Name]:
        return self.table.names

    @property
    def n(self) -> int:
        return self.table.n

    def column(self, name: Name) -> Column:
        return self.table.column(name)

    def hiding(self, masks: Mapping[Name, BoolArray], marker: str) -> Self:
        return replace(self, table=self.table.hiding(masks, marker))

    def relabelled(self, labels: Mapping[Name, Labels]) -> Self:
        return replace(self, table=self.table.relabelled(labels))

    def refilled(self, cells: Mapping[Name, Sequence[Any]]) -> Self:
        return replace(self, table=self.table.refilled(cells))

    def only(self, names: Sequence[Name]) -> Self:
        return replace(self, table=self.table.only(names))

    def taking(self, rows: IntArray) -> Self:
        return replace(self, table=self.table.taking(rows))

    def rebuilt(self) -> Self:
        return replace(self, table=self.table.rebuilt())
