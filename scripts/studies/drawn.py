"""Instances of the studies beside this file: each a function of a seed.

What has no solution is left out by the study itself.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import atleastk
from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.clustering import CENTRES, Clustering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.adult import adult
from atleastk.instances.datasets.census_names import (
    NameSet,
    census_counts,
    census_names,
)
from atleastk.instances.datasets.nursery import nursery as whole_nursery
from atleastk.instances.generators import k_anonymity as tables
from atleastk.instances.instance import Instance
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.r_gather import RGather
from scripts.benchmarks.cases_k_anonymity import read_rows
from scripts.benchmarks.cases_maps import HALF, counties
from scripts.sweeps.drawn_places import (
    METRIC_SHAPES,
    SHAPES,
    random_grid,
    random_tiling,
)
from scripts.sweeps.drawn_tables import (
    random_ambiguity,
    random_diversity,
    random_generalization,
    random_named,
)
from scripts.sweeps.drawn_weights import random_intervals, random_map

_MOST_ROWS: Final = 11
_MOST_POINTS: Final = 7
_PARTS: Final = (4, 8, 16, HALF)


def bins(seed: int) -> BinCovering:
    """Draw 2 to 10 sizes in any order, of any or few values.

    Uniform sizes, with and without heavy ones, few distinct ones, and those that the
    papers' worst cases are made of: 1, k / 3, k / 2, k - 1 and their neighbours.
    """
    rng = random.Random(seed)
    n, k = rng.randint(2, 10), rng.randint(2, 24)
    extremes = {1, 2, k // 3, k // 3 + 1, k // 2, (k + 1) // 2, k - 1, k} - {0}
    palette = rng.choice(
        (
            range(1, k),
            range(1, 2 * k + 1),
            rng.sample(range(1, 2 * k), min(3, 2 * k - 1)),
            sorted(extremes),
        )
    )
    sizes = [rng.choice(palette) for _ in range(n)]
    order = rng.choice(("shuffled", "increasing", "decreasing"))
    if order != "shuffled":
        sizes.sort(reverse=order == "decreasing")
    return BinCovering(sizes, k)


def backwards(seed: int, of: str, **parameters: int) -> BinCovering:
    """Return an instance of a family with its sizes in reversed order."""
    made = atleastk.generate("bin-covering", of, seed, **parameters)
    assert isinstance(made, BinCovering)
    return replace(made, sizes=made.sizes[::-1])


def table(seed: int) -> KAnonymity:
    """Draw a table of 4 to 11 rows and 1 to 6 columns, k = 2..5.

    Uniform cells, skewed ones, groups around random records, or few copies of each.
    """
    rng = random.Random(seed)
    k, m = rng.randint(2, 5), rng.randint(1, 6)
    n, values = rng.randint(max(4, k), _MOST_ROWS), rng.randint(2, 4)
    kind = rng.choice(("uniform", "skewed", "planted", "hard-zone"))
    if kind == "skewed":
        return tables.skewed(seed, n, m, values, k)
    if kind == "planted":
        groups = rng.randint(1, 3)
        size, noise = -(-n // groups), rng.choice((5, 15, 30))
        if groups * size <= _MOST_ROWS:
            return tables.planted(seed, groups, size, m, values, noise, k)
    if kind == "hard-zone" and values**m * (k - 1) >= n:
        return tables.hard_zone(seed, n, m, values, k)
    return tables.uniform(seed, n, m, values, k)


def names(seed: int, of: NameSet, steps: int) -> BinCovering:
    """Return names of the census of 1990, of all k of [Du09] Figure 7 one of so many.

    From the greatest frequency to half the total, in equal steps.
    """
    counts = census_counts(of)
    least, most = max(counts), sum(counts) // 2
    k = least + seed * (most - least) // steps
    return replace(census_names(of, k), name=f"{of.upper()}-1990")


_PUBLISHED: Final = {
    "Adult": "adult/adult_qi9.csv.gz",
    "Census-income": "census_income/census_income_qi9.csv.gz",
    "Letter": "letter/letter.csv.gz",
}
"""The tables of [ParkShim07]: CSV files with a header, in the folder DATA tells."""

DATA: Final = "ATLEASTK_DATA"
"""The variable of the environment that names the folder of data sets."""


def published(_seed: int, table: str, columns: int, k: int) -> KAnonymity | None:
    """Return the first columns of a table of [ParkShim07].

    Without a folder of data sets that is the shipped sample of Adult.
    """
    folder = os.environ.get(DATA)
    if folder is None:
        found = replace(adult(k, columns), name="Adult, the sample")
        return found if table == "Adult" else None
    rows = _published_rows(Path(folder) / _PUBLISHED[table])
    return KAnonymity([row[:columns] for row in rows], k, name=table)


@cache
def _published_rows(path: Path) -> Sequence[Sequence[str]]:
    return read_rows(path)


def nursery(_seed: int, k: int) -> KAnonymity:
    """Return the data set Nursery, a product of all values."""
    return whole_nursery(k)


Draw = Callable[[random.Random, int], Mapping[str, Any]]

_R: Final = (2, 2, 3, 3, 4)


def _outliers(rng: random.Random) -> int:
    return rng.randint(1, 2)


def _few(rng: random.Random) -> int:
    return rng.randint(1, 3)


def _costs(rng: random.Random, n: int) -> list[int]:
    most = rng.choice([1, 3, 10, 30])
    return [rng.randint(0, most) for _ in range(n)]


def _maybe_costs(rng: random.Random, n: int) -> list[int] | None:
    return rng.choice([None, _costs(rng, n)])


_DRAWS: Final[Mapping[str, Draw]] = {
    "r-gather": lambda rng, _n: {"r": rng.choice(_R)},
    "r-eps-gather": lambda rng, _n: {
        "r": rng.choice(_R),
        "max_outliers": _outliers(rng),
    },
    "k-r-center": lambda rng, _n: {"r": rng.choice(_R), "max_clusters": _few(rng)},
    "k-r-eps-center": lambda rng, _n: {
        "r": rng.choice(_R),
        "max_clusters": _few(rng),
        "max_outliers": _outliers(rng),
    },
    "k-center": lambda rng, _n: {"r": 1, "max_clusters": _few(rng)},
    "cellular": lambda rng, n: {"r": 1, "facility_costs": _costs(rng, n)},
    "r-cellular": lambda rng, n: {
        "r": rng.choice(_R),
        "facility_costs": _maybe_costs(rng, n),
    },
    "r-eps-cellular": lambda rng, n: {
        "r": rng.choice(_R),
        "max_outliers": _outliers(rng),
        "facility_costs": _maybe_costs(rng, n),
    },
}
"""What is drawn of each of the problems of [Aggarwal10], and of k-center."""


def metric(seed: int, kind: str) -> Clustering:
    """Draw 3 to 7 points of a metric, for one of the paper's problems.

    The plane, a line, nodes of a graph or a tree, rows, distances 1 and 2.
    """
    rng = random.Random(seed)
    n = rng.randint(3, _MOST_POINTS)
    fields = SHAPES[rng.choice(METRIC_SHAPES)](rng, n) | dict(_DRAWS[kind](rng, n))
    fields["centres"] = rng.choice(CENTRES)
    if fields["centres"] == "any":
        fields.pop("facility_costs", None)
    if not kind.endswith("cellular"):
        return RGather(**fields)
    if "points" in fields:
        fields["scale"] = 100
    return CellularClustering(**fields)


def small_map(seed: int) -> ConnectedPartition:
    """Draw a graph of 1 to 9 nodes."""
    rng = random.Random(seed)
    return random_map(rng, rng.choice([1, 2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9]))


_SHAPED: Final[Mapping[str, Callable[[random.Random], Instance]]] = {
    "interval-covering": random_intervals,
    "suppression": random_named,
    "generalization": random_generalization,
    "diversity": random_diversity,
    "k-ambiguity": random_ambiguity,
    "rectangle-tiling": random_tiling,
    "rectangle-tiling-grid": random_grid,
}
"""What the sweeps draw of a problem, small enough to be enumerated."""


def shaped(seed: int, of: str) -> Instance:
    """Draw a small instance of a problem, of any of many shapes."""
    return _SHAPED[of](random.Random(seed))


def county_map(seed: int) -> ConnectedPartition | None:
    """Return a map of counties in 4, 8, 16 or half as many parts as there are.

    The folder of data sets has those of every state; without it there is Mississippi.
    """
    maps = _county_maps(os.environ.get(DATA))
    return maps[seed] if seed < len(maps) else None


@cache
def _county_maps(data: str | None) -> Sequence[ConnectedPartition]:
    return list(_named(Path(data) / "us_counties" if data else None))


def _named(folder: Path | None) -> Iterator[ConnectedPartition]:
    for case in counties(folder, _PARTS):
        assert isinstance(case.instance, ConnectedPartition)
        yield replace(case.instance, name=case.size)
