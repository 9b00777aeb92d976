"""Planes: the points of a metric space in a picture, and the outlines of balls.

A plane places points, and draws what lies within a radius of a centre:

===============  ==========================================================
``euclidean``    the points themselves, discs
``manhattan``    the points themselves, squares on their corners
``great-circle`` longitude and latitude, circles on the sphere
others           classical multidimensional scaling of the distances [Torgerson52],
                 which distorts them: no outlines
===============  ==========================================================

References
----------
[Torgerson52] W. S. Torgerson, "Multidimensional scaling: I. Theory and method",
Psychometrika 17, 1952.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.clustering import Clustering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.spaces.metric_spaces import EARTH_RADIUS, FAR

DEGREES: Final = ("longitude", "latitude")
"""The names of the axes of the earth."""

MOST_SCALED: Final = 2000
"""The most points that are placed by their distances, in time O(n^3)."""

_CORNERS: Final = 120
"""Corners of a polygon that is drawn as a circle."""

Around = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class Plane:
    """Points placed in a picture."""

    places: FloatArray
    """Across and up, one row per point."""
    around: Around | None
    """Returns the outlines of balls of given centres and radii, [centre, corner, 2];
    None if the picture distorts distances."""
    axes: tuple[str, str]
    """The names of the axes; empty for plain coordinates."""
    aspect: float = 1.0
    """The length of a unit upwards by that of one across."""


def plane_of(instance: Clustering) -> Plane:
    """Return where the points are drawn.

    Raise `NotApplicableError` if there are too many to be placed by their distances.
    """
    if instance.points is not None and instance.n and len(instance.points[0]) <= 2:
        if instance.metric == "great-circle":
            return _earth(np.array(instance.points, dtype=np.float64))
        if instance.metric != "hamming" and len(instance.points[0]):
            return _flat(instance)
    return scaled(instance)


def _flat(instance: Clustering) -> Plane:
    given = np.array(instance.points, dtype=np.float64)
    places = np.zeros((len(given), 2))
    places[:, : given.shape[1]] = given
    corners = 4 if instance.metric == "manhattan" else _CORNERS
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    unit = np.stack((np.cos(angles), np.sin(angles)), axis=1).round(15)  # 0, not 6e-17

    def around(centres: FloatArray, radii: FloatArray) -> FloatArray:
        return np.asarray(centres[:, None] + radii[:, None, None] * unit)

    return Plane(places, around, ("", ""))


def _earth(degrees: FloatArray) -> Plane:
    middle = np.radians((degrees[:, 0].min() + degrees[:, 0].max()) / 2)
    stretch = 1.0 / max(0.1, float(np.cos(middle)))
    return Plane(degrees[:, ::-1].copy(), _on_the_sphere, DEGREES, stretch)


def _on_the_sphere(centres: FloatArray, radii: FloatArray) -> FloatArray:
    """Return circles of radii in metres about longitudes and latitudes."""
    angles = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
    across, up = np.radians(centres.T)[:, :, None]
    far = (radii / EARTH_RADIUS)[:, None]
    sine = np.sin(up) * np.cos(far) + np.cos(up) * np.sin(far) * np.cos(angles)
    latitude = np.arcsin(np.clip(sine, -1, 1))
    turned = np.arctan2(
        np.sin(angles) * np.sin(far) * np.cos(up), np.cos(far) - np.sin(up) * sine
    )
    return np.asarray(np.degrees(np.stack((across + turned, latitude), axis=2)))


def scaled(instance: Clustering) -> Plane:
    """Return the plane that shows most of the distances; see [Torgerson52].

    Points without a distance are drawn twice as far apart as any others.
    """
    n = instance.n
    if n > MOST_SCALED:
        raise NotApplicableError(
            f"a picture of points without coordinates takes at most {MOST_SCALED:,} of "
            f"them, got {n:,}; draw a part of the points"
        )
    distances = instance.space.matrix
    lengths = distances.astype(np.float64)
    missing = distances >= FAR
    if missing.any():
        lengths[missing] = 2 * lengths[~missing].max(initial=1.0)
    squares = lengths if instance.squared else lengths**2
    inner = squares - squares.mean(axis=0, keepdims=True)
    inner -= inner.mean(axis=1, keepdims=True)
    values, vectors = np.linalg.eigh(-inner / 2)
    places = np.zeros((n, 2))
    shown = min(2, n)
    best = np.maximum(values[::-1][:shown], 0)
    axes = vectors[:, ::-1][:, :shown]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(shown)]
    places[:, :shown] = axes * np.sign(largest) * np.sqrt(best)  # reproducibly
    total = values[values > 0].sum()
    share = best.sum() / total if total > 0 else 1.0
    axis = f"multidimensional scaling: two axes hold {share:.0%} of the spread"
    return Plane(places, None, (axis, ""))
