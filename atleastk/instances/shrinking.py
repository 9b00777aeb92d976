"""Shrinking (delta debugging): greedy descent to a small instance that still fails."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from functools import reduce
from itertools import chain
from typing import Any

Document = dict[str, Any]
Place = tuple[str | int, ...]

_REQUIRED = frozenset(
    {"problem", "sizes", "weights", "edges", "points", "distances", "grid", "table"}
    | {"hierarchies", "sensitive", "items", "costs", "k", "p", "r"}
)
_OF_ITEMS = (
    *("sizes", "weights", "points", "distances", "grid", "table"),
    *("sensitive", "row_weights", "copies", "facility_costs", "labels", "positions"),
)
"""The fields with an entry for every item."""

_MOST_TRIALS = 400
_SMALL = 64
"""Numbers below this are lowered one by one, others by halves and by their last bit."""


def shrunk(
    document: Mapping[str, Any],
    fails: Callable[[Document], bool],
    most: int = _MOST_TRIALS,
    groups: Callable[[Document], Iterable[Collection[int]]] | None = None,
) -> Document:
    """Return a locally minimal instance that fails, within `most` trials.

    Greedy descent: the first smaller one that fails replaces the instance. Of `groups`
    each is left out as a whole, too: of a group of just k items none can go alone.
    """
    found, trials = deepcopy(dict(document)), 0
    while True:
        parts = () if groups is None else groups(found)
        size = _size(found)
        fewer = (
            reduce(_without_item, sorted(part, reverse=True), found)
            for part in parts
            if max(part, default=size) < size
        )
        for candidate in chain(fewer, smaller(found)):
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
    yield from _coarser(document)
    yield from _lower_numbers(document)


def _coarser(document: Document) -> Iterator[Document]:
    """Divide sizes or weights and the least sum of a group by the same, rounded."""
    name = "sizes" if "sizes" in document else "weights"
    values, k = document.get(name), document.get("k")
    if isinstance(values, list) and isinstance(k, int) and k > 1:
        for divisor in (10, 3, 2):
            least, *coarse = [(2 * x + divisor) // (2 * divisor) for x in (k, *values)]
            yield {**document, name: coarse, "k": max(1, least)}


def _fewer_fields(document: Document) -> Iterator[Document]:
    for name in document:
        if name not in _REQUIRED:
            yield {key: value for key, value in document.items() if key != name}
    for quantity in document.get("limits") or ():
        limits = {q: x for q, x in document["limits"].items() if q != quantity}
        yield {**document, "limits": limits}


def _fewer_items(document: Document) -> Iterator[Document]:
    """Remove one item at a time, then what items are made of."""
    for edge in range(len(document.get("edges") or ())):
        yield {**document, "edges": _without(document["edges"], edge)}
    for item in range(_size(document)):
        yield _without_item(document, item)
    if "grid" in document:
        grid = document["grid"]
        for j in range(len(grid[0]) if grid else 0):
            yield {**document, "grid": [_without(row, j) for row in grid]}
    elif "table" in document:
        yield from _narrower_tables(document)
    elif document.get("distances") is None and "r" in document:
        points = document.get("points") or ()
        for j in range(len(points[0]) if points else 0):
            yield {**document, "points": [_without(point, j) for point in points]}


def _of_items(document: Document) -> list[str]:
    """Return the fields with an entry for every item; else the longest lists."""
    known = [name for name in _OF_ITEMS if document.get(name) is not None]
    if known or "items" in document:
        return known
    lists = {name: len(v) for name, v in document.items() if isinstance(v, list)}
    longest = max(lists.values(), default=0)
    return [name for name, length in lists.items() if length == longest]


def _size(document: Document) -> int:
    """Return how many items there are: rows of a grid or table, nodes, points."""
    if "items" in document:
        return int(document["items"])
    return max((len(document[name]) for name in _of_items(document)), default=0)


def _without_item(document: Document, gone: int) -> Document:
    """Remove one item, with all that is its own."""
    fewer = {name: _without(document[name], gone) for name in _of_items(document)}
    if "distances" in fewer:
        fewer["distances"] = [_without(row, gone) for row in fewer["distances"]]
    for name in ("edges", "costs"):
        if document.get(name) is not None:
            fewer[name] = [
                [u - (u > gone), v - (v > gone), *cost]
                for u, v, *cost in document[name]
                if gone not in (u, v)
            ]
    rest = {**document, **fewer}
    if "items" in document:
        rest["items"] -= 1
    return _without_member(rest, "row_order", gone)


def _without(items: Sequence[Any], gone: int) -> list[Any]:
    return [item for i, item in enumerate(items) if i != gone]


def _narrower_tables(document: Document) -> Iterator[Document]:
    """Remove a column, or a value or a level of a hierarchy."""
    table = document["table"]
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
    for place, value in _leaves(document):
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


def _leaves(value: object, place: Place = ()) -> Iterator[tuple[Place, object]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, (*place, key))
    elif isinstance(value, list | tuple):
        for i, inner in enumerate(value):
            yield from _leaves(inner, (*place, i))
    else:
        yield place, value


def _put(document: Document, place: Place, value: object) -> Document:
    """Return an instance with another value at a place, and at its mirror in a matrix.

    What is beside the place is shared.
    """
    made: Document = _with(document, place, value)
    if place[0] == "distances":
        made = _with(made, ("distances", *place[:0:-1]), value)
    return made


def _with(held: Any, place: Place, value: object) -> Any:
    if not place:
        return value
    made, (first, *rest) = copy(held), place
    made[first] = _with(held[first], tuple(rest), value)
    return made
