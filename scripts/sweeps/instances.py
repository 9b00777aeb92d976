"""Random instances as JSON objects: at the edges, of many shapes, and larger ones."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from atleastk.instances.instance import Instance
from scripts.sweeps.drawn_pairs import larger_pairs, pair_fields, random_pairs
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
    random_order,
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
Number = Callable[[], int]

HUGE: Final[Sequence[int]] = (2**31, 2**53, 2**62, 2**63, 2**64, 10**30)
_LARGE: Final[Sequence[int]] = (2**31, 2**40, 2**53, 2**58)
"""Those that fit where totals have to fit 62 bits."""

_CELLS: Final = 9
"""The most cells of a table of which every set is tried."""


def draw(problem: str, rng: random.Random) -> Document:
    if rng.random() < 0.5:
        return {"problem": problem, **_DRAWN[problem](rng)}
    return as_document(_SHAPED[problem](rng))


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


def _numbers(rng: random.Random, least: int, huge: Sequence[int] = HUGE) -> Number:
    top = rng.choice([1, 2, 3, 5, 9, 30, 1000])
    base = rng.choice(huge)
    same: int = rng.choice([1, 1, 2, 7, base])
    manner = rng.choice("aaaabbcccdeee")

    def number() -> int:
        match manner:
            case "a":
                return rng.randint(least, max(least, top))
            case "b":
                return max(least, same)
            case "c":
                return max(least, base * rng.randint(0, 3) + rng.randint(-1, 1))
            case "d":
                return rng.choice([least, 1, base])
        return rng.choice([least, 1, 1, 2, 3, rng.randint(5, 20)])

    return number


def _few(rng: random.Random, most: int = 7) -> int:
    counts: list[int] = [0, 1, 1, 2, *range(2, most + 1), *range(3, most + 1)]
    return rng.choice(counts)


def _threshold(rng: random.Random, weights: Sequence[int]) -> int:
    """Return a k from 1 to beyond the total, where something may happen."""
    total = sum(weights)
    return max(
        1,
        rng.choice(
            [
                1,
                2,
                rng.choice([*weights, 1]),
                rng.choice([*weights, 1]) + 1,
                total // rng.randint(1, max(1, len(weights))) + rng.randint(-1, 1),
                total // 2,
                total // 2 + 1,
                total,
                total + 1,
                total - 1,
                rng.choice(HUGE),
                10**30,
            ][: rng.choice([10, 10, 10, 12])]
        ),
    )


def _covering(rng: random.Random) -> Document:
    number = _numbers(rng, 1)
    sizes = [number() for _ in range(_few(rng))]
    document: Document = {"sizes": sizes, "k": _threshold(rng, sizes)}
    return _with(
        rng, document, "objective", lambda: rng.choice(["max", "excess", "quadratic"])
    )


def _with(
    rng: random.Random, document: Document, key: str, value: Callable[[], Any]
) -> Document:
    """Add a field, half of the time."""
    if rng.random() < 0.5:
        document[key] = value()
    return document


def _edges(rng: random.Random, n: int) -> list[list[int]]:
    if n < 2:
        return []
    manner = rng.choice(["path", "cycle", "star", "tree", "few", "many", "none"])
    match manner:
        case "path":
            edges = [[i, i + 1] for i in range(n - 1)]
        case "cycle":
            edges = [[i, (i + 1) % n] for i in range(n)]
        case "star":
            edges = [[0, i] for i in range(1, n)]
        case "tree":
            edges = [[rng.randrange(i), i] for i in range(1, n)]
        case _:
            share = {"few": 0.35, "many": 0.7, "none": 0.0}[manner]
            edges = [[i, j] for i in range(n) for j in range(i) if rng.random() < share]
    if edges and rng.random() < 0.3:
        edges += [list(reversed(rng.choice(edges))), list(rng.choice(edges))]
    rng.shuffle(edges)
    return edges


def _partition(rng: random.Random) -> Document:
    number = _numbers(rng, 0, _LARGE)
    weights = [number() for _ in range(_few(rng))]
    return {
        "weights": weights,
        "edges": _edges(rng, len(weights)),
        "k": _threshold(rng, weights),
    }


def _tiling(rng: random.Random) -> Document:
    number = _numbers(rng, 0, _LARGE)
    places: list[float] = []
    places += [rng.randint(-3, 3) for _ in range(rng.randint(1, 4))]
    odd: list[list[float]] = [[], [0.5], [-1e300, 1e-300], [2**53, 2**53 + 1]]
    places += rng.choice(odd)
    few = rng.sample(places, min(len(places), rng.randint(1, 4)))
    points: list[list[Any]] = [
        [rng.choice(few), rng.choice(few[::-1]), number()] for _ in range(_few(rng, 6))
    ]
    document: Document = {
        "points": points,
        "k": _threshold(rng, [w for *_, w in points]),
    }
    kinds: list[Document] = [{}, {"cover": "plane"}, {"cover": "points"}]
    return {**document, **rng.choice([*kinds, {"guillotine": True}])}


def _grid(rng: random.Random) -> Document:
    number = _numbers(rng, 0, _LARGE)
    rows, columns = rng.choice(
        [(0, 0), (1, 0), (1, 1), (1, 6), (6, 1), (2, 2), (2, 4), (3, 3), (3, 4), (4, 3)]
    )
    document: Document = {
        "grid": [[number() for _ in range(columns)] for _ in range(rows)],
        "p": rng.choice([1, 2, 2, 3, 3, 4, 5, 7, rows * columns + 1, 2**63, 10**30]),
    }
    return _with(rng, document, "guillotine", lambda: rng.random() < 0.5)


def _clustering(rng: random.Random) -> Document:
    n = _few(rng, 6)
    document = _matrix(rng, n) if rng.random() < 0.5 else _points(rng, n)
    document["r"] = rng.choice([1, 1, 2, 2, 2, 3, 3, max(1, n), n + 1, 2**63, 10**30])
    _with(rng, document, "max_clusters", lambda: rng.choice([1, 1, 2, 2, 3, 10**30]))
    _with(rng, document, "max_outliers", lambda: rng.choice([0, 1, 1, 2, n, n + 1]))
    return _with(
        rng, document, "centres", lambda: rng.choice(["input", "member", "any"])
    )


def _matrix(rng: random.Random, n: int) -> Document:
    number = _numbers(rng, 0, (2**31, 2**39, 2**40, 2**53, 2**58, 2**60))
    missing = rng.choice([0.0, 0.0, 0.2, 0.5, 1.0])
    rows: list[list[int | None]] = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            drawn = None if rng.random() < missing else number()
            rows[i][j] = rows[j][i] = drawn
    return {"distances": rows}


def _points(rng: random.Random, n: int) -> Document:
    metric = rng.choice(["euclidean", "manhattan", "hamming", "great-circle", None])
    scales = [1, 2, 10, 1000, 10**6, 2**31, 10**12, 2**53, 2**61, 10**30]
    document: Document = {"points": [_point(rng, metric) for _ in range(n)]}
    width = min((len(point) for point in document["points"]), default=0)
    document["points"] = [point[:width] for point in document["points"]]
    if metric is not None:
        document["metric"] = metric
    if rng.random() < 0.5:
        document["scale"] = rng.choice(scales[: rng.choice([4, 4, 10])])
    return document


def _point(rng: random.Random, metric: str | None) -> list[Any]:
    match metric:
        case "hamming":
            return [rng.choice(["a", "b", "", 1, "1"]) for _ in range(3)]
        case "great-circle":
            return [
                rng.choice([0, 45.5, 90, -90, 52.52, rng.randint(-90, 90)]),
                rng.choice([0, 180, -180, 13.4, 179.999, rng.randint(-180, 180)]),
            ]
    far = rng.choice([3, 3, 3, 100, 2**30, 2**53])
    return [rng.randint(-far, far) for _ in range(rng.choice([2, 2, 2, 3]))]


def _gather(rng: random.Random) -> Document:
    document = _clustering(rng)
    if document.get("metric", "euclidean") == "euclidean":
        document.pop("scale", None)
    return document


def _cellular(rng: random.Random) -> Document:
    document = _clustering(rng)
    if rng.random() < 0.3:
        del document["r"]
    n = len(document["points" if "points" in document else "distances"])
    if document.get("centres") != "any" and rng.random() < 0.4:
        number = _numbers(rng, 0, (2**31, 2**39, 2**40))
        document["facility_costs"] = [number() for _ in range(n)]
    return document


def _table(rng: random.Random, n: int, m: int) -> list[list[Any]]:
    palette: Sequence[Any] = rng.choice(
        [[0, 1], [0, 1, 2], ["a"], ["*", "a", ""], [1, "1"], [*HUGE, -1], range(9)]
    )
    table = [[rng.choice(palette) for _ in range(m)] for _ in range(n)]
    if n > 1 and rng.random() < 0.3:
        table[-1] = list(table[0])
    return table


def _anonymity(rng: random.Random) -> Document:
    n, m = _few(rng), rng.choice([0, 1, 2, 2, 3, 3, 4])
    k = rng.choice([1, 2, 2, 2, 3, 3, max(1, n // 2), max(1, n), n + 1, 2**63, 10**30])
    document: Document = {"table": _table(rng, n, m), "k": k}
    if not n and rng.random() < 0.5:
        document["columns"] = [f"c{j}" for j in range(m)]
    return document


def _small_table(rng: random.Random) -> Document:
    document = _anonymity(rng)
    n = len(document["table"])
    m = len(document["table"][0]) if n else 0
    m = min(m, _CELLS // max(1, n))
    document["table"] = [row[:m] for row in document["table"]]
    return document


def _generalization(rng: random.Random) -> Document:
    document = _anonymity(rng)
    table = document["table"]
    m = min(3, len(table[0]) if table else rng.randint(0, 2))
    document["table"] = [row[:m] for row in table]
    document.pop("columns", None)
    document["hierarchies"] = [
        _hierarchy(rng, [row[j] for row in document["table"]]) for j in range(m)
    ]
    if rng.random() < 0.5:
        document["on"] = rng.choice(["entries", "attributes"])
    losses = ["height", "precision"]
    if document.get("on") == "attributes":
        losses += ["discernibility", "average-class-size"]
        document = _with(
            rng, document, "suppress_rows", lambda: rng.choice([0, 1, 2, 3, 10**30])
        )
    return _with(rng, document, "loss", lambda: rng.choice(losses))


def _diversity(rng: random.Random) -> Document:
    document = _generalization(rng)
    columns, values = rng.choice([0, 1, 1, 1, 2]), rng.randint(1, 4)
    document["sensitive"] = [
        [rng.choice([rng.randrange(values), "a"]) for _ in range(columns)]
        for _ in document["table"]
    ]
    document = _with(rng, document, "l", lambda: rng.choice([1, 2, 2, 3, 10**30]))
    readings = ["distinct", "frequency"]
    document = _with(rng, document, "reading", lambda: rng.choice(readings))
    distances = ["0", "1/2", "0.3", "1/3", "2/3", "1", None]
    return _with(rng, document, "t", lambda: rng.choice(distances))


def _hierarchy(rng: random.Random, cells: Sequence[Any]) -> list[list[Any]]:
    """Return chains of labels; values join at random on the way to the top."""
    more = ["other"] if not cells or rng.random() < 0.5 else []
    values = {(type(cell), cell): cell for cell in [*cells, *more]}
    chains = [[value] for value in values.values()]
    if len(chains) == 1 and rng.random() < 0.3:
        return chains
    for level in range(rng.choice([0, 0, 1, 1, 2])):
        label: dict[tuple[type, Any], Any] = {}
        for chain in chains:
            key = type(chain[-1]), chain[-1]
            drawn = f"{level}-{rng.randint(0, 1)}"
            chain.append(label.setdefault(key, rng.choice([drawn, chain[-1]])))
    for chain in chains:
        chain.append("*")
    return chains


def _suppression(rng: random.Random) -> Document:
    document = _small_table(rng)
    table = document["table"]
    n, m = len(table), len(table[0]) if table else 0
    if not n:
        document.pop("columns", None)
    tops = {"rows": n, "columns": m, "entries": n * m, "per_row": m, "per_column": n}

    def limit(quantity: str) -> int:
        most = tops[quantity]
        return rng.choice([0, rng.randint(0, most + 1), rng.randint(0, most), 2**63])

    quantities = rng.sample(sorted(tops), rng.choice([0, 1, 1, 2, 2, 5]))
    document["limits"] = {quantity: limit(quantity) for quantity in quantities}
    _with(rng, document, "minimise", lambda: rng.choice([*tops, "none", "k"]))
    regional = {"rows", "columns"} & {*quantities, document.get("minimise")}
    if regional and rng.random() < 0.3:
        document["deletion"] = True
    for field, count in (("row_order", n), ("column_order", m)):
        if count > 1 and "deletion" not in document and rng.random() < 0.3:
            document[field] = random_order(rng, count)
    if m and rng.random() < 0.2:
        document["intact"] = [rng.randrange(m)]
    return document


_DRAWN: Final[Mapping[str, Callable[[random.Random], Document]]] = {
    "bin-covering": _covering,
    "interval-covering": _covering,
    "connected-partition": _partition,
    "rectangle-tiling": _tiling,
    "rectangle-tiling-grid": _grid,
    "r-gather": _gather,
    "cellular-clustering": _cellular,
    "k-anonymity": _anonymity,
    "k-ambiguity": _small_table,
    "generalization": _generalization,
    "diversity": _diversity,
    "suppression": _suppression,
    "pair-partition": lambda rng: pair_fields(rng, _few(rng)),
}
PROBLEMS: Final = tuple(_DRAWN)
"""The names of the problems that are attacked."""

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
