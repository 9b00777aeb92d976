"""Measure l-diversity on Adult: cost, bound, gap, and classes of one sensitive value.

    python -m scripts.benchmarks.diversity --adult FILE [--rows N] [--seconds T ...]
        [-k K ...] [--columns M] [--cpu]

Eight columns of Adult are suppressed, or the first M of them, less the sensitive one:
the salary class or the occupation. The first line of each is k-anonymity alone. With
--cpu one worker has so many seconds of processor time: for busy machines. Prints a
table in Markdown, line by line.
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
from atleastk.solvers.clock import CLOCK
from scripts.studies.datasets import read_rows

ASKED = (
    ("salary-class", None),
    ("salary-class", 2),
    ("occupation", None),
    ("occupation", 2),
    ("occupation", 3),
)
"""The sensitive columns, and l; None asks for k-anonymity alone."""


def adult_rows(path: Path, count: int | None) -> list[dict[str, str]]:
    """Return the columns of the literature, of all rows or of a sample."""
    rows = read_rows(path, COLUMNS)
    chosen = rows if count is None else random.Random(1).sample(rows, count)
    return [dict(zip(COLUMNS, row, strict=True)) for row in chosen]


def measured(
    rows: list[dict[str, str]],
    columns: Sequence[str],
    k: int,
    sensitive: str,
    values: int | None,
    seconds: float,
    **limits: Any,
) -> str:
    chosen = [name for name in columns if name != sensitive]
    made = atleastk.anonymize(
        rows, k, chosen, sensitive=sensitive, l=values, time_limit=seconds, **limits
    )
    assert isinstance(made, atleastk.Anonymized)
    report = made.report
    assert report.sensitive is not None
    after, before = (
        report.sensitive.after[sensitive],
        report.sensitive.before[sensitive],
    )
    cells = (
        k,
        sensitive,
        "-" if values is None else values,
        seconds,
        report.cost,
        report.bound,
        "-" if report.gap is None else f"{report.gap:.2%}",
        after.classes,
        f"{before.single / before.classes:.1%}",
        f"{after.single / after.classes:.1%}",
        f"{report.seconds:.1f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--adult", type=Path, required=True)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--seconds", type=float, nargs="+", default=[30.0, 60.0])
    parser.add_argument("-k", type=int, nargs="+", default=[5])
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--cpu", action="store_true")
    chosen = parser.parse_args(arguments)
    limits: dict[str, Any] = {}
    if chosen.cpu:
        limits["workers"], CLOCK.source = 1, process_time
    rows = adult_rows(chosen.adult, chosen.rows)
    columns = COLUMNS[: chosen.columns]
    print(f"{len(rows)} rows, {len(columns)} columns, load {os.getloadavg()[0]:.1f}")
    print(
        "| k | sensitive | l | limit, s | cells | at least | gap | classes "
        "| of one value before | after | s |"
    )
    print(f"|{' --- |' * 11}")
    for k, seconds in product(chosen.k, chosen.seconds):
        for sensitive, values in ASKED:
            asked = k, sensitive, values, seconds
            print(measured(rows, columns, *asked, **limits), flush=True)
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
