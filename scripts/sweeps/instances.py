"""Random instances as JSON objects: at the edges, of many shapes, and larger ones."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from atleastk.instances.instance import Instance
from scripts.sweeps.drawn_pairs import larger_pairs, random_pairs
from scripts.sweeps.drawn_places import (
    larger_clustering,
    larger_grid,
    larger_tiling,
    random_clustering,
    random_grid,
    random_tiling,
)
from scripts.sweeps.drawn_tables import (
    larger_ambiguity,
    larger_anonymity,
    larger_suppression,
    random_ambiguity,
    random_anonymity,
    random_diversity,
    random_generalization,
    random_named,
    random_suppression,
)
from scripts.sweeps.drawn_weights import (
    larger_bins,
    larger_intervals,
    larger_map,
    random_bins,
    random_intervals,
    random_map,
)

Document = dict[str, Any]

HUGE: Final[Sequence[int]] = (2**31, 2**53, 2**62, 2**63, 2**64, 10**30)
_LARGE: Final[Sequence[int]] = (2**31, 2**40, 2**53, 2**58)
"""Those that fit where totals have to fit 62 bits."""

_LEAST: Final[Mapping[str, int]] = {
    "sizes": 1,
    "weights": 0,
    "grid": 0,
    "distances": 0,
    "facility_costs": 0,
}
"""The fields of amounts, and the least of them."""

_COUNTS: Final = ("k", "r", "p", "l", "max_clusters", "max_outliers", "suppress_rows")
"""The fields that count groups or items."""

_PLACES: Final[Sequence[Sequence[float]]] = (
    (0, 1, -1),
    (0.5, 1, 1.5),
    (-1e300, 0, 1e-300),
    (2**53, 2**53 + 1, 2**53 - 1),
)
_SCALES: Final = (1, 2, 10, 1000, 10**6, 2**31, 10**12, 2**53, 2**61, 10**30)
_POLES: Final = ((90, 0), (-90, 45.5), (0, 180), (0, -180), (52.52, 179.999))


def draw(problem: str, rng: random.Random) -> Document:
    """Return a small instance of many shapes; every second one at the edges."""
    document = as_document(_SHAPED[problem](rng))
    return at_the_edges(document, rng) if rng.random() < 0.5 else document


def draw_larger(problem: str, rng: random.Random) -> Document:
    """Return a random instance that is not enumerated."""
    return as_document(_LARGER[problem](rng))


def as_document(instance: Instance) -> Document:
    """Return an instance as it is read from a file."""
    document: Document = json.loads(json.dumps(instance.to_dict()))
    return document


def ordinary(value: object) -> bool:
    """Tell whether no number in a JSON value is large: such instances are accepted."""
    if isinstance(value, Mapping):
        return all(map(ordinary, value.values()))
    if isinstance(value, list | tuple):
        return all(map(ordinary, value))
    return not isinstance(value, int | float) or abs(value) < 10**4


def at_the_edges(document: Document, rng: random.Random) -> Document:
    """Return an instance with other numbers, where something may happen.

    Equal amounts stay equal, and may become huge; thresholds are those at which a group
    is just filled, or never; counts reach to what is there and beyond.
    """
    changed = dict(document)
    amounts: list[int] = []
    for name, least in _LEAST.items():
        if document.get(name):
            changed[name] = _renumbered(
                document[name], _edge(rng, least, HUGE if least else _LARGE), amounts
            )
    for name in _COUNTS:
        if type(document.get(name)) is int and rng.random() < 0.3:
            changed[name] = max(1, rng.choice([1, 2, 3, _items(document), *HUGE]))
    if document["problem"] == "rectangle-tiling":
        number, places = _edge(rng, 0, _LARGE), rng.choice(_PLACES)
        changed["points"] = [
            [*(places[int(x) % len(places)] for x in at), number(weight)]
            for *at, weight in document["points"]
        ]
        amounts = [weight for *_, weight in changed["points"]]
    elif "points" in document:
        _move_points(changed, rng)
    if "grid" in document and rng.random() < 0.1:
        changed["grid"] = rng.choice([[], [[]]])
    if document.get("edges") and rng.random() < 0.3:
        u, v = rng.choice(document["edges"])
        changed["edges"] = [*document["edges"], [v, u], [u, v]]
    if amounts and "k" in document:
        changed["k"] = _threshold(rng, amounts)
    for name, most in document.get("limits", {}).items():
        drawn = rng.choice([most, 0, most + 1, 2**63])
        changed["limits"] = {**changed["limits"], name: drawn}
    return changed


def _edge(rng: random.Random, least: int, huge: Sequence[int]) -> Callable[[int], int]:
    """Return a function from amounts to other ones, equal ones for equal ones."""
    base = rng.choice(huge)
    manner: Callable[[int], int] = rng.choice(
        [
            lambda number: number,
            lambda _: rng.choice([1, 2, 7, base]),
            lambda _: base,
            lambda number: base * (number % 4) + rng.randint(-1, 1),
            lambda _: rng.choice([least, 1, base]),
        ]
    )
    known: dict[int, int] = {}
    return lambda number: known.setdefault(number, max(least, manner(number)))


def _renumbered(value: Any, number: Callable[[int], int], amounts: list[int]) -> Any:
    """Return a list, or lists of lists, of other numbers, and collect these.

    What is 0 or missing stays: it is the diagonal of a matrix.
    """
    if isinstance(value, list):
        return [_renumbered(each, number, amounts) for each in value]
    if not value:
        return value
    amounts.append(number(value))
    return amounts[-1]


def _move_points(document: Document, rng: random.Random) -> None:
    """Put points far apart, or at the ends of the earth; measure in odd units."""
    metric = document.get("metric") or "euclidean"
    if metric == "great-circle":
        document["points"] = [[*rng.choice(_POLES)] for _ in document["points"]]
    elif metric != "hamming" and rng.random() < 0.5:
        far = rng.choice([2, 1000, 2**30, 2**50])
        document["points"] = [[far * x for x in at] for at in document["points"]]
    if document["problem"] == "cellular-clustering" and rng.random() < 0.3:
        document["scale"] = rng.choice(_SCALES)


def _items(document: Document) -> int:
    """Return how many items there are, or one more."""
    lists = (value for value in document.values() if isinstance(value, list))
    return max(map(len, lists), default=0)


def _few(rng: random.Random, most: int = 7) -> int:
    counts: list[int] = [0, 1, 1, 2, *range(2, most + 1), *range(3, most + 1)]
    return rng.choice(counts)


def _threshold(rng: random.Random, amounts: Sequence[int]) -> int:
    """Return a k from 1 to beyond the total, where something may happen."""
    total, one = sum(amounts), rng.choice(amounts)
    near = total // rng.randint(1, len(amounts)) + rng.randint(-1, 1)
    usual = [1, 2, one, one + 1, near, total // 2, total // 2 + 1, total - 1, total]
    return max(1, rng.choice([*usual, total + 1, rng.choice(HUGE)]))


_SHAPED: Final[Mapping[str, Callable[[random.Random], Instance]]] = {
    "bin-covering": random_bins,
    "interval-covering": random_intervals,
    "connected-partition": lambda rng: random_map(rng, rng.randint(0, 8)),
    "rectangle-tiling": random_tiling,
    "rectangle-tiling-grid": random_grid,
    "r-gather": lambda rng: random_clustering(rng, "r-gather", _few(rng)),
    "cellular-clustering": lambda rng: random_clustering(
        rng, "cellular-clustering", _few(rng)
    ),
    "k-anonymity": random_anonymity,
    "k-ambiguity": random_ambiguity,
    "generalization": lambda rng: random_generalization(rng, 7),
    "diversity": random_diversity,
    "suppression": lambda rng: rng.choice([random_suppression, random_named])(rng),
    "pair-partition": random_pairs,
}
"""Small instances of many shapes."""

PROBLEMS: Final = tuple(_SHAPED)
"""The names of the problems that are attacked."""

_LARGER: Final[Mapping[str, Callable[[random.Random], Instance]]] = {
    "bin-covering": larger_bins,
    "interval-covering": larger_intervals,
    "connected-partition": larger_map,
    "rectangle-tiling": larger_tiling,
    "rectangle-tiling-grid": larger_grid,
    "r-gather": lambda rng: larger_clustering(rng, "r-gather"),
    "cellular-clustering": lambda rng: larger_clustering(rng, "cellular-clustering"),
    "k-anonymity": larger_anonymity,
    "k-ambiguity": larger_ambiguity,
    "generalization": lambda rng: random_generalization(rng, 40, 15),
    "diversity": lambda rng: random_diversity(rng, 30, 12),
    "suppression": larger_suppression,
    "pair-partition": larger_pairs,
}
"""Instances that nobody enumerates."""
