"""The smallest ball around points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray

MOST_COORDINATES: Final = 6
"""With more of them too many sets of points may lie on the boundary of a ball."""

_ROUNDING: Final = 1e-9
"""Squares that differ by less of themselves are taken for equal."""


def middle_of_ball(points: FloatArray) -> FloatArray:
    """Return the centre of the smallest ball around points, [point, coordinate].

    *Theorem.* The ball is that of at most d + 1 of the points, on its boundary
    [Welzl91]. So while a point lies outside the ball of some, the farthest joins these,
    and those stay that the smallest ball around all of them has on its boundary: the
    ball grows each time, and no set comes again.

    References
    ----------
    [Welzl91] E. Welzl, Smallest enclosing disks (balls and ellipsoids). New Results and
    New Trends in Computer Science, LNCS 555 (1991) 359-370.
    """
    held: list[int] = [0]
    while True:
        centre, square = _ball_through(points[held])
        squares = np.square(points - centre).sum(axis=1)
        farthest = int(squares.argmax())
        if farthest in held or squares[farthest] <= square * (1 + _ROUNDING):
            return centre
        held = min(_enclosing(points, held, farthest))[1]


def _enclosing(
    points: FloatArray, held: Sequence[int], farthest: int
) -> Iterator[tuple[float, list[int]]]:
    """Yield the balls through the farthest point and others that hold all of these."""
    known = [*held, farthest]
    for size in range(1, min(len(held), points.shape[1]) + 1):
        for others in combinations(held, size):
            boundary = [*others, farthest]
            centre, square = _ball_through(points[boundary])
            squares = np.square(points[known] - centre).sum(axis=1)
            if squares.max() <= square * (1 + _ROUNDING):
                yield square, boundary


def _ball_through(points: FloatArray) -> tuple[FloatArray, float]:
    """Return centre and squared radius of the smallest ball with all on its boundary.

    Points on no such ball are given that of least squares, which some are outside of.
    """
    spokes = points[1:] - points[0]
    halves = np.square(spokes).sum(axis=1) / 2
    factors = np.linalg.lstsq(spokes @ spokes.T, halves, rcond=None)[0]
    to_centre = spokes.T @ factors
    return points[0] + to_centre, float(np.square(to_centre).sum())
