"""Instances of the studies beside this file: each a function of a seed.

What has no solution is left out by the study itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any, Final

import atleastk
from atleastk import BinCovering, CellularClustering, Instance, RGather
from atleastk.instances.clustering import CENTRES, Clustering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.census_names import (
    NameSet,
    census_counts,
    census_names,
)
from scripts.sweeps.drawn_pairs import random_pairs
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


def table(seed: int) -> Instance:
    """Draw a table of 4 to 11 rows and 1 to 6 columns, k = 2..5.

    Uniform cells, skewed ones, groups around random records, or few copies of each.
    """
    rng = random.Random(seed)
    k, m = rng.randint(2, 5), rng.randint(1, 6)
    n, values = rng.randint(max(4, k), _MOST_ROWS), rng.randint(2, 4)
    draw = partial(atleastk.generate, "k-anonymity", seed=seed, m=m, values=values, k=k)
    kind = rng.choice(("uniform", "skewed", "planted", "hard-zone"))
    if kind == "planted":
        groups = rng.randint(1, 3)
        size, noise = -(-n // groups), rng.choice((5, 15, 30))
        if groups * size <= _MOST_ROWS:
            return draw(kind, groups=groups, size=size, noise=noise)
    if kind == "planted" or (kind == "hard-zone" and values**m * (k - 1) < n):
        kind = "uniform"
    return draw(kind, n=n)


def names(seed: int, of: NameSet, steps: int) -> BinCovering:
    """Return names of the census of 1990, of all k of [Du09] Figure 7 one of so many.

    From the greatest frequency to half the total, in equal steps.
    """
    counts = census_counts(of)
    least, most = max(counts), sum(counts) // 2
    k = least + seed * (most - least) // steps
    return replace(census_names(of, k), name=f"{of.upper()}-1990")


def _asked(rng: random.Random, kind: str, n: int) -> dict[str, Any]:
    """Draw what a problem of [Aggarwal10], or k-center, asks beside its n points."""
    asked: dict[str, Any] = {"r": 1}
    if "r" in kind.split("-"):
        asked["r"] = rng.choice((2, 2, 3, 3, 4))
    if kind.startswith("k-"):
        asked["max_clusters"] = rng.randint(1, 3)
    if "eps" in kind:
        asked["max_outliers"] = rng.randint(1, 2)
    if kind.endswith("cellular"):
        most = rng.choice([1, 3, 10, 30])
        costs = [rng.randint(0, most) for _ in range(n)]
        asked["facility_costs"] = costs
        if kind != "cellular":
            asked["facility_costs"] = rng.choice([None, costs])
    return asked


def metric(seed: int, kind: str) -> Clustering:
    """Draw 3 to 7 points of a metric, for one of the paper's problems.

    The plane, a line, nodes of a graph or a tree, rows, distances 1 and 2.
    """
    rng = random.Random(seed)
    n = rng.randint(3, _MOST_POINTS)
    fields = SHAPES[rng.choice(METRIC_SHAPES)](rng, n) | _asked(rng, kind, n)
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
    "pair-partition": random_pairs,
    "rectangle-tiling": random_tiling,
    "rectangle-tiling-grid": random_grid,
}
"""What the sweeps draw of a problem, small enough to be enumerated."""


def shaped(seed: int, of: str) -> Instance:
    """Draw a small instance of a problem, of any of many shapes."""
    return _SHAPED[of](random.Random(seed))


def priced(seed: int, n: int) -> CellularClustering:
    """Draw points of the plane; a facility costs twice their median distance."""
    plain = atleastk.generate("cellular-clustering", "uniform", seed, n=n, r=1)
    assert isinstance(plain, CellularClustering)
    matrix = plain.space.matrix
    cost = 2 * round(median(matrix[matrix > 0].tolist()))
    return CellularClustering(
        points=plain.points, facility_costs=[cost] * n, name=f"priced seed={seed}"
    )
