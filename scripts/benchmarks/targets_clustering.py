"""Check the targets of r-gather and cellular clustering: proven optima in a minute.

    python -m scripts.benchmarks.targets_clustering [--cities FILE] [--seeds N]
        [--time-limit S] [--workers N] [--only PATTERN] [--out DIR]

Solves every instance by the automatic choice of methods, each in a process of its own;
see targets.py and cases_clustering.py. FILE is a gzipped CSV file with the columns
state, lat and lon, by population; without it the extra ``places`` is needed. Writes
into DIR

- clustering.jsonl: a line per run. Runs that it holds are not repeated;
- targets_clustering.md: status, cost, bound and gap of every instance.

The exit code is 0 if everything is proved, else 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.benchmarks.cases import Case
from scripts.benchmarks.cases_clustering import cells, cities, gathered, priced
from scripts.benchmarks.targets import Target, add_arguments, check_targets


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cities", type=Path, metavar="FILE", help="a CSV of places")
    add_arguments(parser, "cellular")
    chosen = parser.parse_args(arguments)
    targets = [Target(case) for case in every(chosen.cities, chosen.seeds)]
    check_targets(targets, chosen, "clustering", "r-gather and cellular clustering")


def every(path: Path | None, seeds: int) -> Iterator[Case]:
    """Yield the instances that are to be proved."""
    far = 1_000_000
    for r in (3, 5, 10):
        yield from gathered("uniform", f"n=10000 r={r}", seeds, n=10_000, high=far, r=r)
    yield from gathered("uniform", "n=1000 r=50", seeds, n=1000, high=10_000, r=50)
    for r in (3, 5, 10, 50):
        yield from gathered(
            *("clustered", f"n=5000 r={r}", seeds),
            n=5000,
            clusters=50,
            spread=far // 40,
            high=far,
            r=r,
        )
    for r in (3, 5, 10, 20, 50):
        yield cities(path, 2000, r)
    yield from gathered("hamming", "n=200 r=10", seeds, n=200, r=10)
    yield from gathered("hamming-clustered", "n=500 r=50", seeds, n=500, r=50)
    limits = {"max_clusters": 10, "max_outliers": 10}
    size = "n=200 r=5 k=10 eps=5%"
    yield from gathered("uniform", size, seeds, n=200, high=10_000, r=5, **limits)
    yield from priced("n=100 r=1 f=2 median", seeds, 100)
    for r in (2, 3, 5, 10):
        yield from cells("uniform", f"n=100 r={r}", seeds, n=100, r=r)
    for r in (2, 3, 5):
        yield from cells("hamming", f"n=50 r={r}", seeds, n=50, r=r)


if __name__ == "__main__":
    main()
