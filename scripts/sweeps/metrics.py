"""Distances between points, exactly: integers, and sixty digits on the sphere."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from functools import cache
from math import isqrt
from typing import Any

_DIGITS = 60
_EARTH = Decimal("6371008.8")
_CLOSE = Decimal("1e-4")

Matrix = list[list[int | None]]


class TooCloseToCallError(Exception):
    """A length is so near to a whole number that rounding up is a matter of taste."""


def distances_of(document: Mapping[str, Any]) -> Matrix:
    """Return the distances of an instance of points; None where there is none."""
    points = document.get("points")
    if points is None:
        return [list(row) for row in document["distances"]]
    metric, scale = document.get("metric") or "euclidean", document.get("scale") or 1
    squared = document["problem"] == "r-gather" and metric == "euclidean"
    return [
        [_distance(metric, scale, squared, tuple(p), tuple(q)) for q in points]
        for p in points
    ]


def _distance(
    metric: str, scale: int, squared: bool, p: tuple[Any, ...], q: tuple[Any, ...]
) -> int:
    if metric == "great-circle":
        return _on_the_sphere(scale, p, q)
    if metric == "hamming":
        return scale * sum(1 for a, b in zip(p, q, strict=True) if a != b)
    apart: list[int] = [abs(a - b) for a, b in zip(p, q, strict=True)]
    if metric == "manhattan":
        return scale * sum(apart)
    squares = sum(x * x for x in apart)
    if squared:
        return squares
    length = squares * scale * scale
    return isqrt(length - 1) + 1 if length else 0


@cache
def _on_the_sphere(scale: int, p: tuple[float, ...], q: tuple[float, ...]) -> int:
    """Return the great circle in metres, scaled and rounded up."""
    with localcontext() as context:
        context.prec = _DIGITS
        (north, east), (north2, east2) = (
            [_radians(Decimal(x)) for x in point] for point in (p, q)
        )
        across = _sine((east - east2) / 2) ** 2 * _cosine(north) * _cosine(north2)
        square = _sine((north - north2) / 2) ** 2 + across
        if square < Decimal("1e-50"):
            return 0
        rest = max(Decimal(0), 1 - square)
        length = 2 * _angle(square.sqrt(), rest.sqrt()) * _EARTH * scale
        nearest = length.to_integral_value()
        if abs(length - nearest) < _CLOSE:
            raise TooCloseToCallError(f"{p} - {q}: {length} is too close to call")
        return int(nearest) + (length > nearest)


def _radians(degrees: Decimal) -> Decimal:
    return degrees * _pi() / 180


@cache
def _pi() -> Decimal:
    return 4 * (4 * _arctangent(Decimal(1) / 5) - _arctangent(Decimal(1) / 239))


def _arctangent(x: Decimal) -> Decimal:
    """Return the arc tangent of a small number, by its series."""
    total, power, n = x, x, 1
    while abs(power) > Decimal(10) ** -(_DIGITS + 5):
        power *= -x * x
        n += 2
        total += power / n
    return total


def _angle(opposite: Decimal, adjacent: Decimal) -> Decimal:
    """Return the angle, from 0 to a right one, of a triangle of hypotenuse 1."""
    if opposite > adjacent:
        return _pi() / 2 - _angle(adjacent, opposite)
    x, halvings = opposite / adjacent, 0
    while abs(x) > Decimal("0.1"):
        x /= 1 + (1 + x * x).sqrt()
        halvings += 1
    return _arctangent(x) * (1 << halvings)


def _sine(x: Decimal) -> Decimal:
    """Return the sine of an angle of at most two turns, by its series."""
    total, term, n = x, x, 1
    while abs(term) > Decimal(10) ** -(_DIGITS + 5):
        term *= -x * x / ((n + 1) * (n + 2))
        n += 2
        total += term
    return total


def _cosine(x: Decimal) -> Decimal:
    return 1 - 2 * _sine(x / 2) ** 2
