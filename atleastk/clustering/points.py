"""From the columns of a table to points: which rows are how far from each other.

==============  ====================================================================
manhattan       the sum over the columns: numbers differ by |x - y| / unit, other
                values by 1 / unit if they are not equal
euclidean       the root of the sum of squares of (x - y) / unit; numbers only
hamming         how many columns differ
great-circle    metres on the earth between a column of latitudes and one of longitudes
==============  ====================================================================

Units make columns comparable: with ages in years and distances in miles, a unit of 10
for the latter weighs ten miles as one year [Aggarwal10, section 1]. Coordinates are
rounded to thousandths of a unit, so that all that is solved is in whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import sqrt
from typing import Any, Final

import numpy as np

from atleastk.frames.frame import Frame, Name, is_nan
from atleastk.instances.errors import InvalidInstanceError
from atleastk.instances.metric_spaces import GreatCircle

__all__ = ["PRECISION", "Located", "located"]

PRECISION: Final = 1000
"""Steps of a coordinate in a unit of distance: a thousandth is precise enough."""

_MOST_VALUES: Final = 200
"""The most different texts of a column that are added to numbers: each becomes a
coordinate of every row."""

Cell = Any


@dataclass(frozen=True, slots=True)
class Located:
    """Rows as points.

    Attributes
    ----------
    names
        The columns that say where a row is.
    cells
        Their values, one tuple a row: decimals where all values are numbers.
    numeric
        Which of them hold numbers.
    units
        How much of a column makes a unit of distance.
    points
        What is clustered: coordinates of the metric.
    """

    names: tuple[Name, ...]
    metric: str
    cells: Sequence[tuple[Cell, ...]]
    numeric: tuple[bool, ...]
    units: tuple[Decimal, ...]
    points: Sequence[Sequence[int | float | str]]

    @property
    def steps(self) -> int:
        """How many steps of the coordinates make a unit of distance."""
        return PRECISION if self.metric in ("manhattan", "euclidean") else 1

    def distance(self, row: Sequence[Cell], other: Sequence[Cell]) -> float:
        """Return the distance of two rows of cells, in units."""
        if self.metric == "great-circle":
            degrees = np.array([row, other], dtype=np.float64)
            return float(GreatCircle(degrees).row(0)[1])
        if self.metric == "hamming":
            return float(sum(a != b for a, b in zip(row, other, strict=True)))
        apart = [
            float((abs(a - b) if number else Decimal(a != b)) / unit)
            for a, b, number, unit in zip(
                row, other, self.numeric, self.units, strict=True
            )
        ]
        if self.metric == "euclidean":
            return sqrt(sum(x * x for x in apart))
        return sum(apart)

    def middle(self, rows: Sequence[int]) -> tuple[Cell, ...]:
        """Return a place between rows: of numbers the middle, else the commonest."""
        columns = zip(*(self.cells[row] for row in rows), strict=True)
        return tuple(
            (min(values) + max(values)) / 2
            if number
            else max(sorted(set(values), key=str), key=values.count)
            for values, number in zip(columns, self.numeric, strict=True)
        )


def located(
    frame: Frame,
    names: tuple[Name, ...],
    metric: str = "manhattan",
    units: Mapping[Name, Any] | None = None,
) -> Located:
    """Return the rows of a table as points.

    Raises
    ------
    InvalidInstanceError
        If the columns do not go with the metric: on one line, with column and row.
    """
    columns = [_cells(frame, name) for name in names]
    numbers = [None if metric == "hamming" else _numbers(cells) for cells in columns]
    sizes = tuple(_unit(name, (units or {}).get(name, 1)) for name in names)
    for name in units or {}:
        if name not in names:
            message = f'units: "{name}" is not among the columns to cluster by'
            raise InvalidInstanceError(message)
    if metric in ("hamming", "great-circle") and units:
        message = f"units: {metric} distances have none; leave them out"
        raise InvalidInstanceError(message)
    if metric == "great-circle" and len(names) != 2:
        message = (
            f"great-circle: expected a column of latitudes and one of longitudes, "
            f"got {len(names)} columns"
        )
        raise InvalidInstanceError(message)
    if metric in ("euclidean", "great-circle"):
        for name, cells, found in zip(names, columns, numbers, strict=True):
            if found is None:
                _complain(name, cells, metric)
    kept: list[Sequence[Cell]] = [
        cells if found is None else found
        for cells, found in zip(columns, numbers, strict=True)
    ]
    numeric = tuple(found is not None for found in numbers)
    points: Sequence[Sequence[int | float | str]]
    if metric == "great-circle":
        points = [tuple(map(float, row)) for row in zip(*kept, strict=True)]
    elif metric == "hamming":
        points = [tuple(map(str, row)) for row in zip(*kept, strict=True)]
    else:
        axes = [
            axis
            for name, values, number, unit in zip(
                names, kept, numeric, sizes, strict=True
            )
            for axis in (
                [[_step(x / unit) for x in values]]
                if number
                else _apart(name, values, unit)
            )
        ]
        points = list(zip(*axes, strict=True)) if axes else [()] * frame.n
    rows = list(zip(*kept, strict=True))
    return Located(names, metric, rows, numeric, sizes, points)


def _step(x: Decimal) -> int:
    return int((x * PRECISION).to_integral_value())


def _cells(frame: Frame, name: Name) -> list[Cell]:
    column = frame.column(name)
    found = [column.values[code] for code in column.codes]
    for row, cell in enumerate(found):
        if cell is None or cell == "" or is_nan(cell):
            message = f'column "{name}": row {row + 1} has no value, so it has no place'
            raise InvalidInstanceError(message)
    return found


def _numbers(cells: Sequence[Cell]) -> list[Decimal] | None:
    """Return cells as numbers; None if one of them is something else."""
    found = [_number(cell) for cell in cells]
    return None if None in found else [x for x in found if x is not None]


def _number(cell: Cell) -> Decimal | None:
    try:
        number = Decimal(str(cell).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _complain(name: Name, cells: Sequence[Cell], metric: str) -> None:
    row = next(i for i, cell in enumerate(cells) if _number(cell) is None)
    message = (
        f'column "{name}": {metric} distances need numbers, row {row + 1} holds '
        f'"{cells[row]}"'
    )
    raise InvalidInstanceError(message)


def _unit(name: Name, size: Any) -> Decimal:
    unit = _number(size)
    if unit is None or unit <= 0:
        message = f'units: "{name}": expected a number above 0, got {size!r}'
        raise InvalidInstanceError(message)
    return unit


def _apart(name: Name, values: Sequence[Cell], unit: Decimal) -> list[list[int]]:
    """Return coordinates in which any two different values are one weight apart."""
    different = sorted(set(values), key=str)
    if len(different) > _MOST_VALUES:
        message = (
            f'column "{name}": {len(different)} different texts, more than '
            f"{_MOST_VALUES}; take hamming distances"
        )
        raise InvalidInstanceError(message)
    if len(different) < 2:
        return []
    half = _step(1 / unit) // 2
    return [[half * (value == sought) for value in values] for sought in different]
