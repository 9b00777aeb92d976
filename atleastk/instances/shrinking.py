"""Shrinking (delta debugging): greedy descent to a small instance that still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

Document = dict[str, Any]
Place = tuple[str | int, ...]

_REQUIRED = frozenset(
    {"problem", "sizes", "weights", "edges", "points", "distances", "grid", "table"}
    | {"hierarchies", "sensitive", "k", "p", "r"}
)
_MOST_TRIALS = 400
_SMALL = 64
"""Numbers below this are lowered one by one, others by halves and by their last bit."""


def shrunk(
    document: Mapping[str, Any],
    fails: Callable[[Document], bool],
    most: int = _MOST_TRIALS,
) -> Document:
    """Return a locally minimal instance that fails, within `most` trials.

    Greedy descent: the first smaller one that fails replaces the instance.
    """
    found, trials = deepcopy(dict(document)), 0
    while True:
        for candidate in smaller(found):
            trials += 1
            if trials > most:
                return found
            if fails(candidate):
                found = candidate
                break
        else:
            return found


def smaller(document: Document) -> Iterator[Document]:
    """Yield smaller instances: fewer items, fewer fields, lower numbers."""
    yield from _fewer_items(document)
    yield from _fewer_fields(document)
    yield from _lower_numbers(document)


def _fewer_fields(document: Document) -> Iterator[Document]:
    for name in document:
        if name not in _REQUIRED:
            yield {key: value for key, value in document.items() if key != name}
    for quantity in document.get("limits") or ():
        limits = {q: x for q, x in document["limits"].items() if q != quantity}
        yield {**document, "limits": limits}


def _fewer_items(document: Document) -> Iterator[Document]:
    """Remove one item at a time, by the field that holds them."""
    if "grid" in document:
        grid = document["grid"]
        for i in range(len(grid)):
            yield {**document, "grid": _without(grid, i)}
        for j in range(len(grid[0]) if grid else 0):
            yield {**document, "grid": [_without(row, j) for row in grid]}
    elif "edges" in document:
        for edge in range(len(document["edges"])):
            yield {**document, "edges": _without(document["edges"], edge)}
        for node in range(len(document["weights"])):
            yield _without_node(document, node)
    elif "table" in document:
        yield from _smaller_tables(document)
    elif "points" in document or "distances" in document:
        yield from _fewer_points(document)
    else:
        yield from _shorter_lists(document)


def _shorter_lists(document: Document) -> Iterator[Document]:
    """Remove one index from all lists that are as long as the longest."""
    lists = {name: value for name, value in document.items() if isinstance(value, list)}
    n = max(map(len, lists.values()), default=0)
    for i in range(n):
        shorter = {k: _without(v, i) for k, v in lists.items() if len(v) == n}
        yield {**document, **shorter}


def _without(items: Sequence[Any], gone: int) -> list[Any]:
    return [item for i, item in enumerate(items) if i != gone]


def _without_node(document: Document, gone: int) -> Document:
    edges = [
        [u - (u > gone), v - (v > gone)]
        for u, v in document["edges"]
        if gone not in (u, v)
    ]
    return {**document, "weights": _without(document["weights"], gone), "edges": edges}


def _fewer_points(document: Document) -> Iterator[Document]:
    name = "distances" if document.get("distances") is not None else "points"
    for gone in range(len(document[name])):
        rest = {**document, name: _without(document[name], gone)}
        if name == "distances":
            rest[name] = [_without(row, gone) for row in rest[name]]
        if rest.get("facility_costs") is not None:
            rest["facility_costs"] = _without(rest["facility_costs"], gone)
        yield rest
    if name == "points" and "r" in document:
        points = document["points"]
        for j in range(len(points[0]) if points else 0):
            yield {**document, "points": [_without(point, j) for point in points]}


def _smaller_tables(document: Document) -> Iterator[Document]:
    table = document["table"]
    for i in range(len(table)):
        rest = {**document, "table": _without(table, i)}
        for name in ("sensitive", "row_weights"):
            if rest.get(name):
                rest[name] = _without(rest[name], i)
        yield _without_member(rest, "row_order", i)
    for j in range(len(table[0]) if table else 0):
        rest = {**document, "table": [_without(row, j) for row in table]}
        if "hierarchies" in rest:
            rest["hierarchies"] = _without(rest["hierarchies"], j)
        if rest.get("column_weights"):
            rest["column_weights"] = _without(rest["column_weights"], j)
        if "intact" in rest:
            rest["intact"] = [x - (x > j) for x in rest["intact"] if x != j]
        yield _without_member(rest, "column_order", j)
    for j, chains in enumerate(document.get("hierarchies") or ()):
        for i in range(len(chains)):
            yield _with_chains(document, j, _without(chains, i))
        for level in range(1, len(chains[0]) if chains else 0):
            yield _with_chains(document, j, [_without(c, level) for c in chains])


def _with_chains(document: Document, column: int, chains: Sequence[Any]) -> Document:
    hierarchies = list(document["hierarchies"])
    hierarchies[column] = list(chains)
    return {**document, "hierarchies": hierarchies}


def _without_member(document: Document, name: str, gone: int) -> Document:
    """Remove a row or column from an importance order, which needs two classes."""
    if document.get(name) is None:
        return document
    classes = [[x - (x > gone) for x in c if x != gone] for c in document[name]]
    classes = [members for members in classes if members]
    rest = {key: value for key, value in document.items() if key != name}
    return {**rest, name: classes} if len(classes) > 1 else rest


def _lower_numbers(document: Document) -> Iterator[Document]:
    for place in list(_leaves(document)):
        value = _at(document, place)
        if isinstance(value, bool) or not isinstance(value, int | float) or not value:
            continue
        for lower in dict.fromkeys(_lower(value)):
            if abs(lower) < abs(value) or (lower == -value > 0):
                yield _put(document, place, lower)


def _lower(value: float) -> list[float]:
    if isinstance(value, float):
        return [0, int(value)] if abs(value) < 2**53 else [0]
    sign = 1 if value > 0 else -1
    size = abs(value)
    steps = [0, 1, 2, size // 2, size & (size - 1)]
    if size < _SMALL:
        steps.append(size - 1)
    return [-value, *(sign * x for x in steps)]


def _leaves(value: object, place: Place = ()) -> Iterator[Place]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, (*place, key))
    elif isinstance(value, list | tuple):
        for i, inner in enumerate(value):
            yield from _leaves(inner, (*place, i))
    else:
        yield place


def _at(document: Any, place: Place) -> Any:
    for key in place:
        document = document[key]
    return document


def _put(document: Document, place: Place, value: object) -> Document:
    """Return a copy with another value at a place, and at its mirror in a matrix."""
    copy = deepcopy(document)
    _at(copy, place[:-1])[place[-1]] = value
    if place[0] == "distances":
        copy["distances"][place[2]][place[1]] = value
    return copy
