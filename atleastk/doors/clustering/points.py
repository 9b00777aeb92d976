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
are as far apart as two texts that differ, or its standard deviation
(of squares divided by n).

All that is solved is in whole numbers: coordinates are rounded to thousandths of a
unit, or to millionths if a scale chose it. The largest error of a distance is known,
and is subtracted from bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import cached_property
from math import fsum, gcd
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.doors.cells import Cell, filled_column, number_of, numbers_of, with_commas
from atleastk.doors.clustering.enclosing import MOST_COORDINATES, middle_of_ball
from atleastk.frames.frame import Frame, Name
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError, expect_one_of
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

STEPS: Final = 10_000
"""Steps of a standard deviation, where deviations are rounded to whole numbers."""

MOST_PAIRED: Final = 1_000
"""The most rows of whose pairs each is listed: half a million. Not tuned."""

_MUCH: Final = 100
"""How many times as wide a column is that decides alone, nearly: not tuned."""

_FAR: Final = 10_000
"""Metres from which on distances are told in kilometres."""

_MOST_DIGITS: Final = 1_000
"""Digits that a mean is computed with: more than those of any 64-bit float."""

_MOST_WHOLE: Final = 2**52
"""Lengths below are whole numbers that floats hold."""

_MOST_COORDINATE: Final = 2**62
"""Coordinates below, and what they differ by, are in 64 bits."""


@dataclass(frozen=True, eq=False)
class Axis:
    """A column that says where rows are, by the numbers of its values."""

    name: Name
    values: Sequence[Cell]
    """The values: decimals if all are numbers."""
    codes: Int32Array
    """Which one each row has."""
    number: bool
    """Whether they are numbers."""
    unit: Decimal
    """How much of the column makes a unit of distance."""
    commas: bool
    """Whether they are texts of numbers with decimal commas."""

    @property
    def span(self) -> Decimal:
        """How far numbers are apart, in units."""
        length: Decimal = max(self.values) - min(self.values)
        return length / self.unit

    @property
    def floats(self) -> FloatArray:
        """The numbers of all rows."""
        return np.array(self.values, dtype=np.float64)[self.codes]

    @cached_property
    def in_units(self) -> FloatArray:
        """The numbers of its values, in units."""
        return np.array([float(x / self.unit) for x in self.values])

    @cached_property
    def digits(self) -> int | None:
        """How many digits behind the point its numbers have; None if it holds texts."""
        if not self.number:
            return None
        digits = (-int(x.as_tuple().exponent) for x in self.values)
        return max(0, max(digits, default=0))

    @cached_property
    def _exact(self) -> tuple[NDArray[Any], Any]:
        """The numbers, and the unit: in steps of the last digit if floats hold them."""
        digits = self.digits or 0
        whole = [int(x.scaleb(digits)) for x in self.values]
        if all(abs(x) < _MOST_WHOLE for x in whole):
            return np.array(whole, dtype=np.int64), float(self.unit.scaleb(digits))
        return np.array(self.values, dtype=object), self.unit

    def apart(self, rows: IntArray, others: IntArray) -> FloatArray:
        """Return how far rows and others are apart, place by place, in units."""
        first, second = self.codes[rows], self.codes[others]
        if not self.number:
            return np.where(first == second, 0.0, 1 / float(self.unit))
        numbers, unit = self._exact
        lengths: FloatArray = np.abs(numbers[first] - numbers[second]) / unit
        return lengths.astype(np.float64)

    def beside(self, cells: Sequence[Cell]) -> Axis:
        """Return the column with more rows, of these cells."""
        known = dict.fromkeys([*self.values, *cells])
        number_of = {value: i for i, value in enumerate(known)}
        codes = [number_of[cell] for cell in (*self.values, *cells)]
        old, new = np.split(np.array(codes, dtype=np.int32), [len(self.values)])
        each = np.concatenate([old[self.codes], new])
        return replace(self, values=[*known], codes=each)


@dataclass(frozen=True, eq=False)
class Located:
    """Rows as points."""

    metric: str
    axes: tuple[Axis, ...]
    """The columns that say where a row is."""
    points: Sequence[Sequence[int | float | str]]
    """What is clustered: coordinates of the metric."""
    steps: int
    """How many steps of the coordinates make a unit of distance."""
    slack: float
    """How far a distance between points can be off, in units, since coordinates and
    lengths that are solved are whole numbers."""

    @property
    def names(self) -> tuple[Name, ...]:
        return tuple(axis.name for axis in self.axes)

    @property
    def has_commas(self) -> bool:
        """Whether numbers of some column are texts with decimal commas."""
        return any(axis.commas for axis in self.axes)

    @property
    def drowned(self) -> tuple[Name, ...]:
        """Columns of numbers that differ little beside another, in their units."""
        if self.metric not in _IN_STEPS or not self.points:
            return ()
        spans = {axis.name: axis.span for axis in self.axes if axis.number}
        widest = max(spans.values(), default=Decimal())
        return tuple(n for n, span in spans.items() if 0 < _MUCH * span < widest)

    @property
    def in_degrees(self) -> bool:
        """Whether places on the earth are taken for those of a plane."""
        known = {str(name).lower()[:3] for name in self.names}
        return self.metric in _IN_STEPS and {"lat", "lon"} <= known

    def rows(
        self, rows: Sequence[int], told: Callable[[Cell], Any] | None = None
    ) -> list[tuple[Any, ...]]:
        """Return the cells of rows, each as it is `told`."""
        chosen, columns = np.array(rows, dtype=np.int64), []
        for axis in self.axes:
            values = axis.values if told is None else list(map(told, axis.values))
            columns.append(map(values.__getitem__, axis.codes[chosen].tolist()))
        return list(zip(*columns, strict=True))

    def beside(self, places: Sequence[Sequence[Cell]]) -> Located:
        """Return what `apart` takes of these rows, and of places between them."""
        columns = zip(self.axes, zip(*places, strict=True), strict=True)
        return replace(self, axes=tuple(axis.beside(cells) for axis, cells in columns))

    def apart(self, rows: IntArray, others: IntArray) -> FloatArray:
        """Return the distances of rows and others, place by place, in units."""
        if self.metric == "great-circle":
            degrees = np.column_stack([axis.floats for axis in self.axes])
            return GreatCircle(degrees).apart(rows, others).astype(np.float64)
        each = (axis.apart(rows, others) for axis in self.axes)
        if self.metric != "euclidean":
            return sum(each, np.zeros(len(rows)))
        return np.sqrt(sum((x * x for x in each), np.zeros(len(rows))))

    def in_words(self, length: float) -> str:
        """Return a distance in a few digits; on the earth with its unit."""
        if self.metric != "great-circle":
            return f"{length:.6g}"
        return f"{length / 1000:,.1f} km" if length >= _FAR else f"{length:.0f} m"

    @property
    def spread_out(self) -> tuple[Name, ...]:
        """Columns of texts that are all different: all rows are as far in them."""
        return tuple(
            axis.name
            for axis in self.axes
            if not axis.number and 1 < len(axis.codes) == len(axis.values)
        )

    def squares(self, rows: Sequence[int]) -> float:
        """Return the squared distances of rows to their mean, in units."""
        places = self._places(rows)
        return float(np.square(places - places.mean(axis=0)).sum())

    def _places(self, rows: Sequence[int]) -> FloatArray:
        of = list(rows)
        return np.stack([axis.in_units[axis.codes[of]] for axis in self.axes], axis=1)

    def pairs(self, rows: Sequence[int]) -> float:
        """Return the sum of distances between any two rows, in units."""
        of = np.array(rows, dtype=np.int64)
        one, other = (of[i] for i in np.triu_indices(len(of), 1))
        return float(self.apart(one, other).sum())

    @cached_property
    def common_step(self) -> int:
        """The greatest step that all whole coordinates are multiples of; at least 1."""
        if isinstance(self.points, CodedTable):
            return int(np.gcd.reduce(self.points.codes, axis=None)) or 1
        return gcd(*(int(x) for point in self.points for x in point)) or 1

    def middle(self, rows: Sequence[int]) -> tuple[Cell, ...]:
        """Return a place between rows: of numbers the middle, else the commonest.

        Of euclidean distances it is that of the smallest ball, in a tenth of the least
        digit, unless there are too many columns.
        """
        if self.metric == "euclidean" and len(self.names) <= MOST_COORDINATES:
            return self._middle_of_ball(rows)
        return tuple(
            (min(values) + max(values)) / 2 if axis.number else _commonest(values)
            for values, axis in zip(self._columns(rows), self.axes, strict=True)
        )

    def _middle_of_ball(self, rows: Sequence[int]) -> tuple[Cell, ...]:
        units = np.array([axis.unit for axis in self.axes], dtype=np.float64)
        exact = (middle_of_ball(self._places(rows)) * units).tolist()
        return tuple(
            round(Decimal(x), (axis.digits or 0) + 1).normalize()
            for x, axis in zip(exact, self.axes, strict=True)
        )

    def mean(self, rows: Sequence[int]) -> tuple[Cell, ...]:
        """Return the means of numbers, as precise as their columns, else the commonest.

        The mean of equal numbers is that number, as it is written.
        """
        return tuple(
            _commonest(values) if axis.digits is None else _mean(values, axis.digits)
            for values, axis in zip(self._columns(rows), self.axes, strict=True)
        )

    def _columns(self, rows: Sequence[int]) -> Iterator[tuple[Cell, ...]]:
        for axis in self.axes:
            yield tuple(axis.values[code] for code in axis.codes[list(rows)].tolist())


def located(
    frame: Frame,
    names: tuple[Name, ...],
    metric: str = "manhattan",
    units: Mapping[Name, Any] | None = None,
    scale: str = "none",
) -> Located:
    """Return the rows of a table as points.

    Raises InvalidInstanceError if the columns do not go with the metric: on one line,
    with column and row.
    """
    _expect_sense(names, metric, units or {}, scale)
    axes = tuple(_axis(frame, name, metric, units or {}, scale) for name in names)
    if metric not in _IN_STEPS:
        plain: type[float | str] = float if metric == "great-circle" else str
        slack = 1.0 if metric == "great-circle" else 0.0  # lengths are rounded up
        where = Located(metric, axes, [], 1, slack)
        return replace(where, points=where.rows(range(frame.n), plain))
    steps = PRECISION if scale == "none" else _FINE
    placed = [
        _rounded(axis, steps) if axis.number else _apart(axis, steps) for axis in axes
    ]
    points = _table([each for found, _ in placed for each in found], frame.n)
    slack = fsum(off for _, off in placed)
    if metric == "euclidean":
        slack += 1 / steps  # as above
    return Located(metric, axes, points, steps, slack)


def _axis(
    frame: Frame, name: Name, metric: str, units: Mapping[Name, Any], scale: str
) -> Axis:
    column = filled_column(frame, name)
    numbers = None if metric == "hamming" else numbers_of(column.values)
    if numbers is None and metric in ("euclidean", "great-circle"):
        number, cell = next(
            (i, x) for i, x in enumerate(column.values) if number_of(x) is None
        )
        raise InvalidInstanceError(
            f'column "{name}": {metric} distances need numbers, '
            f'{column.place_of(number)} holds "{cell}"; choose columns of numbers by '
            "columns (--columns)"
        )
    unit: Decimal | None = _spread(numbers or (), column.rows_of_values, scale)
    if name in units:
        unit = number_of(units[name])
    if unit is None or unit <= 0:
        raise InvalidInstanceError(
            f'units: "{name}": expected a number above 0, got {units[name]!r}'
        )
    values = column.values if numbers is None else numbers
    commas = numbers is not None and with_commas(column.values)
    return Axis(name, values, column.codes, numbers is not None, unit, commas)


def _expect_sense(
    names: Sequence[Name], metric: str, units: Mapping[Name, Any], scale: str
) -> None:
    """Refuse units and scales that a metric has not, and columns that it does not."""
    expect_one_of("scale", scale, SCALES)
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
            "great-circle: expected a column of latitudes and one of longitudes, got "
            f"{', '.join(map(str, names))}; say which two by columns (--columns)"
        )


_Coordinate = tuple[Sequence[int], Int32Array]
"""A coordinate of every value of a column, and which value each row has."""

_Placed = tuple[Sequence[_Coordinate], float]
"""Coordinates of a column, and how far distances by them can be off, in units."""


def _table(coordinates: Sequence[_Coordinate], n: int) -> Sequence[Sequence[int]]:
    if any(abs(x) >= _MOST_COORDINATE for places, _ in coordinates for x in places):
        return [
            tuple(places[codes[row]] for places, codes in coordinates)
            for row in range(n)
        ]
    table = np.empty((n, len(coordinates)), dtype=np.int64)
    for j, (places, codes) in enumerate(coordinates):
        table[:, j] = np.array(places, dtype=np.int64)[codes]
    return CodedTable(table)


def _rounded(axis: Axis, steps: int) -> _Placed:
    exact = [x / axis.unit * steps for x in axis.values]
    places = [_whole(x) for x in exact]
    both = zip(exact, places, strict=True)
    off = max((abs(x - y) for x, y in both), default=Decimal())
    return [(places, axis.codes)], float(2 * off / steps)


def _whole(x: Decimal) -> int:
    return int(x.to_integral_value())


def _spread(values: Sequence[Decimal], times: Sequence[int], scale: str) -> Decimal:
    """Return the unit that a scale chooses for numbers, each in so many rows.

    It is 1 if they are all alike.
    """
    found = Decimal()
    if scale == "range" and values:
        found = max(values) - min(values)
    elif scale == "deviation" and values:
        weighed, n = list(zip(values, times, strict=True)), sum(times)
        mean = sum((x * count for x, count in weighed), Decimal()) / n
        squares = ((x - mean) ** 2 * count for x, count in weighed)
        found = (sum(squares, Decimal()) / n).sqrt()
    return found or Decimal(1)


def _commonest(values: Sequence[Cell]) -> Cell:
    return max(sorted(set(values), key=str), key=values.count)


def _mean(values: Sequence[Decimal], digits: int) -> Decimal:
    if min(values) == max(values):
        return values[0]
    with localcontext(prec=_MOST_DIGITS):
        mean = sum(values, Decimal()) / len(values)
        return mean.quantize(Decimal(1).scaleb(-digits))


def deviations(numbers: Sequence[Decimal], where: str) -> FloatArray:
    """Return how far numbers are above their mean, in standard deviations."""
    values = np.array(numbers, dtype=np.float64)
    with np.errstate(over="ignore"):
        total = np.abs(values).sum()
    if not np.isfinite(total):
        raise InvalidInstanceError(f"{where}: numbers too large for 64-bit floats")
    if values.max(initial=-np.inf) <= values.min(initial=np.inf):
        return np.zeros(len(values))  # their mean, rounded, may be another number
    _, exponent = np.frexp(np.abs(values).max())
    values = np.ldexp(values, -exponent)  # or the squares may overflow, or vanish
    found: FloatArray = (values - values.mean()) / values.std()
    return found


def _apart(axis: Axis, steps: int) -> _Placed:
    """Return coordinates in which any two different values are one weight apart."""
    many = len(axis.values)
    if many > _MOST_VALUES:
        raise InvalidInstanceError(
            f'column "{axis.name}": {many} different texts, more than '
            f"{_MOST_VALUES}; choose others (--columns), or take hamming distances"
        )
    if many < 2:
        return [], 0.0
    half = _whole(steps / axis.unit) // 2
    coordinates = [
        ([half * (i == sought) for i in range(many)], axis.codes)
        for sought in sorted(range(many), key=lambda i: str(axis.values[i]))
    ]
    slack = float(abs(2 * half - steps / axis.unit) / steps)
    return coordinates, slack
