"""Smoothed instances: random noise around any instance, as in smoothed analysis.

Numbers get Gaussian noise, sigma times the greatest of their kind in standard
deviation, and are rounded; cells of tables are drawn anew from their column, each with
probability sigma. What groups have to hold stays as it is. A worst case that a little
noise takes away is one of chance; a ratio that stays is one of the algorithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from math import isfinite
from random import Random
from typing import Any, Final, TypeVar

from atleastk.instances.family import noted
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.instance import Instance

I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers

SIGMA: Final = "sigma"
"""What the noise is called among the parameters of an instance."""

_LEAST: Final = {"sizes": 1, "weights": 0, "facility_costs": 0}
"""The fields of numbers of items, and the least of them."""


def expect_sigma(sigma: object) -> None:
    """Raise `InvalidInstanceError` if this is no finite number of at least 0."""
    number = sigma if isinstance(sigma, int | float) else -1
    if isinstance(sigma, bool) or not isfinite(number) or number < 0:
        raise InvalidInstanceError(f"sigma: expected a number from 0, got {sigma}")


def smoothed(instance: I, sigma: float, seed: int) -> I:
    """Return an instance with noise of this size, which its name and source tell.

    Raise `InvalidInstanceError` for an instance that has no numbers and no table, or
    distances, which noise would make no metric.
    """
    expect_sigma(sigma)
    rng = Random(f"{seed} {float(sigma)}")
    given = {each.name: getattr(instance, each.name) for each in fields(instance)}
    changed: dict[str, Any] = {
        name: _noisy(given[name], sigma, rng, least)
        for name, least in _LEAST.items()
        if given.get(name)
    }
    if given.get("grid"):
        width = len(given["grid"][0])
        flat = [weight for row in given["grid"] for weight in row]
        drawn = _noisy(flat, sigma, rng, 0)
        changed["grid"] = [drawn[i : i + width] for i in range(0, len(drawn), width)]
    if given.get("table"):
        changed["table"] = _redrawn(given["table"], sigma, rng)
    if given.get("points"):
        changed["points"] = _moved(instance, sigma, rng)
    if given.get("costs"):
        drawn = _noisy([cost for *_, cost in given["costs"]], sigma, rng)
        pairs = zip(given["costs"], drawn, strict=True)
        changed["costs"] = [[i, j, cost] for (i, j, _), cost in pairs]
    if not changed:
        raise InvalidInstanceError(
            f"sigma: {instance.name or instance.problem} has nothing to smooth"
        )
    return noted(replace(instance, **changed), {SIGMA: float(sigma)})


def _noisy(
    values: Sequence[float], sigma: float, rng: Random, least: int | None = None
) -> list[int]:
    """Return numbers with noise, rounded, and no less than `least`."""
    scale = sigma * max(map(abs, values), default=0)
    drawn = [round(value + rng.gauss(0, 1) * scale) for value in values]
    return drawn if least is None else [max(least, value) for value in drawn]


def _redrawn(
    rows: Sequence[Sequence[Any]], sigma: float, rng: Random
) -> list[list[Any]]:
    """Return a table some of whose cells are drawn anew, each from its column."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    return [
        [
            rng.choice(column) if rng.random() < sigma else cell
            for column, cell in zip(columns, row, strict=True)
        ]
        for row in rows
    ]


def _moved(instance: Any, sigma: float, rng: Random) -> list[list[Any]]:
    """Return points whose coordinates have noise; those of tilings get it in weight."""
    points = [list(point) for point in instance.points]
    if instance.problem == "rectangle-tiling":
        weights = _noisy([weight for *_, weight in points], sigma, rng, 0)
        return [[*at, w] for (*at, _), w in zip(points, weights, strict=True)]
    metric = getattr(instance, "metric", None)
    if metric == "great-circle":
        raise InvalidInstanceError("sigma: points of the globe have no noise")
    if metric == "hamming":
        return _redrawn(points, sigma, rng)
    moved = [_noisy(column, sigma, rng) for column in zip(*points, strict=True)]
    return [list(point) for point in zip(*moved, strict=True)]
