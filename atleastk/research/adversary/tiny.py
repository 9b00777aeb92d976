"""All tiny instances of each problem, a little larger from stage to stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import Any, Final

from atleastk.packages import nx
from atleastk.research.adversary.grounds import GENERALIZED, Planting
from atleastk.research.adversary.planted import Fields, Item
from atleastk.solvers.problem import Problem

Stage = tuple[str, Iterator[Any]]
"""The description of a stage, and its instances."""

Documents = Iterator[tuple[str, Iterator[Fields]]]
"""The same with the fields of instances."""

_MOST: Final = 50_000
"""Most instances of a stage of sizes or distances, before k and other fields."""


def stages(problem: Problem[Any]) -> Iterator[Stage]:
    """Yield all tiny instances of a problem, stage by stage; none if it has none."""
    for words, documents in problem.tiny() if problem.tiny else ():
        yield words, _instances(problem.ground, problem.instance, documents)


def _instances(
    ground: Planting, kind: Callable[..., Any], documents: Iterable[Fields]
) -> Iterator[Any]:
    """Yield the instances of documents, with every k and all other fields."""
    for document in documents:
        ks = [document[ground.k]] if ground.k in document else _ks(document)
        for k, fields in product(ks, ground.fields):
            yield kind(**{**fields, **document, ground.k: k})


def _ks(document: Fields) -> Sequence[int]:
    """Return the values of k: up to the number of items or half of their weight.

    Of grids it is the number of rectangles: 2 to 4.
    """
    if "weights" in document:
        return range(2, sum(document["weights"]) // 2 + 1)
    if "points" in document:
        return range(2, sum(weight for *_, weight in document["points"]) // 2 + 1)
    if "grid" in document:
        return range(2, 5)
    if "table" in document:
        return range(2, len(document["table"]) + 1)
    return range(1, len(document["distances"]) + 1)


def sizes() -> Documents:
    """Yield all sequences of sizes up to k."""
    shapes = [(n, k) for k in range(2, 20) for n in range(2, 13) if k**n <= _MOST]
    for n, k in sorted(shapes, key=lambda shape: shape[1] ** shape[0]):
        yield (
            f"{n} sizes, k = {k}",
            ({"sizes": sizes, "k": k} for sizes in product(range(1, k + 1), repeat=n)),
        )


def renamed_columns(n: int) -> list[tuple[int, ...]]:
    """Return all columns of n cells, values numbered in order of appearance."""
    columns: list[tuple[int, ...]] = [()]
    for _ in range(n):
        columns = [
            (*column, value)
            for column in columns
            for value in range(max(column, default=-1) + 2)
        ]
    return columns


def _tables(
    shapes: Sequence[tuple[int, int]],
    columns: Callable[[int], Sequence[tuple[int, ...]]],
    more: Callable[[Sequence[Item]], Iterable[Fields]] = lambda _table: [{}],
) -> Documents:
    """Yield all tables of these shapes, each with all further fields."""
    for n, m in shapes:
        chosen = combinations_with_replacement(columns(n), m)
        yield (
            f"tables of {n} x {m}",
            (
                {"table": table, **fields}
                for table in (list(zip(*cells, strict=True)) for cells in chosen)
                for fields in more(table)
            ),
        )


def _all_values(n: int) -> list[tuple[int, ...]]:
    """Return all columns of n cells: in hierarchies the names of values matter."""
    return list(product(range(4), repeat=n))


def _chains(table: Sequence[Item]) -> Iterator[Fields]:
    chains = GENERALIZED.fields[0]["hierarchies"]
    yield {"hierarchies": chains[: len(table[0])]}


def _secrets(table: Sequence[Item]) -> Iterator[Fields]:
    for fields, column in product(_chains(table), renamed_columns(len(table))):
        yield {**fields, "sensitive": [(value,) for value in column]}


def metrics() -> Documents:
    """Yield all metrics of small whole distances."""
    shapes = product(range(2, 7), range(1, 6))
    sizes = {(n, most): most ** (n * (n - 1) // 2) for n, most in shapes}
    for n, most in sorted(sizes, key=sizes.__getitem__):
        if sizes[n, most] <= _MOST:
            yield f"{n} points, distances up to {most}", _spaces(n, most)


def _spaces(n: int, most: int) -> Iterator[Fields]:
    pairs = list(combinations(range(n), 2))
    for lengths in product(range(1, most + 1), repeat=len(pairs)):
        apart = [[0] * n for _ in range(n)]
        for (i, j), length in zip(pairs, lengths, strict=True):
            apart[i][j] = apart[j][i] = length
        if all(
            apart[i][j] <= apart[i][mid] + apart[mid][j]
            for i, j in pairs
            for mid in range(n)
        ):
            yield {"distances": apart}


def maps() -> Documents:
    """Yield all small weights of connected graphs, up to isomorphism."""
    for n, most in ((2, 5), (3, 5), (4, 3), (4, 5), (5, 2), (5, 3), (6, 2)):
        yield f"graphs of {n} nodes, weights up to {most}", _weighted(n, most)


def _weighted(n: int, most: int) -> Iterator[Fields]:
    for graph in nx.graph_atlas_g():
        if len(graph) == n and nx.is_connected(graph):
            for weights in product(range(1, most + 1), repeat=n):
                yield {"weights": weights, "edges": list(graph.edges)}


def _grids(fields_of: Callable[[Sequence[Item]], Fields]) -> Documents:
    for rows, columns in ((1, 3), (2, 2), (1, 4), (2, 3), (1, 5), (2, 4), (3, 3)):
        cells = product(range(3), repeat=rows * columns)
        yield (
            f"grids of {rows} x {columns}, weights up to 2",
            (
                fields_of(
                    [found[i : i + columns] for i in range(0, len(found), columns)]
                )
                for found in cells
            ),
        )


def _placed(grid: Sequence[Item]) -> Fields:
    cells = ((x, y, w) for y, row in enumerate(grid) for x, w in enumerate(row))
    return {"points": [cell for cell in cells if cell[2]]}


_FEW: Final = ((2, 2), (3, 2), (3, 3), (4, 2), (4, 3), (5, 2))
"""Rows and columns of tables."""
_FEWER: Final = ((2, 1), (3, 1), (4, 1), (3, 2))
"""The same where all names of values differ."""


def tables() -> Documents:
    """Yield all tables of few cells, up to the order of columns and names of values."""
    return _tables(_FEW, renamed_columns)


def larger_tables() -> Documents:
    """Yield the same, and some of more cells."""
    return _tables((*_FEW, (6, 2), (5, 3)), renamed_columns)


def tables_with_hierarchies() -> Documents:
    """Yield all tables of fewer cells: hierarchies name the values."""
    return _tables(_FEWER, _all_values, _chains)


def tables_with_sensitive_values() -> Documents:
    """Yield these with all sensitive columns, up to the names of values."""
    return _tables(_FEWER, _all_values, _secrets)


def places() -> Documents:
    """Yield the points of all grids of small weights."""
    return _grids(_placed)


def grids() -> Documents:
    """Yield all grids of small weights."""
    return _grids(lambda grid: {"grid": grid})


def points_of_a_line() -> Documents:
    """Yield all instances of a few points of a line, one more from stage to stage."""
    for n in range(2, 8):
        some = combinations_with_replacement(range(0, 9, 2), n)
        found = product(some, range(2, n + 1))
        documents = ({"points": [[x] for x in xs], "k": k} for xs, k in found)
        yield f"{n} points up to 8", documents
