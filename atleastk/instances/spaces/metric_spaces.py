"""Metric spaces: the distances between items, in whole numbers, computed on demand.

A space of n points never holds n x n numbers unless :attr:`MetricSpace.matrix` is read:
rows are computed from the coordinates, so tens of thousands of points are
ordinary.

Distances are integers. Those between points are

========================  ============================================================
``euclidean`` squared     the exact square of the length (radius problems compare only)
``euclidean`` rounded     the length times `scale`, rounded up, exactly
``manhattan``             the sum of the absolute differences, times `scale`
``hamming``               the number of coordinates that differ, times `scale`
``great-circle``          metres on the sphere between degrees of latitude and
                          longitude, times `scale`, rounded up
========================  ============================================================

All are computed in exact integers but for great circles, whose metres are right to
`PRECISION`. Which numbers an instance may hold, so that no distance leaves 64 bits, is
decided by :mod:`atleastk.instances.clustering`; the spaces rely on it.

Rounding up keeps the triangle inequality: ceil(a) + ceil(b) >= ceil(a + b). Rounding to
the nearest does not. Squares do not obey it either, but order as lengths do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import FloatArray, IntArray

METRICS: Final = ("euclidean", "manhattan", "hamming", "great-circle")

FAR: Final = 2**61
"""The distance of points that no cluster may join; twice it is still an int64."""

EARTH_RADIUS: Final = 6_371_008.8
"""The mean radius of the earth in metres."""

HALF_WAY_ROUND: Final = 20_015_115
"""No great circle is longer, in metres."""

PRECISION: Final = 1e-7
"""The error of a great circle in metres.

An angle of up to pi passes a dozen operations, each right to 2^-52 of 1 or of pi, and
is never taken from where the arc sine is steep: 10^-15 of a radian for each of them.
"""

MOST_ROOT: Final = 2**30
"""The greatest length that is rounded up: its square has to fit 63 bits."""

_CHUNK: Final = 4_000_000
"""Distances that are computed at a time: 32 megabytes."""

_NOISE: Final = 1e-6
"""Subtracted from a great circle before it is rounded up, in units, at least."""


class MetricSpace(ABC):
    """Distances between the points 0..n-1."""

    @property
    @abstractmethod
    def n(self) -> int:
        """The number of points."""

    @abstractmethod
    def apart(self, ones: IntArray, others: IntArray) -> IntArray:
        """Return how far points are from others, place by place as arrays go along."""

    def between(self, rows: IntArray, columns: IntArray) -> IntArray:
        """Return the distances of some points to others, an array [row, column]."""
        return self.apart(rows[:, None], columns[None, :])

    def row(self, point: int) -> IntArray:
        """Return the distances of a point to all."""
        found: IntArray = self.rows(np.array([point], dtype=np.int64))[0]
        return found

    def rows(self, points: IntArray) -> IntArray:
        """Return the distances of some points to all, an array [point, any point]."""
        return self.between(points, np.arange(self.n, dtype=np.int64))

    @property
    def at_a_time(self) -> int:
        """The number of rows to compute at a time, so that memory stays small."""
        return max(1, _CHUNK // max(1, self.n))

    @cached_property
    def matrix(self) -> IntArray:
        """All distances, an array [point, point]: for thousands of points at most."""
        every = np.arange(self.n, dtype=np.int64)
        found = np.empty((self.n, self.n), dtype=np.int64)
        for start in range(0, self.n, self.at_a_time):
            chunk = every[start : start + self.at_a_time]
            found[chunk] = self.rows(chunk)
        found.setflags(write=False)
        return found


@dataclass(frozen=True, eq=False)
class Matrix(MetricSpace):
    """Distances that are given; FAR where there is none."""

    given: IntArray

    @property
    def n(self) -> int:
        return len(self.given)

    def apart(self, ones: IntArray, others: IntArray) -> IntArray:
        found: IntArray = self.given[ones, others]
        return found

    def rows(self, points: IntArray) -> IntArray:
        found: IntArray = self.given[points]
        return found

    @cached_property
    def matrix(self) -> IntArray:
        return self.given


@dataclass(frozen=True, eq=False)
class PointSpace(MetricSpace):
    """Distances between points that are given by their coordinates."""

    coordinates: NDArray[Any]
    """One row per point."""

    @property
    def n(self) -> int:
        return len(self.coordinates)


@dataclass(frozen=True, eq=False)
class Euclidean(PointSpace):
    """Euclidean lengths of integer points: squared, or scaled and rounded up."""

    scale: int | None
    """Lengths are multiples of 1 / scale, rounded up; None stands for their squares."""

    def apart(self, ones: IntArray, others: IntArray) -> IntArray:
        squares = _zeros(ones, others)
        for axis in self.coordinates.T:
            squares += (axis[ones] - axis[others]) ** 2
        return squares if self.scale is None else _root(squares * self.scale**2)


@dataclass(frozen=True, eq=False)
class Manhattan(PointSpace):
    """Sums of absolute differences between whole coordinates."""

    scale: int = 1

    def apart(self, ones: IntArray, others: IntArray) -> IntArray:
        sums = _zeros(ones, others)
        for axis in self.coordinates.T:
            sums += np.abs(axis[ones] - axis[others])
        return sums * self.scale


@dataclass(frozen=True, eq=False)
class Hamming(PointSpace):
    """How many coordinates differ between rows of numbered values."""

    scale: int = 1

    def apart(self, ones: IntArray, others: IntArray) -> IntArray:
        counts = _zeros(ones, others)
        for axis in self.coordinates.T:
            counts += axis[ones] != axis[others]
        return counts * self.scale


@dataclass(frozen=True, eq=False)
class GreatCircle(PointSpace):
    """Metres on the sphere, scaled and rounded up, between latitudes and longitudes."""

    scale: int = 1

    @cached_property
    def on_the_sphere(self) -> FloatArray:
        """The points in space, on the sphere of radius 1."""
        latitude, longitude = np.radians(self.coordinates.reshape(self.n, 2)).T
        across = np.cos(latitude)
        return np.stack(
            (across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude)),
            axis=1,
        )

    def apart(self, ones: IntArray, others: IntArray) -> IntArray:
        places = self.on_the_sphere
        squares = _zeros(ones, others).astype(np.float64)
        for axis in places.T:
            squares += (axis[ones] - axis[others]) ** 2
        angles = _arc(np.minimum(squares, 2.0))
        steep = squares > 2.0
        if steep.any():  # from the point opposite, where the arc sine is not steep
            here, there = np.broadcast_arrays(ones, others)
            opposite = places[here[steep]] + places[there[steep]]
            angles[steep] = np.pi - _arc((opposite**2).sum(axis=1))
        noise = max(_NOISE, PRECISION * self.scale)
        lengths = EARTH_RADIUS * self.scale * angles - noise
        return np.maximum(np.ceil(lengths), 0.0).astype(np.int64)


def _zeros(ones: IntArray, others: IntArray) -> IntArray:
    return np.zeros(np.broadcast_shapes(ones.shape, others.shape), dtype=np.int64)


def _arc(squares: FloatArray) -> FloatArray:
    """Return the angles whose chords have these squares, up to 2."""
    angles: FloatArray = 2.0 * np.arcsin(np.sqrt(squares) / 2.0)
    return angles


def _root(squares: IntArray) -> IntArray:
    """Return the square roots, rounded up, exactly; for squares below 2**60."""
    roots = np.sqrt(squares.astype(np.float64)).astype(np.int64)
    roots += roots**2 < squares
    roots -= (roots > 0) & ((roots - 1) ** 2 >= squares)
    return roots


def triangle_violation(space: MetricSpace) -> tuple[int, int, int] | None:
    """Return points i, j, k with d(i, j) > d(i, k) + d(k, j), or None without any.

    In time O(n^3).
    """
    distances = space.matrix
    for k in range(space.n):
        around = distances[:, k, None] + distances[k]
        worse = (distances > around) & (around < FAR)
        if worse.any():
            i, j = np.argwhere(worse)[0].tolist()
            return i, j, k
    return None
