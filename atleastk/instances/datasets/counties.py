"""Counties and tracts: connected partition of tables of neighbours.

A map is two CSV files, compressed with gzip or not. One has a row per county, tract or
zip code: a code, a weight, a name and coordinates, ``lon`` and ``lat``. The other has a
row per pair of neighbours, their codes in the only two columns, or in columns of the
same name with ``_u`` and ``_v``. What is between cells is told by the first line. Both
files may hold many states, in a column ``state``, of which one is chosen.

The 82 counties of Mississippi are shipped beside this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import as_file, files
from math import isfinite
from pathlib import Path
from typing import Final

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.borders import islands
from atleastk.instances.fields.attributes import (
    USUAL,
    USUAL_WEIGHTS,
    Attribute,
    Usual,
    usual_label,
    usual_name,
    weights_of,
)
from atleastk.instances.fields.errors import InvalidInstanceError, placed, quoted
from atleastk.instances.files.csv_rows import DELIMITERS, best_delimiter, table_of_text
from atleastk.instances.files.files import read_text
from atleastk.instances.files.paths import AnyPath

_CODES: Final = ("fips", "geoid")
_STATE: Final = "state"
_SAMPLE: Final = ("mississippi_counties.csv", "mississippi_county_edges.csv")
_MOST_KNOWN: Final = 60
"""The most states that an error lists: all of the United States."""

Row = dict[str, str]

Rows = tuple[Sequence[str], list[tuple[int, Row]]]
"""The columns of a file, and its rows with their lines."""


def connected_partition_from_tables(
    nodes: AnyPath,
    edges: AnyPath,
    k: int,
    *,
    state: str | None = None,
    code: str | None = None,
    weight: Attribute = USUAL,
    name: str | None = None,
    read: Rows | None = None,
) -> ConnectedPartition:
    """Return the map in two CSV files with headers, in the order of the first.

    The comment of the instance names islands. Raise `InvalidInstanceError` if a file is
    not as described: the error names the file and the line.

    Parameters
    ----------
    nodes, edges
        The files.
    k
        The least weight of a part.
    state
        The state wanted; all of them otherwise.
    code
        The column with the codes; ``fips`` or ``geoid`` unless given.
    weight
        The column with the weights, ``weight`` or ``population`` unless given. With
        None every region weighs 1.
    name
        The column with the names: ``name`` or ``NAME`` unless given, if there is one;
        codes are names otherwise.
    read
        What `rows_by_name` returned of the first file, if it is read already.
    """
    columns, table = rows_by_name(nodes) if read is None else read
    code = code or _code_of(nodes, columns)
    where = ["lon", "lat"] if {"lon", "lat"} <= set(columns) else []
    name = name or usual_label(columns) or code
    chosen = [] if state is None else [_STATE]
    if isinstance(weight, Usual):
        weight = usual_name(columns, USUAL_WEIGHTS, str(nodes), "column")
    weighing = [] if weight is None else [weight]
    for column in (code, *weighing, name, *chosen):
        if column not in columns:
            known = ", ".join(columns) or "no columns"
            raise InvalidInstanceError(
                f"{nodes}: no column {quoted(column)}; there are {known}"
            )
    number = _numbered(nodes, table, code)
    if state is not None:
        table = _of_state(nodes, table, state)
    new = {number[_cell(row, code)]: i for i, (_, row) in enumerate(table)}
    weights = [1] * len(table)
    if weight is not None:
        items = [
            (f"{nodes}: line {line}", _cell(row, name), _cell(row, weight))
            for line, row in table
        ]
        weights = weights_of(items, weight)
    pairs = _pairs(edges, code, number, new)
    labels = [_cell(row, name) for _, row in table]
    places = [
        [_number(_cell(row, x), f"{nodes}: line {line}: {x}") for x in where]
        for line, row in table
    ]
    with placed(nodes):
        return ConnectedPartition(
            weights,
            pairs,
            k,
            labels=labels,
            positions=places if where else None,
            name=Path(nodes).name if state is None else state,
            comment=islands(len(table), pairs, labels),
        )


def _code_of(nodes: AnyPath, columns: Sequence[str]) -> str:
    """Return the usual column of codes."""
    for usual in _CODES:
        if usual in columns:
            return usual
    names, known = " or ".join(map(quoted, _CODES)), ", ".join(columns)
    raise InvalidInstanceError(
        f"{nodes}: no column {names}; there are {known}; say which has the codes of "
        'the regions, by --code NAME (code="NAME")'
    )


def table_of(
    nodes: AnyPath, state: str | None = None, read: Rows | None = None
) -> tuple[Sequence[str], list[Row]]:
    """Return the columns and rows of the first file, of one state if it is given."""
    columns, table = rows_by_name(nodes) if read is None else read
    if state is not None:
        table = _of_state(nodes, table, state)
    return columns, [row for _, row in table]


def sample_counties(k: int) -> ConnectedPartition:
    """Return the counties of Mississippi, with their inhabitants of 2020."""
    folder = files("atleastk.instances.datasets")
    with as_file(folder / _SAMPLE[0]) as nodes, as_file(folder / _SAMPLE[1]) as edges:
        return connected_partition_from_tables(nodes, edges, k, state="MS")


def rows_by_name(path: AnyPath) -> Rows:
    """Return the columns of a file with a header, and its rows with their lines."""
    text = read_text(path)
    delimiter = best_delimiter(text, DELIMITERS)
    (_, columns), *rows = table_of_text(text, str(path), delimiter)
    return columns, [(line, dict(zip(columns, row, strict=True))) for line, row in rows]


def _numbered(
    path: AnyPath, table: Iterable[tuple[int, Row]], code: str
) -> dict[str, int]:
    number: dict[str, int] = {}
    for line, row in table:
        own = _cell(row, code)
        if not own or own in number:
            fault = f"{own!r} occurs twice" if own else "missing"
            raise InvalidInstanceError(f"{path}: line {line}: {code}: {fault}")
        number[own] = len(number)
    return number


def _of_state(
    path: AnyPath, table: Sequence[tuple[int, Row]], state: str
) -> list[tuple[int, Row]]:
    chosen = [(line, row) for line, row in table if _cell(row, _STATE) == state]
    if not chosen:
        states = sorted({_cell(row, _STATE) for _, row in table})
        more = ", ..." if len(states) > _MOST_KNOWN else ""
        known = ", ".join(states[:_MOST_KNOWN]) + more or "none"
        raise InvalidInstanceError(f"{path}: {_STATE}: no {state!r}; there are {known}")
    return chosen


def _pairs(
    path: AnyPath, code: str, number: dict[str, int], new: dict[int, int]
) -> list[tuple[int, int]]:
    """Return the pairs of neighbours that are both chosen, by their new numbers."""
    columns, table = rows_by_name(path)
    ends = [f"{code}_u", f"{code}_v"]
    if len(columns) == 2:
        ends = [*columns]
    missing = [end for end in ends if end not in columns]
    if missing:
        raise InvalidInstanceError(
            f"{path}: no column {quoted(missing[0])}; there are {', '.join(columns)}; "
            f"expected pairs of neighbours in {ends[0]} and {ends[1]}, or in the only "
            "two columns"
        )
    found = set()
    for line, row in table:
        codes = [_cell(row, end) for end in ends]
        for end, own in zip(ends, codes, strict=True):
            if own not in number:
                raise InvalidInstanceError(
                    f"{path}: line {line}: {end}: no node has the code {own!r}"
                )
        u, v = (number[own] for own in codes)
        if u == v:
            raise InvalidInstanceError(
                f"{path}: line {line}: {codes[0]} cannot be its own neighbour"
            )
        if u in new and v in new:
            found.add((min(new[u], new[v]), max(new[u], new[v])))
    return sorted(found)


def _cell(row: Row, column: str) -> str:
    return row[column].strip()


def _number(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise InvalidInstanceError(f"{where}: expected a number, got {text!r}")
    return number
