"""Measure l-diversity on Adult: cost, bound, gap, and classes of one sensitive value.

    python -m scripts.benchmarks.diversity --adult FILE [--rows N] [--seconds T ...]
        [-k K ...] [--columns M] [--only WORDS ...] [--cpu]

Eight columns of Adult are suppressed, or the first M of them, less the sensitive one:
the salary class or the occupation. The first line of each is k-anonymity alone; --only
asks for the lines that are named so. More rows than Adult has are drawn from it, of
which each cell is drawn anew with probability 0.02. With --cpu one worker has so many
seconds of processor time: for busy machines. Prints a table in Markdown, line by line.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import atleastk
from atleastk.instances.datasets.adult import COLUMNS
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.clock import CLOCK
from scripts.studies.datasets import read_rows

ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "salary-class": ("salary-class", {}),
    "salary-class l=2": ("salary-class", {"l": 2}),
    "occupation": ("occupation", {}),
    "occupation l=2": ("occupation", {"l": 2}),
    "occupation l=3": ("occupation", {"l": 3}),
    "salary-class t=0.2": ("salary-class", {"t": "0.2"}),
    "occupation frequency": ("occupation", {"l": 3, "diversity": "frequency"}),
}
"""The sensitive columns, and what is asked of them; nothing by k-anonymity alone."""

HEADS = (
    *("k>", "sensitive", "limit, s>", "cells>", "at least>", "gap>", "classes>"),
    *("of one value before>", "after>", "s>"),
)


def adult_rows(path: Path, count: int | None) -> list[dict[str, str]]:
    """Return the columns of the literature, of all rows, a sample, or drawn rows."""
    rows, rng = read_rows(path, COLUMNS), random.Random(1)
    if count is None or count <= len(rows):
        chosen = rows if count is None else rng.sample(rows, count)
    else:
        chosen = [
            tuple(
                x if rng.random() >= 0.02 else rng.choice(rows)[j]
                for j, x in enumerate(row)
            )
            for row in rng.choices(rows, k=count)
        ]
    return [dict(zip(COLUMNS, row, strict=True)) for row in chosen]


def measured(
    rows: list[dict[str, str]], columns: Sequence[str], k: int, asked: str, **more: Any
) -> tuple[object, ...]:
    sensitive, wishes = ASKED[asked]
    chosen = [name for name in columns if name != sensitive]
    wishes = {**wishes, **more}
    made = atleastk.anonymize(rows, k, chosen, sensitive=sensitive, **wishes)
    assert isinstance(made, atleastk.Anonymized)
    report = made.report
    assert report.sensitive is not None
    after = report.sensitive.after[sensitive]
    before = report.sensitive.before[sensitive]
    gap = "-" if report.gap is None else f"{report.gap:.2%}"
    single = [f"{each.single / each.classes:.1%}" for each in (before, after)]
    found = report.cost, report.bound, gap, after.classes, *single
    return k, asked, more["time_limit"], *found, f"{report.seconds:.1f}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--adult", type=Path, required=True)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--seconds", type=float, nargs="+", default=[30.0, 60.0])
    parser.add_argument("-k", type=int, nargs="+", default=[5])
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--only", nargs="+", choices=ASKED, default=[*ASKED][:5])
    parser.add_argument("--cpu", action="store_true")
    chosen = parser.parse_args(arguments)
    limits: dict[str, Any] = {}
    if chosen.cpu:
        limits["workers"], CLOCK.source = 1, process_time
    rows = adult_rows(chosen.adult, chosen.rows)
    columns = COLUMNS[: chosen.columns]
    print(f"{len(rows)} rows, {len(columns)} columns, load {os.getloadavg()[0]:.1f}")
    print("\n".join(markdown_table(HEADS, ())))
    asked = product(chosen.k, chosen.seconds, chosen.only)
    for k, limits["time_limit"], name in asked:
        found = measured(rows, columns, k, name, **limits)
        print(markdown_table(HEADS, [found])[-1], flush=True)
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
