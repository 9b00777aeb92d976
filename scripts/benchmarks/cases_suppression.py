"""Cases: the tables and limits of the suppression family that the scripts time.

A sample of Adult over six columns, and limits that bind: about half way between the
least that a quantity can be and what it is in a table that suppresses the fewest cells,
where both are cheap to know. With L the least and v the value in that table

- *rows*: the mean of v and the fewest rows that can be deleted,
- *columns*: the mean of v and the fewest columns that can be deleted,
- *per_row*: the mean of v and the most that a row differs from its (k-1)-th nearest,
- *per_column*: nine tenths of v,
- *entries*: eleven tenths of v, which is the least,
- *rows and columns*: two columns, and the mean of n and the fewest rows to delete then.

Of several tables that suppress the fewest cells any may be found, and v be its own.

Importance: sex and race before marital status and education before the others; the
first half of the rows before the second.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import atleastk
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import MINIMISATIONS, Variant
from atleastk.models.suppression import measures, solution_of_groups
from scripts.benchmarks.cases import Case
from scripts.benchmarks.cases_k_anonymity import Rows, read_rows

SIX = ("age", "education", "marital-status", "occupation", "race", "sex")
IMPORTANCE = ((5, 4), (2, 1), (0, 3))

_SECONDS = 60.0
_REGION_COLUMNS = 2


def samples(
    path: Path, n: int, seeds: int, *, decades: bool = False
) -> Iterator[tuple[int, Rows]]:
    """Yield random samples of Adult with their seeds."""
    rows = read_rows(path, SIX, decades=decades)
    for seed in range(seeds):
        yield seed, random.Random(seed).sample(rows, n)


def minimisations(
    rows: Rows, k: int, seed: int, *, decades: bool = False
) -> Iterator[Case]:
    """Yield the 44 minimisations on a table, with limits that bind."""
    size = f"decades k={k}" if decades else f"k={k}"
    limits = binding_limits(rows, k)
    for name, variant in MINIMISATIONS.items():
        order: Mapping[str, Sequence[Sequence[int]]] = {}
        if variant.order == "rows":
            half = len(rows) // 2
            order = {"row_order": [range(half), range(half, len(rows))]}
        elif variant.order == "columns":
            order = {"column_order": IMPORTANCE}
        instance = Suppression.named(name, rows, k, _chosen(limits, variant), **order)
        yield Case(name, size, seed, instance)


def binding_limits(rows: Rows, k: int) -> dict[str, int]:
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
