"""Cases: the tables of k-anonymity that the scripts time solvers on.

Random tables and the full product of Nursery are generated. Adult and Census-income are
files that the user has: CSV with a header, gzipped or not. Adult's first columns are
age, workclass, education, marital-status, occupation, race, sex, native-country and
salary-class, 45,222 rows without missing values.
"""

from __future__ import annotations

import csv
import gzip
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from atleastk.instances.k_anonymity import KAnonymity
from scripts.benchmarks.cases import Case

Rows = list[tuple[str, ...]]

FOUR = ("age", "education", "sex", "race")
FIVE = (*FOUR, "marital-status")
NURSERY = (3, 5, 4, 4, 3, 2, 3, 3)
"""The numbers of values of Nursery's eight inputs, whose full product it is."""


def read_rows(
    path: Path, columns: Sequence[str] | int | None = None, *, decades: bool = False
) -> Rows:
    """Return rows of a CSV file: the named columns, or the first few, or all.

    `decades` cuts the column age to its decade.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    if decades:
        age = header.index("age")
        rows = [[*row[:age], f"{row[age][:-1]}0", *row[age + 1 :]] for row in rows]
    if columns is None or isinstance(columns, int):
        return [tuple(row[:columns]) for row in rows]
    places = [header.index(name) for name in columns]
    return [tuple(row[j] for j in places) for row in rows]


def uniform(n: int, m: int, values: int, k: int, seed: int) -> Case:
    """Return a table of independent uniform values."""
    rng = random.Random(seed)
    table = [tuple(rng.randrange(values) for _ in range(m)) for _ in range(n)]
    name = f"uniform {n} x {m} over {values}"
    return Case(name, f"k={k}", seed, KAnonymity(table, k))


def nursery(k: int) -> Case:
    """Return the full product that Nursery's inputs are."""
    table: list[tuple[int, ...]] = [()]
    for values in NURSERY:
        table = [(*row, value) for row in table for value in range(values)]
    return Case("nursery", f"k={k}", 0, KAnonymity(table, k))


def whole(name: str, rows: Rows, ks: Sequence[int]) -> Iterator[Case]:
    """Yield a table with several k."""
    for k in ks:
        yield Case(name, f"k={k}", 0, KAnonymity(rows, k))


def sampled(name: str, rows: Rows, n: int, k: int, seeds: int) -> Iterator[Case]:
    """Yield random samples of a table."""
    for seed in range(seeds):
        chosen = random.Random(seed).sample(rows, n)
        yield Case(f"{name}, {n} rows", f"k={k}", seed, KAnonymity(chosen, k))
