"""Check the targets of k-anonymity: proven optima, and proven gaps at full size.

    python -m scripts.benchmarks.targets_k_anonymity [--adult FILE] [--census FILE]
        [--seeds N] [--time-limit S] [--long S] [--workers N] [--only PATTERN]
        [--out DIR]

Solves every table by the automatic choice of methods, each in a process of its own; see
trials.py and cases_k_anonymity.py. Tables to be proved get ``--time-limit``, those that
are to be closed up to a gap ``--long``. Tables from files are left out if the file is
not given. Writes into DIR

- k_anonymity.jsonl: a line per run. Runs that it holds, by this script or by
  peers_k_anonymity.py, are not repeated;
- targets_k_anonymity.md: status, cost, bound and gap by table.

The exit code is 0 if every target is met, else 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from scripts.benchmarks.cases_k_anonymity import (
    FIVE,
    FOUR,
    nursery,
    read_rows,
    sampled,
    uniform,
    whole,
)
from scripts.benchmarks.targets import Target, add_arguments, check_targets

KS = (2, 5, 10, 25, 50, 128)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--adult", type=Path, metavar="FILE", help="Adult, as cases_k_anonymity says")
    add("--census", type=Path, metavar="FILE", help="Census-income, likewise")
    add("--long", type=float, default=600.0, help="of tables to be closed up to a gap")
    add_arguments(parser, "sample")
    chosen = parser.parse_args(arguments)
    targets = [
        replace(target, seconds=chosen.long) if target.gap else target
        for target in every(chosen)
    ]
    check_targets(targets, chosen, "k_anonymity", "k-anonymity")


def every(chosen: argparse.Namespace) -> Iterator[Target]:
    """Yield the targets whose tables are there."""
    for k in (3, 5):
        for seed in range(chosen.seeds):
            yield Target(uniform(100, 6, 3, k, seed), 0.0)
    for k in (2, 5, 6, 20, 21, 50, 80):
        yield Target(nursery(k), 0.0)
    if chosen.adult is not None:
        yield from _adult(chosen.adult, chosen.seeds)
    if chosen.census is not None:
        for case in whole("census-income, 9 columns", read_rows(chosen.census), KS):
            yield Target(case, 0.05)


def _adult(path: Path, seeds: int) -> Iterator[Target]:
    for named in (FOUR, FIVE):
        rows = read_rows(path, named)
        for case in whole(f"adult, {len(named)} columns", rows, (2, 5, 10)):
            yield Target(case, 0.0)
    for decades in (False, True):
        ages = "decades" if decades else "raw ages"
        rows = read_rows(path, 8, decades=decades)
        for n, k in ((1000, 2), (500, 5)):
            for case in sampled(f"adult, 8 columns, {ages}", rows, n, k, seeds):
                yield Target(case, 0.0)
    for columns in (8, 9):
        for decades in (False, True):
            ages = "decades" if decades else "raw ages"
            rows = read_rows(path, columns, decades=decades)
            for case in whole(f"adult, {columns} columns, {ages}", rows, KS):
                loose = 0.05 if decades else 0.03
                yield Target(case, 0.004 if case.size == "k=2" else loose)


if __name__ == "__main__":
    main()
