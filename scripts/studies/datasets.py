"""Instances of data sets, for the studies beside this file.

The variable ATLEASTK_DATA of the environment names a folder of data sets: CSV files
with a header, gzipped or not. Without it there is what is shipped with the package, the
sample of Adult and the counties of Mississippi.

    adult/adult_qi9.csv.gz                   columns as in the package's own sample
    census_income/census_income_qi9.csv.gz
    letter/letter.csv.gz
    us_counties/county_{nodes,edges}_2010.csv.gz, us_tracts/tract_...
    connected_min_size/*.json               with nodes, edges, costs, groups, at_least
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

import atleastk
from atleastk import ConnectedPartition, Generalization, KAnonymity, Suppression
from atleastk.instances.datasets.adult import COLUMNS, adult
from atleastk.instances.datasets.adult_hierarchies import adult_hierarchies
from atleastk.instances.datasets.counties import (
    connected_partition_from_tables,
    sample_counties,
)
from atleastk.instances.pair_partition import PairPartition
from atleastk.instances.suppression_names import MINIMISATIONS, Variant
from atleastk.models.connected_partition import components
from atleastk.models.suppression import measures, solution_of_groups

Rows = list[tuple[str, ...]]

DATA: Final = "ATLEASTK_DATA"
"""The variable of the environment that names the folder of data sets."""

QUASI_IDENTIFIERS: Final = COLUMNS[:8]
"""The columns of Adult without the sensitive one."""

_PUBLISHED: Final = {
    "Adult": "adult/adult_qi9.csv.gz",
    "Census-income": "census_income/census_income_qi9.csv.gz",
    "Letter": "letter/letter.csv.gz",
}


def read_rows(path: Path, columns: Sequence[str] | int | None = None) -> Rows:
    """Return rows of a CSV file: the named columns, or the first few, or all."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    if columns is None or isinstance(columns, int):
        return [tuple(row[:columns]) for row in rows]
    places = [header.index(name) for name in columns]
    return [tuple(row[j] for j in places) for row in rows]


def published(_seed: int, table: str, columns: int, k: int) -> KAnonymity | None:
    """Return the first columns of a table of [ParkShim07].

    Without a folder of data sets that is the shipped sample of Adult.
    """
    folder = os.environ.get(DATA)
    if folder is None and table != "Adult":
        return None
    if folder is None:
        return replace(adult(k, columns), name="Adult, the sample")
    rows = _published_rows(Path(folder) / _PUBLISHED[table])
    return KAnonymity([row[:columns] for row in rows], k, name=table)


_published_rows: Final = cache(read_rows)


def published_graph(seed: int) -> PairPartition | None:
    """Return one of the connected partitions of M. Cordero et al., by their names."""
    folder = os.environ.get(DATA)
    paths = sorted(Path(folder, "connected_min_size").glob("*.json")) if folder else []
    if seed >= len(paths):
        return None
    given = json.loads(paths[seed].read_text(encoding="utf-8"))
    pairs = zip(given["edges"], given["costs"], strict=True)
    return PairPartition(
        items=given["nodes"],
        costs=[[*edge, cost] for edge, cost in pairs],
        k=given["at_least"],
        groups=(given["groups"],) * 2,
        connected=True,
        name=given["name"],
    )


def adult_table(
    seed: int, columns: int | Sequence[str], k: int, decades: bool, n: int | None = None
) -> KAnonymity:
    """Return columns of Adult, the first few or named ones, or `n` random rows of it.

    With `decades` the ages are rounded down to tens.
    """
    names = COLUMNS[:columns] if isinstance(columns, int) else tuple(columns)
    rows = adult_rows(names, decades)
    words = [", ".join(names) if len(names) < len(QUASI_IDENTIFIERS) else "Adult"]
    if n is not None:
        rows = random.Random(seed).sample(rows, min(n, len(rows)))
        words.append(f"seed={seed}")
    words += ["decades"] if decades else []
    return KAnonymity(rows, k, columns=names, name=", ".join(words))


@cache
def adult_rows(names: Sequence[str], decades: bool = False) -> Rows:
    """Return columns of Adult, all of its rows or those of the sample."""
    folder = os.environ.get(DATA)
    paths = None if folder is None else [Path(folder) / _PUBLISHED["Adult"]]
    table = adult(1, len(COLUMNS), paths, decades=decades).table
    places = [COLUMNS.index(name) for name in names]
    return [tuple(str(row[j]) for j in places) for row in table]


def adult_labels(
    seed: int, on: str, loss: str, k: int, n: int | None = None
) -> Generalization:
    """Return Adult with the usual hierarchies, or `n` random rows of it."""
    rows, name = adult_rows(QUASI_IDENTIFIERS), "Adult"
    if n is not None:
        rows = random.Random(seed).sample(rows, min(n, len(rows)))
        name = f"Adult, seed={seed}"
    usual = adult_hierarchies()
    trees = [usual[column] for column in QUASI_IDENTIFIERS]
    columns = QUASI_IDENTIFIERS
    return Generalization(rows, k, trees, on, loss, columns=columns, name=name)


def county_map(seed: int, parts: int | str) -> ConnectedPartition | None:
    """Return the counties of a state in so many parts, or in half as many as there are.

    The states are numbered by their names; without a folder there is Mississippi.
    """
    folder = os.environ.get(DATA)
    if folder is not None:
        return _state_map(Path(folder) / "us_counties", "county", seed, parts)
    return _divided(sample_counties(1), parts) if seed == 0 else None


def tract_map(seed: int, parts: int | str) -> ConnectedPartition | None:
    """Return the census tracts of a state in so many parts, if there is a folder."""
    folder = os.environ.get(DATA)
    if folder is None:
        return None
    return _state_map(Path(folder) / "us_tracts", "tract", seed, parts)


def _state_map(
    folder: Path, kind: str, seed: int, parts: int | str
) -> ConnectedPartition | None:
    states = _states(folder, kind)
    if seed >= len(states):
        return None
    return _divided(_state(folder, kind, states[seed]), parts)


@cache
def _states(folder: Path, kind: str) -> Sequence[str]:
    nodes = read_rows(_file(folder, kind, "nodes"), ["state"])
    return sorted({state for (state,) in nodes})


@cache
def _state(folder: Path, kind: str, state: str) -> ConnectedPartition:
    nodes, edges = (_file(folder, kind, what) for what in ("nodes", "edges"))
    whole = connected_partition_from_tables(nodes, edges, 1, state=state)
    return replace(whole, name=f"{state}, {kind}")


def _file(folder: Path, kind: str, what: str) -> Path:
    return folder / f"{kind}_{what}_2010.csv.gz"


def _divided(whole: ConnectedPartition, parts: int | str) -> ConnectedPartition | None:
    """Return a map with k = floor(W / parts), at most a part for every node."""
    wanted = max(1, whole.n // 2) if parts == "half" else int(parts)
    if wanted > whole.n:
        return None
    made = replace(whole, k=whole.total // wanted)
    lightest = min(sum(made.weights[v] for v in nodes) for nodes in components(made))
    island = ", an island below k: infeasible" if lightest < made.k else ""
    return replace(made, name=f"{whole.name}, P={wanted}{island}")


SIX: Final = ("age", "education", "marital-status", "occupation", "race", "sex")
IMPORTANCE: Final = ((5, 4), (2, 1), (0, 3))
"""Of the six columns: sex and race before marital status and education."""

_SECONDS: Final = 60.0
_REGION_COLUMNS: Final = 2


def minimisation(seed: int, k: int, decades: bool, n: int = 100) -> Suppression:
    """Return one of the 44 minimisations of a sample of Adult, with limits that bind.

    They are about half way between the least that a quantity can be and what it is in a
    table that suppresses the fewest cells, where both are cheap to know. With L the
    least and v the value in that table

    - *rows*: the mean of v and the fewest rows that can be deleted,
    - *columns*: the mean of v and the fewest columns that can be deleted,
    - *per_row*: the mean of v and the most that a row differs from its (k-1)-th
      nearest,
    - *per_column*: nine tenths of v,
    - *entries*: eleven tenths of v, which is the least,
    - *rows and columns*: two columns, and the mean of n and the fewest rows to delete
      then.

    Of several tables that suppress the fewest cells any may be found, and v be its own.
    The first half of the rows is more important than the second.
    """
    rows = random.Random(0).sample(adult_rows(SIX, decades), n)
    name, variant = list(MINIMISATIONS.items())[seed]
    order: Mapping[str, Sequence[Sequence[int]]] = {}
    if variant.order == "rows":
        order = {"row_order": [range(n // 2), range(n // 2, n)]}
    elif variant.order == "columns":
        order = {"column_order": IMPORTANCE}
    limits = _chosen(_binding_limits(tuple(rows), k), variant)
    made = Suppression.named(name, rows, k, limits, **order)
    return replace(made, name=f"{name}, decades" if decades else name)


@cache
def _binding_limits(rows: Sequence[tuple[str, ...]], k: int) -> Mapping[str, int]:
    """Return a limit for every quantity, and for ``rows beside columns``."""
    n, m = len(rows), len(rows[0])
    best = atleastk.solve(KAnonymity(rows, k), _SECONDS)
    assert best.groups is not None
    plain = Suppression(rows, k)
    found = measures(plain, solution_of_groups(plain, best.groups))
    deletion = replace(plain, minimise="rows", deletion=True)
    fewest_rows = _least(deletion)
    fewest_columns = _least(replace(deletion, minimise="columns"))
    beside = _least(replace(deletion, limits={"columns": _REGION_COLUMNS}))
    return {
        "rows": _mean(found["rows"], fewest_rows),
        "columns": _mean(found["columns"], fewest_columns),
        "entries": found["entries"] * 11 // 10,
        "per_row": _mean(found["per_row"], _farthest(plain)),
        "per_column": found["per_column"] * 9 // 10,
        "rows beside columns": _mean(n, beside) if beside < n else n - m,
    }


def _chosen(limits: Mapping[str, int], variant: Variant) -> dict[str, int]:
    union = {"rows", "columns"} <= set(variant.named)
    chosen = {quantity: limits[quantity] for quantity in variant.limits}
    if union and "rows" in chosen:
        chosen["rows"] = limits["rows beside columns"]
    if union and "columns" in chosen:
        chosen["columns"] = _REGION_COLUMNS
    return chosen


def _least(instance: Suppression) -> int:
    result = atleastk.solve(instance, _SECONDS)
    assert result.cost is not None
    return result.cost


def _farthest(instance: Suppression) -> int:
    """Return the most columns that a row differs in from its (k-1)-th nearest."""
    codes = instance.records.codes[instance.records.record_of]
    apart = (codes[:, None] != codes[None]).sum(axis=2)
    return int(np.sort(apart, axis=1)[:, instance.k - 1].max())


def _mean(first: int, second: int) -> int:
    return -(-(first + second) // 2)
