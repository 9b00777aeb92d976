"""RTILE: the instance.

Definition
----------
Given a grid of weights of at least 0, tile it with at most p rectangles so that the
heaviest is as light as possible. No rectangle has to weigh anything. Rectangles can
always be split, so "at most" is "exactly" if there are p cells.

With ``guillotine`` only tilings count that come from cutting a rectangle in two by a
straight line, again and again.

Complexity
----------
NP-hard, also to approximate within less than 5/4 [Khanna98]; [Du09, section 3] says
4/3. Guillotine tilings are polynomial.

References
----------
[Khanna98] S. Khanna, S. Muthukrishnan, M. Paterson, "On approximating rectangle tiling
and packing", SODA 1998. [Du09] as in :mod:`atleastk.instances.rectangle_tiling`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from atleastk.arrays import IntArray, exact_sum
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, FLAG
from atleastk.instances.fields.shapes import Integer, IntegerRows, ListOf
from atleastk.instances.instance import Instance, shaped


@dataclass(frozen=True)
class RectangleTilingGrid(Instance):
    """Tile a grid of weights with at most p rectangles; minimise the heaviest.

    Attributes
    ----------
    grid
        Rows of weights.
    p
        The most rectangles.
    guillotine
        Whether only straight cuts through and through are allowed.
    """

    problem: ClassVar[str] = "rectangle-tiling-grid"

    grid: Sequence[Sequence[int]] = field(
        metadata=shaped(IntegerRows(ListOf(Integer(minimum=0))))
    )
    p: int = field(metadata=COUNT)
    guillotine: bool = field(default=False, metadata=FLAG)

    def __post_init__(self) -> None:
        super().__post_init__()
        for i, row in enumerate(() if isinstance(self.grid, CodedTable) else self.grid):
            if len(row) != self.columns:
                raise InvalidInstanceError(
                    f"grid[{i}]: expected {self.columns} weights as in row 0, got "
                    f"{len(row)}"
                )
        if self.total > 2**62:
            raise InvalidInstanceError("grid: the weights add up to more than 2**62")

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.grid) if self.columns else 0

    @cached_property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.grid[0]) if self.grid else 0

    @property
    def n(self) -> int:
        """The number of cells, numbered row by row."""
        return self.rows * self.columns

    @cached_property
    def total(self) -> int:
        """The weight of all cells."""
        if isinstance(self.grid, CodedTable):
            return exact_sum(self.grid.codes)
        return sum(map(sum, self.grid))

    @cached_property
    def weights(self) -> IntArray:
        """The weight of every cell, an array [row, column]."""
        if isinstance(self.grid, CodedTable):
            codes = self.grid.codes.astype(np.int64, copy=False)
            return codes.reshape(self.rows, self.columns)
        found = np.array(self.grid, dtype=np.int64).reshape(self.rows, self.columns)
        found.setflags(write=False)
        return found

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        yield f"grid={self.rows}x{self.columns} p={self.p} total={self.total}"
        if self.guillotine:
            yield "guillotine"
