"""Relations: instances made from another one, and what is known of their optimum.

Items in another order, all numbers scaled, everything twice, k relaxed, a limit less,
an intact column that splits two copies, the same question as another problem. Where
nothing can be enumerated these are the only judges beside other methods.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

Document = dict[str, Any]

_MEASURED: Final = frozenset({"height", "precision"})
"""The losses that do not depend on k."""


class Related(NamedTuple):
    """An instance, and what is known of its optimum."""

    document: Document
    least: int | None = 1
    most: int | None = 1
    """`least`, `most`: it is at least and at most so many times the optimum of the
    other instance; None if nothing is known, not even whether there is a solution."""


Relation = Callable[[Document, random.Random], Related | None]


def _shuffled(document: Document, rng: random.Random) -> Related | None:
    """Put items in another order, rows and columns as well."""
    match document["problem"]:
        case "bin-covering":
            return Related({**document, "sizes": _mixed(document["sizes"], rng)})
        case "interval-covering":
            return Related({**document, "sizes": document["sizes"][::-1]})
        case "rectangle-tiling":
            points = [[y, x, weight] for x, y, weight in document["points"]]
            return Related({**document, "points": _mixed(points, rng)})
        case "rectangle-tiling-grid":
            turned = [list(column) for column in zip(*document["grid"], strict=True)]
            return Related({**document, "grid": turned[::-1]})
        case "pair-partition":
            named = {"costs", "edges", "require", "together", "apart"}
            if named & document.keys() or not document.get("points"):
                return None
            return Related({**document, "points": _mixed(document["points"], rng)})
        case "connected-partition":
            n = len(document["weights"])
            places = rng.sample(range(n), n)
            edges = [[places.index(v), places.index(u)] for u, v in document["edges"]]
            weights = [document["weights"][i] for i in places]
            changes = {"weights": weights, "edges": _mixed(edges, rng)}
            return Related({**document, **changes})
        case "r-gather" | "cellular-clustering":
            return Related(_clustering_of(document, rng))
    return Related(_table_of(document, rng))


def _mixed(items: Sequence[Any], rng: random.Random) -> list[Any]:
    return rng.sample(list(items), len(items))


def _clustering_of(document: Document, rng: random.Random) -> Document:
    name = "points" if document.get("points") is not None else "distances"
    places = _mixed(range(len(document[name])), rng)
    moved = {name: [document[name][i] for i in places]}
    if name == "distances":
        moved[name] = [[row[j] for j in places] for row in moved[name]]
    if document.get("facility_costs"):
        moved["facility_costs"] = [document["facility_costs"][i] for i in places]
    return {**document, **moved}


def _table_of(document: Document, rng: random.Random) -> Document:
    table = document["table"]
    if not table:
        return document
    rows, columns = _mixed(range(len(table)), rng), _mixed(range(len(table[0])), rng)
    moved: Document = {"table": [[table[i][j] for j in columns] for i in rows]}
    for names, places in (
        (("sensitive", "row_weights"), rows),
        (("hierarchies", "column_weights", "columns"), columns),
    ):
        for name in names:
            if document.get(name):
                moved[name] = [document[name][place] for place in places]
    for name, places in (("row_order", rows), ("column_order", columns)):
        if document.get(name):
            moved[name] = [[places.index(x) for x in c] for c in document[name]]
    if document.get("intact"):
        moved["intact"] = [columns.index(j) for j in document["intact"]]
    return {**document, **moved}


def _scaled(document: Document, rng: random.Random) -> Related | None:
    """Take all numbers times a factor, or all columns as often."""
    factor = rng.choice([2, 3, 7])

    def times(value: Any) -> Any:
        if isinstance(value, list):
            return [times(inner) for inner in value]
        return None if value is None else value * factor

    cost, fields = factor, ["k"]
    match document["problem"]:
        case "bin-covering" | "interval-covering":
            fields.append("sizes")
            cost = factor**2 if document.get("objective") == "quadratic" else factor
        case "pair-partition" if document.get("objective", "sum") == "sum":
            if "costs" not in document:
                return None
            costs = [[i, j, c * factor] for i, j, c in document["costs"]]
            return Related({**document, "costs": costs}, factor, factor)
        case "connected-partition":
            fields.append("weights")
        case "rectangle-tiling-grid":
            fields = ["grid"]
        case "rectangle-tiling":
            points = [[x, y, weight * factor] for x, y, weight in document["points"]]
            scaled = {"points": points, "k": document["k"] * factor}
            return Related({**document, **scaled}, factor, factor)
        case "r-gather" | "cellular-clustering" if "distances" in document:
            fields = ["distances"]
            if document.get("facility_costs"):
                fields.append("facility_costs")
        case "k-anonymity":
            table = [row * factor for row in document["table"]]
            rest = {key: document[key] for key in document if key != "columns"}
            return Related({**rest, "table": table}, factor, factor)
        case _:
            return None
    changes = {field: times(document[field]) for field in fields}
    return Related({**document, **changes}, cost, cost)


def _doubled(document: Document, _rng: random.Random) -> Related | None:
    """Have everything twice: two solutions side by side are one."""
    match document["problem"]:
        case "bin-covering" | "interval-covering":
            most = 1 if document.get("objective", "max") == "max" else 2
            return Related({**document, "sizes": document["sizes"] * 2}, None, most)
        case "connected-partition":
            n = len(document["weights"])
            apart = [[u + n, v + n] for u, v in document["edges"]]
            changes = {
                "weights": document["weights"] * 2,
                "edges": document["edges"] + apart,
            }
            return Related({**document, **changes})
        case "k-anonymity" | "generalization" | "diversity":
            if document.get("loss", "height") not in _MEASURED:
                return None
            if document.get("suppress_rows"):
                return None
            names = ("table", "sensitive", "row_weights")
            changes = {n: document[n] * 2 for n in names if document.get(n)}
            return Related({**document, **changes}, None, 2)
    return None


def _relaxed(document: Document, rng: random.Random) -> Related | None:
    """Lower k, r or l, or have one rectangle more."""
    if document["problem"] == "rectangle-tiling-grid":
        return Related({**document, "p": document["p"] + 1}, None)
    if document.get("objective", "max") != "max" or document.get("minimise") == "k":
        return None
    if document.get("loss", "height") not in _MEASURED:
        return None
    lower = [name for name in "krl" if document.get(name, 1) > 1]
    if not lower:
        return None
    name = rng.choice(lower)
    return Related({**document, name: document[name] - 1}, None)


def _freed(document: Document, rng: random.Random) -> Related | None:
    """Leave out a limit, or widen it."""
    freed = [*_without_a_limit(document)]
    return Related(rng.choice(freed), None) if freed else None


def _without_a_limit(document: Document) -> Iterator[Document]:
    free = ("max_clusters", "intact", "row_order", "column_order", "t", "guillotine")
    if document.get("variant") is None:  # a name says which fields there are
        for name in free:
            if document.get(name):
                yield {key: value for key, value in document.items() if key != name}
        for quantity in () if document.get("deletion") else document.get("limits", ()):
            limits = {q: x for q, x in document["limits"].items() if q != quantity}
            if quantity not in ("rows", "columns"):  # those are of one region
                yield {**document, "limits": limits}
    for quantity, most in document.get("limits", {}).items():
        yield {**document, "limits": {**document["limits"], quantity: most + 1}}
    for name in ("max_outliers", "suppress_rows"):
        if name in document and document.get("loss", "height") in _MEASURED:
            yield {**document, name: document[name] + 1}
    if document["problem"] == "connected-partition":
        n = len(document["weights"])
        edges = [*document["edges"], *([u, u + 1] for u in range(n - 1))]
        yield {**document, "edges": edges}


def _split(document: Document, rng: random.Random) -> Related | None:
    """Take two copies that a column keeps apart, because nobody may suppress it."""
    if document["problem"] != "k-anonymity" or not document["table"]:
        return None
    table, m = document["table"], len(document["table"][0])
    copies = [[*row, mark] for mark in "ab" for row in table]
    fields = {"problem": "suppression", "minimise": "entries", "k": document["k"]}
    return Related({**fields, "table": _mixed(copies, rng), "intact": [m]}, 2, 2)


def _again(document: Document, rng: random.Random) -> Related | None:
    """Ask the same question as one of another problem."""
    match document["problem"]:
        case "bin-covering" | "interval-covering":
            if document.get("objective", "max") != "max":
                return None
            n, free = len(document["sizes"]), document["problem"] == "bin-covering"
            edges = [[i, j] for j in range(n) for i in range(j)] if free else _path(n)
            asked = {"weights": document["sizes"], "k": document["k"], "edges": edges}
            return Related({"problem": "connected-partition", **asked})
        case "k-anonymity" if document["table"]:
            table, k = document["table"], document["k"]
            kinds: list[Document] = [
                {
                    "problem": "generalization",
                    "on": "entries",
                    "loss": "height",
                    "hierarchies": [
                        [[value, "*"] for value in _values(column)]
                        for column in zip(*table, strict=True)
                    ],
                },
                {"problem": "suppression", "minimise": "entries"},
            ]
            return Related({**rng.choice(kinds), "table": table, "k": k})
        case "generalization" if not document.get("suppress_rows"):
            apart = [[i] for i in range(len(document["table"]))]
            asked = {key: x for key, x in document.items() if key != "suppress_rows"}
            asked |= {"problem": "diversity", "sensitive": apart, "l": 1}
            return Related(asked)
    return None


def _path(n: int) -> list[list[int]]:
    return [list(edge) for edge in pairwise(range(n))]


def _values(column: Sequence[Any]) -> list[Any]:
    """Return the values of a column; 1 and "1" are two."""
    return [*{(type(value), value): value for value in column}.values()]


def _renamed(document: Document, rng: random.Random) -> Related | None:
    """Name values otherwise, and add a constant column."""
    if document["problem"] not in ("k-anonymity", "k-ambiguity"):
        return None
    names: dict[object, str] = {}

    def name(column: int, value: object) -> str:
        return names.setdefault((column, type(value), value), f"v{rng.random()}")

    table = [[name(j, value) for j, value in enumerate(r)] for r in document["table"]]
    if document["problem"] == "k-anonymity":
        table = [["same", *row] for row in table]
    rest = {key: value for key, value in document.items() if key != "columns"}
    return Related({**rest, "table": table})


RELATIONS: Final[Mapping[str, Relation]] = {
    "in another order": _shuffled,
    "scaled": _scaled,
    "everything twice": _doubled,
    "lower k": _relaxed,
    "a limit less": _freed,
    "split by an intact column": _split,
    "as another problem": _again,
    "values renamed": _renamed,
}
