"""Cases: the instances of r-gather and cellular clustering that solvers are timed on.

Points of the plane, rows under the Hamming distance, and the most populous places of
the contiguous United States, from a file that the user has or the extra ``places``.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.datasets.places import CONTIGUOUS, degrees, us_cities
from atleastk.instances.instance import Instance
from atleastk.instances.r_gather import RGather
from atleastk.registry import family_named, problem_named
from scripts.benchmarks.cases import Case


def drawn(problem: str, family: str, seed: int, **chosen: Any) -> Instance:
    """Return an instance of a family of the generators."""
    made: Instance = family_named(problem_named(problem), family).make(seed, **chosen)
    return made


def gathered(family: str, size: str, seeds: int, **chosen: Any) -> Iterator[Case]:
    """Yield instances of r-gather of a family, one for each seed."""
    for seed in range(seeds):
        yield Case(
            f"r-gather, {family}", size, seed, drawn("r-gather", family, seed, **chosen)
        )


def cells(family: str, size: str, seeds: int, **chosen: Any) -> Iterator[Case]:
    """Yield instances of cellular clustering of a family, one for each seed."""
    for seed in range(seeds):
        made = drawn("cellular-clustering", family, seed, **chosen)
        yield Case(f"cellular, {family}", size, seed, made)


def priced(size: str, seeds: int, n: int) -> Iterator[Case]:
    """Yield uniform points whose facility costs are twice the median distance."""
    for seed in range(seeds):
        plain = drawn("cellular-clustering", "uniform", seed, n=n, r=1)
        assert isinstance(plain, CellularClustering)
        matrix = plain.space.matrix
        costs = [2 * round(median(matrix[matrix > 0].tolist()))] * n
        made = CellularClustering(points=plain.points, facility_costs=costs)
        yield Case("cellular, uniform", size, seed, made)


def cities(path: Path | None, n: int, r: int) -> Case:
    """Return the most populous places, of a file like that of the package."""
    if path is None:
        points = degrees(us_cities(n))
    else:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["state"] in CONTIGUOUS]
        points = [(float(row["lat"]), float(row["lon"])) for row in rows[:n]]
    instance = RGather(points=points, metric="great-circle", r=r)
    return Case("r-gather, places of 48 states", f"n={n} r={r}", 0, instance)
