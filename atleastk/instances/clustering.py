"""Clustering points of a metric space: the base of r-gather and cellular clustering.

The points
----------
Items are points 0..n-1 of a metric space, given by their ``distances`` - a symmetric
matrix of whole numbers with a diagonal of zeros, ``null`` where two points can never be
in one cluster - or as ``points`` with a ``metric``; see
:mod:`atleastk.instances.spaces.metric_spaces`.

The clusters
------------
All points but ``max_outliers`` at most are partitioned into at most ``max_clusters``
clusters of at least ``r`` points. Where the centre of a cluster may be is one of three
readings of the papers:

``"input"``
    Any of the points, also one of another cluster, or an outlier. One point may be the
    centre of several clusters.
``"member"``
    A point of the cluster.
``"any"``
    Anywhere in a metric space around the points: the radius is then half the diameter
    of the cluster (in the injective hull, balls of that radius have a common point).

Units
-----
Costs are whole numbers. ``centres: "any"`` counts diameters in place of radii, twice
the radius; :attr:`Clustering.radius` turns them back.

Magnitudes
----------
No distance is above :attr:`Clustering.most_distance`, decided in exact integers from
the coordinates and the scale when the instance is made. So no sum of two distances,
and of cellular clustering no sum over all points, leaves 64 bits.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.instances.fields.attributes import USUAL, Attribute
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, WHOLE
from atleastk.instances.fields.shapes import (
    Integer,
    ListOf,
    Nullable,
    NumberCell,
    OneOf,
    Table,
    shown,
)
from atleastk.instances.instance import Amount, Instance, shaped
from atleastk.instances.records import numbered
from atleastk.instances.spaces.graph_distances import shortest_paths
from atleastk.instances.spaces.metric_spaces import (
    FAR,
    HALF_WAY_ROUND,
    METRICS,
    MOST_ROOT,
    PRECISION,
    Euclidean,
    GreatCircle,
    Hamming,
    Manhattan,
    Matrix,
    MetricSpace,
    triangle_violation,
)
from atleastk.packages import nx

CENTRES: Final = ("input", "member", "any")

Coordinate = int | float | str

_COARSEST: Final = 0.1
"""The error of a great circle, in units, above which a scale is refused."""


@dataclass(frozen=True, kw_only=True)
class Clustering(Instance):
    """Points to be clustered.

    Attributes
    ----------
    distances
        A symmetric matrix; None stands for points that no cluster may join.
    points, metric, scale
        The points, in place of distances. Lengths that are no whole numbers are rounded
        up to multiples of 1 / scale; the scale is 1 unless given.
    r
        The least size of a cluster.
    max_clusters, max_outliers
        How many clusters there may be, and how many points need not be in one.
    centres
        What may be the centre of a cluster.
    """

    always_nested: ClassVar[bool] = True

    distances: Sequence[Sequence[int | None]] | None = field(
        default=None, metadata=shaped(ListOf(ListOf(Nullable(Integer(minimum=0)))))
    )
    points: Sequence[Sequence[Coordinate]] | None = field(
        default=None, metadata=shaped(Table(NumberCell()))
    )
    metric: str | None = field(default=None, metadata=shaped(OneOf(METRICS)))
    scale: int | None = field(default=None, metadata=COUNT)
    r: int = field(metadata=COUNT)
    max_clusters: int | None = field(default=None, metadata=COUNT)
    max_outliers: int = field(default=0, metadata=WHOLE)
    centres: str = field(default="input", metadata=shaped(OneOf(CENTRES)))

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.distances is None) == (self.points is None):
            raise InvalidInstanceError("distances: give either distances or points")
        for name in ("metric", "scale"):
            if self.points is None and getattr(self, name) is not None:
                raise InvalidInstanceError(f"{name}: distances need none; leave it out")
        if self.squared and self.scale is not None:
            raise InvalidInstanceError(
                "scale: euclidean radii are exact, as squares; leave it out"
            )
        _ = self.space

    @classmethod
    def of_graph(
        cls, graph: nx.Graph[Any], *, weight: Attribute = USUAL, **fields: Any
    ) -> Self:
        """Return the instance whose distances are shortest paths in a graph.

        Items are the nodes in the order of ``graph.nodes``. The attribute `weight` of
        edges, by default ``"weight"``, is their length. With None all edges have length
        1, and also if no edge has any attributes. Of parallel edges the shortest
        counts.
        """
        return cls(distances=shortest_paths(graph, weight), **fields)

    @property
    def n(self) -> int:
        """The number of points."""
        return self.space.n

    @property
    @abstractmethod
    def most_distance(self) -> int:
        """The greatest distance that is allowed."""

    @property
    def squared(self) -> bool:
        """Whether distances and costs are squares of lengths."""
        return False

    @property
    def facilities(self) -> IntArray | None:
        """The facility cost of every point; None if only radii count."""
        return None

    @property
    def any_centre(self) -> bool:
        """Whether clusters are measured by their diameter, twice their radius."""
        return self.centres == "any"

    @property
    def least_clustered(self) -> int:
        """The number of points that have to be in a cluster."""
        return max(0, self.n - self.max_outliers)

    @property
    def most_clusters(self) -> int:
        """How many clusters there can be."""
        most = self.n // self.r
        return most if self.max_clusters is None else min(most, self.max_clusters)

    @property
    def limited(self) -> bool:
        """Whether the number of clusters is limited further than by their size."""
        return self.most_clusters < self.n // self.r

    @property
    def limits(self) -> tuple[int | None, int]:
        """The pair (most clusters, most outliers): at most n, None without a limit."""
        most = self.max_clusters
        clusters = None if most is None else min(self.n, most)
        return clusters, min(self.n, self.max_outliers)

    @cached_property
    def space(self) -> MetricSpace:
        """The distances, computed on demand: `row(i)` of a point, `matrix` of all."""
        most, scale = self.most_distance, self.scale or 1
        if self.points is None:
            return Matrix(_matrix(self.distances or (), most))
        match self.metric or "euclidean":
            case "hamming":
                codes = _codes(self.points)
                _expect_scale(scale, most // max(1, codes.shape[1]), most)
                return Hamming(codes, scale)
            case "great-circle":
                finest = int(_COARSEST / PRECISION)
                _expect_scale(scale, min(finest, most // HALF_WAY_ROUND), most)
                return GreatCircle(_degrees(self.points), scale)
            case "manhattan":
                return Manhattan(_scaled(self.points, scale, most), scale)
        if self.squared:
            return Euclidean(_whole(self.points, most, 2), None)
        longest = min(most, MOST_ROOT)
        return Euclidean(_scaled(self.points, scale, longest), scale)

    def distance(self, i: int, j: int) -> int | None:
        """Return a distance, `squared` or not; None if no cluster may join the two."""
        found = int(self.space.between(np.array([i]), np.array([j]))[0, 0])
        return None if found == FAR else found

    @cached_property
    def not_metric(self) -> tuple[int, int, int] | None:
        """Points i, j, k with d(i, j) > d(i, k) + d(k, j); None if there are none.

        In time O(n^3) for given distances; points always make a metric.
        """
        return triangle_violation(self.space) if self.points is None else None

    def radius(self, cost: int) -> float:
        """Return the radius, in units of the points, that a cost stands for.

        Of cellular clustering that is the total: a sum of multiples of radii.
        """
        length = sqrt(cost) if self.squared else cost / (self.scale or 1)
        return length / 2 if self.any_centre else length

    def meaning(self, cost: int, equals: str = "=") -> str:
        del equals
        if not (self.squared or self.any_centre or (self.scale or 1) > 1):
            return ""
        return f"({self.measured} {self.radius(cost):.10g})"

    def stretched(self, cost: int, factor: Amount) -> Amount:
        """Return the distance that is `factor` times as long."""
        return cost * factor ** (2 if self.squared else 1)

    def ratio(self, cost: Amount, other: Amount) -> float:
        """Return the ratio of the lengths of two distances."""
        times = super().ratio(cost, other)
        return sqrt(times) if self.squared else times

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        yield f"n={self.n} r={self.r}"
        if self.max_clusters is not None:
            yield f"max_clusters={self.max_clusters}"
        if self.max_outliers:
            yield f"max_outliers={self.max_outliers}"
        if self.centres != "input":
            yield f"centres={self.centres}"


def _matrix(rows: Sequence[Sequence[int | None]], most: int) -> IntArray:
    n = len(rows)
    for i, row in enumerate(rows):
        if len(row) != n:
            raise InvalidInstanceError(
                f"distances[{i}]: expected {n} distances, got {len(row)}"
            )
        greatest = max(filter(None, row), default=0)
        if greatest > most:
            j = row.index(greatest)
            raise InvalidInstanceError(
                f"distances[{i}][{j}]: expected at most {most}, got {shown(greatest)}; "
                f"take larger units"
            )
    full = [
        [FAR if d is None else d for d in row] if None in row else row for row in rows
    ]
    found = np.array(full, dtype=np.int64).reshape(n, n)
    wrong = np.argwhere(found != found.T)
    if len(wrong):
        i, j = wrong[0].tolist()
        raise InvalidInstanceError(
            f"distances[{i}][{j}]: {rows[i][j]} differs from distances[{j}][{i}], "
            f"{rows[j][i]}; a matrix of distances is symmetric"
        )
    if found.diagonal().any():
        i = int(found.diagonal().nonzero()[0][0])
        raise InvalidInstanceError(f"distances[{i}][{i}]: expected 0, got {rows[i][i]}")
    found.setflags(write=False)
    return found


def _expect_scale(scale: int, greatest: int, most: int) -> None:
    """Raise an error if a scale makes distances greater than `most`."""
    if scale > greatest:
        raise InvalidInstanceError(
            f"scale: expected at most {greatest}, got {shown(scale)}; distances have "
            f"to be exact and at most {most}"
        )


def _codes(points: Sequence[Sequence[Hashable]]) -> Int32Array:
    columns = len(points[0]) if points else 0
    codes = np.empty((len(points), columns), dtype=np.int32)
    for j in range(columns):
        codes[:, j] = numbered(point[j] for point in points)
    return codes


def _whole(points: Sequence[Sequence[Coordinate]], most: int, power: int) -> IntArray:
    """Return whole coordinates whose distances are at most `most`."""
    if isinstance(points, CodedTable):
        return _near(points.codes.astype(np.int64), most, power)
    for i, point in enumerate(points):
        for j, x in enumerate(point):
            if type(x) is not int:
                raise InvalidInstanceError(
                    f"points[{i}][{j}]: expected a whole number, got {shown(x)}; "
                    f"multiply all by a power of ten, and round"
                )
    columns = len(points[0]) if points else 0
    whole = np.array(points, dtype=object).reshape(len(points), columns)
    return _near(whole, most, power)


def _near(whole: NDArray[Any], most: int, power: int) -> IntArray:
    """Return whole coordinates, from 0, whose distances are at most `most`."""
    moved = whole - whole.min(axis=0) if len(whole) else whole
    spans = moved.max(axis=0).tolist() if len(whole) else []
    if sum(span**power for span in spans) > most:
        raise InvalidInstanceError(
            f"points: they are further apart than {most}; take larger units"
        )
    return moved.astype(np.int64)


def _scaled(points: Sequence[Sequence[Coordinate]], scale: int, most: int) -> IntArray:
    """Return whole coordinates whose distances times the scale are at most `most`."""
    _expect_scale(scale, most, most)
    return _whole(points, most // scale, 1)


def _degrees(points: Sequence[Sequence[Coordinate]]) -> FloatArray:
    for i, point in enumerate(points):
        if len(point) != 2:
            raise InvalidInstanceError(
                f"points[{i}]: expected latitude and longitude, got {shown(point)}"
            )
        for j, (x, most) in enumerate(zip(point, (90, 180), strict=True)):
            if isinstance(x, str) or not -most <= x <= most:
                raise InvalidInstanceError(
                    f"points[{i}][{j}]: expected degrees from -{most} to {most}, "
                    f"got {shown(x)}"
                )
    return np.array(points, dtype=np.float64).reshape(len(points), 2)
