"""From the columns of a table to points: which rows are how far from each other.

==============  ====================================================================
manhattan       the sum over the columns: numbers differ by |x - y| / unit, other
                values by 1 / unit if they are not equal
euclidean       the root of the sum of squares of (x - y) / unit; numbers only
hamming         how many columns differ
great-circle    metres on the earth between a column of latitudes and one of longitudes
==============  ====================================================================

Units make columns comparable: with ages in years and distances in miles, a unit of 10
for the latter weighs ten miles as one year [Aggarwal10, section 1]. A scale chooses
them: the range of every column of numbers, so that its least and its greatest value
are as far apart as two texts that differ, or its standard deviation.

All that is solved is in whole numbers: coordinates are rounded to thousandths of a
unit, or to millionths if a scale chose it. The largest error of a distance is known,
and is subtracted from bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, localcontext
from functools import cached_property
from math import fsum, gcd, sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.doors.clustering.enclosing import MOST_COORDINATES, middle_of_ball
from atleastk.frames.frame import Frame, Name, is_nan
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.spaces.metric_spaces import GreatCircle

PRECISION: Final = 1000
"""Steps of a coordinate in a unit of distance: a thousandth is precise enough ..."""

_FINE: Final = 1_000_000
"""... unless the range of a column is one: ages to an hour, incomes to a cent."""

SCALES: Final = ("none", "range", "deviation")
"""What may choose the units of columns of numbers."""

_IN_STEPS: Final = ("manhattan", "euclidean")
"""Metrics whose coordinates are rounded to steps, and which have units."""

_MOST_VALUES: Final = 200
"""The most different texts of a column that are added to numbers: each becomes a
coordinate of every row."""

_MUCH: Final = 100
"""How many times as wide a column is that decides alone, nearly: not tuned."""

_FAR: Final = 10_000
"""Metres from which on distances are told in kilometres."""

_MOST_DIGITS: Final = 1_000
"""Digits that a mean is computed with: more than those of any 64-bit float."""

Cell = Any


@dataclass(frozen=True)
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
    steps
        How many steps of the coordinates make a unit of distance.
    slack
        How far a distance between points can be off, in units, since coordinates and
        lengths that are solved are whole numbers.
    """

    names: tuple[Name, ...]
    metric: str
    cells: Sequence[tuple[Cell, ...]]
    numeric: tuple[bool, ...]
    units: tuple[Decimal, ...]
    points: Sequence[Sequence[int | float | str]]
    steps: int
    slack: float

    @property
    def drowned(self) -> tuple[Name, ...]:
        """Columns of numbers that differ little beside another, in their units."""
        if self.metric not in _IN_STEPS or not self.cells:
            return ()
        columns = zip(*self.cells, strict=True)
        spans = {
            name: (max(values) - min(values)) / unit
            for name, values, number, unit in zip(
                self.names, columns, self.numeric, self.units, strict=True
            )
            if number
        }
        widest = max(spans.values(), default=Decimal())
        return tuple(n for n, span in spans.items() if 0 < _MUCH * span < widest)

    @property
    def in_degrees(self) -> bool:
        """Whether places on the earth are taken for those of a plane."""
        known = {str(name).lower()[:3] for name in self.names}
        return self.metric in _IN_STEPS and {"lat", "lon"} <= known

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

    def apart(self, rows: IntArray, others: IntArray) -> FloatArray | None:
        """Return the distances of rows and others, place by place, in units.

        They are those of `distance`; None unless all cells are whole numbers.
        """
        whole, units = self._whole, [float(unit) for unit in self.units]
        if whole is None or not all(unit.is_integer() for unit in units):
            return None
        sums = np.zeros(len(rows))
        for column, unit in zip(whole.T, units, strict=True):
            length = np.abs(column[rows] - column[others]) / unit
            sums += length * length if self.metric == "euclidean" else length
        return np.sqrt(sums) if self.metric == "euclidean" else sums

    @cached_property
    def _whole(self) -> IntArray | None:
        """The cells, if all are whole numbers that floats hold."""
        if self.metric not in _IN_STEPS or not all(self.numeric) or not self.cells:
            return None
        floats = np.array(self.cells, dtype=np.float64)
        most = np.abs(floats).max(initial=0)
        exact = most < 2**52 and all(x == int(x) for row in self.cells for x in row)
        return floats.astype(np.int64) if exact else None

    def in_words(self, length: float) -> str:
        """Return a distance in a few digits; on the earth with its unit."""
        if self.metric != "great-circle":
            return f"{length:.6g}"
        return f"{length / 1000:,.1f} km" if length >= _FAR else f"{length:.0f} m"

    @property
    def spread_out(self) -> tuple[Name, ...]:
        """Columns of texts that are all different: all rows are as far in them."""
        columns = zip(*self.cells, strict=True)
        return tuple(
            name
            for name, values, number in zip(
                self.names, columns, self.numeric, strict=False
            )
            if not number and 1 < len(values) == len(set(values))
        )

    def squares(self, rows: Sequence[int]) -> float:
        """Return the squared distances of rows to their mean, in units."""
        places = np.array(
            [
                [float(x / u) for x, u in zip(self.cells[row], self.units, strict=True)]
                for row in rows
            ]
        )
        return float(np.square(places - places.mean(axis=0)).sum())

    @cached_property
    def common_step(self) -> int:
        """The greatest step that all whole coordinates are multiples of; at least 1."""
        return gcd(*(int(x) for point in self.points for x in point)) or 1

    def middle(self, rows: Sequence[int]) -> tuple[Cell, ...]:
        """Return a place between rows: of numbers the middle, else the commonest.

        Of euclidean distances it is that of the smallest ball, in a tenth of the least
        digit, unless there are too many columns.
        """
        if self.metric == "euclidean" and len(self.names) <= MOST_COORDINATES:
            return self._middle_of_ball(rows)
        return tuple(
            (min(values) + max(values)) / 2 if number else _commonest(values)
            for values, number in zip(self._columns(rows), self.numeric, strict=True)
        )

    def _middle_of_ball(self, rows: Sequence[int]) -> tuple[Cell, ...]:
        units = np.array(self.units, dtype=np.float64)
        places = np.array([self.cells[row] for row in rows], dtype=np.float64) / units
        exact = (middle_of_ball(places) * units).tolist()
        return tuple(
            round(Decimal(x), (digits or 0) + 1).normalize()
            for x, digits in zip(exact, self._digits, strict=True)
        )

    def mean(self, rows: Sequence[int]) -> tuple[Cell, ...]:
        """Return the means of numbers, as precise as their columns, else the commonest.

        The mean of equal numbers is that number, as it is written.
        """
        return tuple(
            _commonest(values) if digits is None else _mean(values, digits)
            for values, digits in zip(self._columns(rows), self._digits, strict=True)
        )

    def _columns(self, rows: Sequence[int]) -> Iterator[tuple[Cell, ...]]:
        return zip(*(self.cells[row] for row in rows), strict=True)

    @cached_property
    def _digits(self) -> tuple[int | None, ...]:
        """How many digits behind the point a column has; None if it holds texts."""
        columns = zip(*self.cells, strict=True)
        return tuple(
            max(map(_digits_of, values)) if number else None
            for values, number in zip(columns, self.numeric, strict=True)
        )


def located(
    frame: Frame,
    names: tuple[Name, ...],
    metric: str = "manhattan",
    units: Mapping[Name, Any] | None = None,
    scale: str = "none",
) -> Located:
    """Return the rows of a table as points.

    Raises
    ------
    InvalidInstanceError
        If the columns do not go with the metric: on one line, with column and row.
    """
    columns = [cells_of(frame, name) for name in names]
    numbers = [None if metric == "hamming" else numbers_of(cells) for cells in columns]
    _expect_sense(names, metric, units or {}, scale)
    if metric in ("euclidean", "great-circle"):
        for name, cells, found in zip(names, columns, numbers, strict=True):
            if found is None:
                _complain(name, cells, metric)
    values: list[Sequence[Cell]] = [
        cells if found is None else found
        for cells, found in zip(columns, numbers, strict=True)
    ]
    rows = list(zip(*values, strict=True))
    numeric = tuple(found is not None for found in numbers)
    sizes = tuple(
        _unit(name, (units or {})[name])
        if name in (units or {})
        else _spread(found or (), scale)
        for name, found in zip(names, numbers, strict=True)
    )
    points: Sequence[Sequence[int | float | str]]
    if metric not in _IN_STEPS:
        plain: type[float | str] = float if metric == "great-circle" else str
        points = [tuple(map(plain, row)) for row in rows]
        slack = 1.0 if metric == "great-circle" else 0.0  # lengths are rounded up
        return Located(names, metric, rows, numeric, sizes, points, 1, slack)
    steps = PRECISION if scale == "none" else _FINE
    placed = [
        _rounded(column, unit, steps) if number else _apart(name, column, unit, steps)
        for name, column, number, unit in zip(
            names, values, numeric, sizes, strict=True
        )
    ]
    axes = [axis for each in placed for axis in each.axes]
    points = list(zip(*axes, strict=True)) if axes else [()] * frame.n
    slack = fsum(each.slack for each in placed)
    if metric == "euclidean":
        slack += 1 / steps  # as above
    return Located(names, metric, rows, numeric, sizes, points, steps, slack)


def _expect_sense(
    names: Sequence[Name], metric: str, units: Mapping[Name, Any], scale: str
) -> None:
    """Refuse units and scales that a metric has not, and columns that it does not."""
    if scale not in SCALES:
        raise InvalidInstanceError(
            f'scale: expected one of {", ".join(SCALES)}, got "{scale}"'
        )
    for name in units:
        if name not in names:
            raise InvalidInstanceError(
                f'units: "{name}" is not among the columns to cluster by'
            )
    for what, given in (("units", bool(units)), ("scale", scale != "none")):
        if given and metric in ("hamming", "great-circle"):
            raise InvalidInstanceError(
                f"{what}: {metric} distances have none; leave it out"
            )
    if metric == "great-circle" and len(names) != 2:
        raise InvalidInstanceError(
            f"great-circle: expected a column of latitudes and one of longitudes, "
            f"got {len(names)} columns"
        )


class _Axes(NamedTuple):
    """Coordinates of a column, and how far distances by them can be off, in units."""

    axes: Sequence[Sequence[int]]
    slack: float


def _rounded(values: Sequence[Decimal], unit: Decimal, steps: int) -> _Axes:
    """Return the coordinate of numbers."""
    exact = [x / unit * steps for x in values]
    axis = [_whole(x) for x in exact]
    off = max((abs(x - y) for x, y in zip(exact, axis, strict=True)), default=Decimal())
    return _Axes([axis], float(2 * off / steps))


def _whole(x: Decimal) -> int:
    return int(x.to_integral_value())


def _spread(values: Sequence[Decimal], scale: str) -> Decimal:
    """Return the unit that a scale chooses for numbers; 1 if they are all alike."""
    found = Decimal()
    if scale == "range" and values:
        found = max(values) - min(values)
    elif scale == "deviation" and values:
        mean = sum(values, Decimal()) / len(values)
        squares = ((x - mean) ** 2 for x in values)
        found = (sum(squares, Decimal()) / len(values)).sqrt()
    return found or Decimal(1)


def _digits_of(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _commonest(values: Sequence[Cell]) -> Cell:
    return max(sorted(set(values), key=str), key=values.count)


def _mean(values: Sequence[Decimal], digits: int) -> Decimal:
    if min(values) == max(values):
        return values[0]
    with localcontext(prec=_MOST_DIGITS):
        mean = sum(values, Decimal()) / len(values)
        return mean.quantize(Decimal(1).scaleb(-digits))


def cells_of(frame: Frame, name: Name) -> list[Cell]:
    """Return the cells of a column; raise an error if one of them is missing."""
    column = frame.column(name)
    lacking = [cell is None or cell == "" or is_nan(cell) for cell in column.values]
    found = [column.values[code] for code in column.codes]
    without = [row for row, code in enumerate(column.codes, 1) if lacking[code]]
    if without:
        more = f" (and {len(without) - 1} others)" if len(without) > 1 else ""
        raise InvalidInstanceError(
            f'column "{name}": row {without[0]}{more} has no value, so it has no '
            "place; fill it, or leave it out before"
        )
    return found


def numbers_of(cells: Sequence[Cell]) -> list[Decimal] | None:
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
    raise InvalidInstanceError(
        f'column "{name}": {metric} distances need numbers, row {row + 1} holds '
        f'"{cells[row]}"'
    )


def _unit(name: Name, size: Any) -> Decimal:
    unit = _number(size)
    if unit is None or unit <= 0:
        raise InvalidInstanceError(
            f'units: "{name}": expected a number above 0, got {size!r}'
        )
    return unit


def _apart(name: Name, values: Sequence[Cell], unit: Decimal, steps: int) -> _Axes:
    """Return coordinates in which any two different values are one weight apart."""
    different = sorted(set(values), key=str)
    if len(different) > _MOST_VALUES:
        raise InvalidInstanceError(
            f'column "{name}": {len(different)} different texts, more than '
            f"{_MOST_VALUES}; take hamming distances"
        )
    if len(different) < 2:
        return _Axes([], 0.0)
    half = _whole(steps / unit) // 2
    axes = [[half * (value == sought) for value in values] for sought in different]
    return _Axes(axes, float(abs(2 * half - steps / unit) / steps))
