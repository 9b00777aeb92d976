"""Rectangle tiling: the instance.

Definition [Du09, section 3]
----------------------------
Given points in the plane with weights, and k >= 1, partition the plane into rectangles
with sides parallel to the axes so that the points in every rectangle weigh at least k,
and the heaviest rectangle is as light as possible.

Let X and Y be the distinct coordinates of the points. Cells are the locations (x, y) of
X times Y, empty ones too; rectangles of the plane, half-open, become boxes of cells and
back. So with ``cover: "plane"`` the boxes tile all of the grid X times Y. With
``"points"`` boxes are disjoint and contain all points, and cells between them may stay
uncovered: that can be cheaper (a pinwheel with a hole).

With ``guillotine`` only tilings count that come from cutting a rectangle in two by a
straight line, again and again.

Complexity
----------
NP-complete for k = 3; no ratio below 4/3 unless P = NP [Du09, Theorem 4]. Guillotine
tilings are polynomial.

References
----------
[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import SAFE, IntArray, distinct, distinct_places, exact_sum
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, FLAG
from atleastk.instances.fields.shapes import Integer, IntegerRows, Number, OneOf, Row
from atleastk.instances.instance import Instance, shaped

COVERS = ("plane", "points")

Axis = tuple[NDArray[Any], IntArray]
"""The distinct coordinates, ascending, and which one every point has.

Coordinates that no other array holds exactly are in one of objects.
"""

_POINT = Row("[x, y, weight]", (Number(), Number(), Integer(minimum=0)))


@dataclass(frozen=True)
class RectangleTiling(Instance):
    """Tile the plane with rectangles of weight at least k; minimise the heaviest.

    Attributes
    ----------
    points
        [x, y, weight] of every point; points at one place are ordinary.
    k
        The least weight of a rectangle.
    cover
        What the rectangles cover: the ``"plane"``, or the ``"points"`` only.
    guillotine
        Whether only straight cuts through and through are allowed.
    """

    problem: ClassVar[str] = "rectangle-tiling"
    always_nested: ClassVar[bool] = True

    points: Sequence[tuple[float, float, int]] = field(
        metadata=shaped(IntegerRows(_POINT))
    )
    k: int = field(metadata=COUNT)
    cover: str = field(default="plane", metadata=shaped(OneOf(COVERS)))
    guillotine: bool = field(default=False, metadata=FLAG)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.total > 2**62:
            raise InvalidInstanceError(
                "points: their weights add up to more than 2**62"
            )
        if self.guillotine and self.cover != "plane":
            raise InvalidInstanceError(
                'guillotine: cuts go through the plane; take cover "plane"'
            )

    @property
    def n(self) -> int:
        """The number of points."""
        return len(self.points)

    @cached_property
    def total(self) -> int:
        """The weight of all points."""
        if isinstance(self.points, CodedTable):
            return exact_sum(self.points.codes[:, 2])
        return sum(weight for _, _, weight in self.points)

    @cached_property
    def amounts(self) -> IntArray:
        """The weight of every point, as an array."""
        if isinstance(self.points, CodedTable):
            return self.points.codes[:, 2].astype(np.int64)
        return np.array([weight for _, _, weight in self.points], dtype=np.int64)

    @cached_property
    def _axes(self) -> tuple[Axis, Axis]:
        if isinstance(self.points, CodedTable):
            xs, ys = self.points.codes[:, :2].T
            return _whole(xs), _whole(ys)
        xs, ys = ([point[axis] for point in self.points] for axis in (0, 1))
        return _numbered(xs), _numbered(ys)

    @property
    def lines(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The distinct coordinates of either axis, ascending, as arrays."""
        return self._axes[0][0], self._axes[1][0]

    @cached_property
    def xs(self) -> tuple[float, ...]:
        """The distinct first coordinates, ascending."""
        return tuple(self.lines[0].tolist())

    @cached_property
    def ys(self) -> tuple[float, ...]:
        """The distinct second coordinates, ascending."""
        return tuple(self.lines[1].tolist())

    @property
    def shape(self) -> tuple[int, int]:
        """How many distinct coordinates there are of either axis."""
        return len(self.lines[0]), len(self.lines[1])

    @cached_property
    def cells(self) -> IntArray:
        """The cell of every point, [point, axis]: the numbers of its coordinates."""
        return np.stack([which for _, which in self._axes], axis=1)

    @cached_property
    def heaviest(self) -> int:
        """The weight of the heaviest cell; 0 without points."""
        if not self.n:
            return 0
        i, j = self.cells.T
        cells = i * self.shape[1] + j
        if len(distinct(cells)) == self.n:
            return int(self.amounts.max())
        order = np.argsort(cells, kind="stable")
        firsts = np.flatnonzero(np.diff(cells[order], prepend=-1))
        return int(np.add.reduceat(self.amounts[order], firsts).max())

    @cached_property
    def grid(self) -> IntArray:
        """The weight of every cell, an array [x, y]."""
        weights = np.zeros(self.shape, dtype=np.int64)
        np.add.at(weights, tuple(self.cells.T), self.amounts)
        weights.setflags(write=False)
        return weights

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        yield f"n={self.n} grid={self.shape[0]}x{self.shape[1]} k={self.k}"
        yield f"total={self.total}"
        if self.cover != "plane":
            yield f"cover={self.cover}"
        if self.guillotine:
            yield "guillotine"


def _whole(values: NDArray[Any]) -> Axis:
    """Return the axis of safe integers."""
    whole = values.astype(np.int64)
    first, which = distinct_places(whole - whole.min(initial=SAFE))
    return whole[first], which


def _numbered(values: list[float]) -> Axis:
    """Return the axis of numbers of any kind."""
    types = set(map(type, values))
    if types == {int} and min(values) > -SAFE and max(values) < SAFE:
        return _whole(np.array(values))
    if types == {float}:
        return np.unique(values, return_inverse=True)
    found = sorted(set(values))
    number = {value: i for i, value in enumerate(found)}
    which = np.array([number[value] for value in values], dtype=np.int64)
    return np.array(found, dtype=object), which
