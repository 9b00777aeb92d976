"""The frontier: one instance of every kind whose gap was wide, drawn afresh.

Each has the gap that was seen on other draws of its kind, in 30 s with two workers, and
what was asked for within 60 s. Those of maps and tables that are not shipped need the
folder of data sets that ATLEASTK_DATA names; without it they are None, and samples of
Adult are those of the shipped one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import atleastk
from atleastk import (
    ConnectedPartition,
    Diversity,
    Instance,
    KAmbiguity,
    KAnonymity,
    RectangleTiling,
    Suppression,
)
from atleastk.instances.datasets.adult import COLUMNS
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.instances.hierarchies.hierarchy import suppression_of
from scripts.studies.datasets import (
    DATA,
    adult_labels,
    adult_rows,
    adult_table,
    county_map,
    published,
    read_rows,
    tract_map,
)

_TOLERANCE: Final = 0.97
"""The least weight of a part, in shares of the mean, where a map leaves room."""

_OTHERS: Final = ("age", "education", "occupation", "race", "sex", "salary-class")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of instance, the gap seen and the goal, in words, and how one is drawn."""

    seen: str
    goal: str
    draw: Callable[[], Instance | None]


def _loose(made: ConnectedPartition | None, parts: int) -> ConnectedPartition | None:
    """Return a map whose parts may be a little lighter than the mean."""
    if made is None:
        return None
    return replace(made, k=int(_TOLERANCE * made.total / parts))


def _tiling(points: int, parts: int, seed: int) -> RectangleTiling:
    rng = Random(seed)
    placed = [(rng.random(), rng.random(), rng.randint(1, 20)) for _ in range(points)]
    return RectangleTiling(placed, sum(weight for *_, weight in placed) // parts)


def _whole_adult(k: int) -> KAnonymity | None:
    """Return Adult with all columns but the salary class, if there is a folder."""
    folder = os.environ.get(DATA)
    if folder is None:
        return None
    rows = read_rows(Path(folder) / "adult/adult_full.csv.gz")
    return KAnonymity([row[1:-1] for row in rows if "?" not in row], k)


def _diverse(seed: int, n: int) -> Diversity:
    """Return `n` rows of Adult in decades; their salary class is sensitive."""
    rows = adult_rows(COLUMNS, True)
    rows = Random(seed).sample(rows, n) if n < len(rows) else rows
    table, sensitive = [row[:8] for row in rows], [row[8:] for row in rows]
    trees = [suppression_of(sorted(set(values))) for values in zip(*table, strict=True)]
    return Diversity(table, 5, trees, "entries", sensitive=sensitive, l=2)


def _suppressed(seed: int, n: int, columns: int, k: int, **asked: Any) -> Suppression:
    return Suppression(adult_table(seed, columns, k, True, n).table, k, **asked)


def _ambiguous(seed: int, n: int, k: int) -> KAmbiguity:
    return KAmbiguity(adult_table(seed, 8, k, True, n).table, k)


_drawn: Final = partial(partial, atleastk.generate)
_gather: Final = partial(_drawn, "r-gather", "uniform")
_cells: Final = partial(_drawn, "cellular-clustering", "uniform")
_bins: Final = partial(_drawn, "bin-covering", "uniform")
_grid: Final = partial(_drawn, "rectangle-tiling-grid", "uniform")


def _delaunay_loose(seed: int, n: int, parts: int) -> ConnectedPartition | None:
    return _loose(delaunay(seed, n=n, w=99, parts=parts), parts)


def _tracts_loose(seed: int, parts: int) -> ConnectedPartition | None:
    return _loose(tract_map(seed, parts), parts)


KINDS: Final[Mapping[str, Kind]] = {
    "tiling, 1,000 points": Kind("12", "2", partial(_tiling, 1000, 100, 905)),
    "tiling, 100 points": Kind("one unit", "closed", partial(_tiling, 100, 13, 906)),
    "grid, 25 x 25, p = 60": Kind(
        "one unit", "closed", _grid(907, rows=25, columns=25, p=60)
    ),
    "grid, 40 x 40, p = 200": Kind(
        "", "one unit", _grid(908, rows=40, columns=40, p=200)
    ),
    "counties, k = W / 4": Kind("25", "closed", partial(county_map, 12, 4)),
    "tracts, k = W / 10": Kind("", "closed", partial(tract_map, 9, 10)),
    "tracts, P = 25, loose": Kind("3.1 to 5.0", "0.5", partial(_tracts_loose, 5, 25)),
    "map, 300 nodes, loose": Kind("3.0", "0.5", partial(_delaunay_loose, 903, 300, 60)),
    "map, 2,000 nodes, loose": Kind(
        "1.1", "0.5", partial(_delaunay_loose, 904, 2000, 100)
    ),
    "cells, 10,000 points": Kind("18.6", "4", _cells(910, n=10_000, r=10)),
    "cells, 300 points, outliers": Kind(
        "2.6", "1", _cells(911, n=300, r=3, max_outliers=15)
    ),
    "cells, 100 points": Kind("0.6 to 2.8", "closed", _cells(909, n=100, r=10)),
    "gather, 2,000 points, outliers": Kind(
        "2.9", "1", _gather(912, n=2000, r=10, max_outliers=100)
    ),
    "gather, 20,000 points, outliers": Kind(
        "4.6", "1", _gather(913, n=20_000, r=20, max_outliers=200)
    ),
    "gather, at most 20 clusters": Kind(
        "4.8", "1", _gather(914, n=1000, r=20, max_clusters=20)
    ),
    "fullest column, 500 rows": Kind(
        "55", "5", partial(_suppressed, 915, 500, 8, 3, minimise="per_column")
    ),
    "greatest k, 3,000 cells": Kind(
        "21",
        "1 off",
        partial(_suppressed, 916, 1000, 8, 2, minimise="k", limits={"entries": 3000}),
    ),
    "Adult, other columns": Kind(
        "5.6", "2.5", partial(adult_table, 0, _OTHERS, 7, True)
    ),
    "Adult, k = 70": Kind("6.0", "2.5", partial(adult_table, 0, 8, 70, True)),
    "Adult, 14 columns": Kind("19", "8", partial(_whole_adult, 10)),
    "Adult, 500 rows": Kind(
        "1.5", "closed", partial(adult_table, 917, 8, 5, True, 500)
    ),
    "Adult, 1,000 rows": Kind("3.6", "2", partial(adult_table, 918, 8, 10, True, 1000)),
    "Census-income": Kind(
        "3.4 to 3.9", "2.5", partial(published, 0, "Census-income", 9, 10)
    ),
    "Letter, 6 columns": Kind("5.1", "2.5", partial(published, 0, "Letter", 6, 3)),
    "Letter, 16 columns": Kind("28", "8", partial(published, 0, "Letter", 16, 3)),
    "diverse, Adult": Kind("31", "8", partial(_diverse, 0, 50_000)),
    "diverse, 10,000 rows": Kind("30", "8", partial(_diverse, 919, 10_000)),
    "bins, 90": Kind("0.01", "closed", _bins(920, n=90, high=10**4)),
    "bins, 150": Kind("0.02", "closed", _bins(921, n=150, high=10**4)),
    "bins, four to one": Kind("3.3", "1", _bins(922, n=120, high=10**6, k=2 * 10**6)),
    "ambiguous, 1,000 rows": Kind("2.0", "0.5", partial(_ambiguous, 923, 1000, 50)),
    "labels of entries": Kind(
        "", "", partial(adult_labels, 924, "entries", "height", 5, 1000)
    ),
    "network": Kind(
        "", "", _drawn("pair-partition", "network", 925, n=65, density=40, parts=9)
    ),
}
"""The kinds, by what they are called in the table."""
