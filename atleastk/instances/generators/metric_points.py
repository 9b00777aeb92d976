"""Generated points of a metric space, for all clustering problems.

Functions return the fields of a clustering with its points or distances;
:func:`clustering_families` makes families of instances of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, Final, TypeVar

from atleastk.instances.clustering import Clustering
from atleastk.instances.datasets.places import us_cities
from atleastk.instances.family import Family, Parameters, at_least, require
from atleastk.instances.spaces.graph_distances import shortest_paths
from atleastk.packages import nx

C = TypeVar("C", bound=Clustering)
Fields = dict[str, Any]
Draw = Callable[..., Fields]

_LIMITS: Final[Parameters] = {
    "r": 3,
    "max_clusters": None,
    "max_outliers": 0,
    "centres": "input",
}
"""The parameters of all families, with their defaults."""


def clustering_families(
    make: Callable[..., C], **more: int | str
) -> Iterator[Family[C]]:
    """Yield the families whose points are those of `POINT_FAMILIES`.

    `make` takes the seed, the fields of the points, `more` parameters and those of
    `_LIMITS`, which are fields, too; some families have other defaults of these.
    """
    for name, (draw, changed) in POINT_FAMILIES.items():
        yield Family.made_of(draw, make, {**more, **_LIMITS, **changed}, name)


def of_points(kind: type[C], fields: Fields, limits: Fields) -> C:
    """Return an instance of these points; there have to be r of them."""
    instance = kind(**fields, **limits)
    most = instance.n
    require(instance.r <= most, f"r: expected 1..n = {most}, got {instance.r}")
    return instance


def uniform(seed: int, n: int = 50, high: int = 1000) -> Fields:
    """Draw points of the plane uniformly, coordinates 0..high-1."""
    at_least(1, n=n, high=high)
    rng = random.Random(seed)
    points = [(rng.randrange(high), rng.randrange(high)) for _ in range(n)]
    return {"points": points}


def clustered(
    seed: int, n: int = 50, clusters: int = 6, spread: int = 40, high: int = 1000
) -> Fields:
    """Draw points of the plane normally about uniform centres.

    `spread` is their standard deviation; coordinates are whole.
    """
    at_least(1, n=n, high=high)
    at_least(1, clusters=clusters)
    at_least(0, spread=spread)
    rng = random.Random(seed)
    middles = [(rng.randrange(high), rng.randrange(high)) for _ in range(clusters)]
    points = []
    for _ in range(n):
        middle = rng.choice(middles)
        points.append(tuple(round(rng.gauss(x, spread)) for x in middle))
    return {"points": points}


def line(seed: int, n: int = 50, high: int = 1000) -> Fields:
    """Draw points of a line uniformly, 0..high-1."""
    at_least(1, n=n, high=high)
    rng = random.Random(seed)
    points = [(rng.randrange(high),) for _ in range(n)]
    return {"points": points}


def lattice(_seed: int, side: int = 7) -> Fields:
    """Return all points of a square grid: many distances are equal."""
    at_least(1, side=side)
    points = list(product(range(side), repeat=2))
    return {"points": points}


def graph(seed: int, n: int = 50, degree: int = 3, weight: int = 9) -> Fields:
    """Draw a random tree and more edges, of lengths 1..weight; take shortest paths.

    Vertices have `degree` neighbours on average, as far as there are pairs.
    """
    at_least(1, n=n, degree=degree, weight=weight)
    rng = random.Random(seed)
    drawn: nx.Graph[int] = nx.Graph()
    drawn.add_nodes_from(range(n))
    drawn.add_edges_from((rng.randrange(v), v) for v in range(1, n))
    wanted = min(n * degree // 2, n * (n - 1) // 2)
    while drawn.number_of_edges() < wanted:
        u, v = rng.sample(range(n), 2)
        drawn.add_edge(u, v)
    for edge in sorted(drawn.edges):
        drawn.edges[edge]["weight"] = rng.randint(1, weight)
    return {"distances": shortest_paths(drawn)}


def hamming(seed: int, n: int = 50, m: int = 10, values: int = 3) -> Fields:
    """Draw rows of m cells uniformly in 0..values-1, compared cell by cell."""
    _require_rows(n, m, values)
    rng = random.Random(seed)
    points = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
    return {"points": points, "metric": "hamming"}


def hamming_clustered(
    seed: int,
    n: int = 50,
    clusters: int = 8,
    m: int = 12,
    values: int = 4,
    noise: int = 20,
) -> Fields:
    """Copy random rows, and redraw noise % of the cells of the copies."""
    _require_rows(n, m, values)
    at_least(1, clusters=clusters)
    require(0 <= noise <= 100, f"noise: expected per cent, 0..100, got {noise}")
    rng = random.Random(seed)
    middles = [[rng.randrange(values) for _ in range(m)] for _ in range(clusters)]
    points = [
        [
            rng.randrange(values) if rng.random() < noise / 100 else value
            for value in rng.choice(middles)
        ]
        for _ in range(n)
    ]
    return {"points": points, "metric": "hamming"}


def most_populous(_seed: int, n: int = 50) -> Fields:
    """Return the most populous places of the contiguous US; above 100: extra places."""
    at_least(1, n=n)
    source = "GeoNames, CC BY 4.0"
    return {"points": us_cities(n), "metric": "great-circle", "source": source}


def employees(_seed: int) -> Fields:
    """Return ages and places, [Aggarwal10, Figure 1]: radius 3, cellular cost 11."""
    alpha, beta, gamma, delta = 30, 20, 60, 50
    points = [(alpha, beta), (alpha + 2, beta)]
    points += [(delta, gamma + step) for step in (3, 0, -3)]
    return {"points": points}


def no_common_value(_seed: int) -> Fields:
    """Return rows that differ from the first in one cell each, [Aggarwal10, Figure 3].

    They have no column in common: 5-anonymity suppresses all twenty cells.
    """
    points = [[int(i != j) for j in range(1, 5)] for i in range(5)]
    return {"points": points, "metric": "hamming"}


POINT_FAMILIES: Final[Mapping[str, tuple[Draw, Parameters]]] = {
    "uniform": (uniform, {}),
    "clustered": (clustered, {}),
    "line": (line, {}),
    "lattice": (lattice, {}),
    "graph": (graph, {}),
    "hamming": (hamming, {}),
    "hamming-clustered": (hamming_clustered, {}),
    "us-cities": (most_populous, {}),
    "figure-1": (employees, {"r": 2, "centres": "any"}),
    "figure-3": (no_common_value, {"r": 5}),
}
"""The function and the changed limits of the families of both problems, by name."""


def _require_rows(n: int, m: int, values: int) -> None:
    at_least(1, n=n)
    at_least(0, m=m)
    at_least(1, values=values)
