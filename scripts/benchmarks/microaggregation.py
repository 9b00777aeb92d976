"""Microaggregation: `atleastk cluster` beside MDAV and V-MDAV, on tables of numbers.

Columns are in standard deviations and lengths Euclidean, as usual. Reported is the loss
of information (SSE / SST) about the means of the clusters, and the least one that is
possible as far as is known. Drawn tables are uniform in the unit cube, or in clusters
of 7 rows on average with a spread of 0.02 an axis. With --cpu one worker has so many
seconds of processor time. Prints a table.

    python -m scripts.benchmarks.microaggregation TABLE:COLUMN,COLUMN... [...]
        [uniform:ROWS,COLUMNS] [clusters:ROWS,COLUMNS] [--rows N] [--seconds S] [--cpu]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

import numpy as np

import atleastk
from atleastk.arrays import FloatArray
from atleastk.frames.open_frame import read_frame
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.clock import CLOCK

SIZES = (3, 5, 10)
SEED = 0
HEADER = (
    "table",
    "rows>",
    "columns>",
    "k>",
    "MDAV: loss>",
    "V-MDAV: loss>",
    "cluster: loss>",
    "at least>",
    "trust",
    "s>",
)


def mdav(points: FloatArray, k: int) -> list[list[int]]:
    """Return the groups of the textbook: of the farthest points and their nearest."""
    left, groups = np.arange(len(points)), []

    def lengths(around: FloatArray) -> FloatArray:
        found: FloatArray = ((points[left] - around) ** 2).sum(axis=1)
        return found

    while len(left) >= 2 * k:
        around = points[left].mean(axis=0)
        for _ in range(2 if len(left) >= 3 * k else 1):
            around = points[left[lengths(around).argmax()]]
            order = np.argsort(lengths(around), kind="stable")
            groups.append(left[order[:k]].tolist())
            left = np.sort(left[order[k:]])
    return [*groups, left.tolist()]


def lost(points: FloatArray, groups: Sequence[Sequence[int]]) -> float:
    """Return the squares of groups about their means, as a share of all."""
    owns = [points[list(group)] for group in groups]
    inside = sum(((own - own.mean(axis=0)) ** 2).sum() for own in owns)
    return float(inside / ((points - points.mean(axis=0)) ** 2).sum())


def numbers_of(table: str) -> FloatArray:
    """Return columns of a file, or drawn ones, [row, column]."""
    path, _, names = table.rpartition(":")
    columns = names.split(",")
    if path not in ("uniform", "clusters"):
        frame = read_frame(Path(path))
        cells = [frame.column(name) for name in columns]
        return np.array([[float(c.values[v]) for v in c.codes] for c in cells]).T
    n, dimension = map(int, columns)
    rng = np.random.default_rng(SEED)
    if path == "uniform":
        return rng.random((n, dimension))
    centres = rng.random((n // 7, dimension))
    around = centres[rng.integers(len(centres), size=n)]
    return around + rng.normal(scale=0.02, size=around.shape)


def compared(
    table: str, rows: int, seconds: float, workers: int | None
) -> Iterator[list[str]]:
    """Yield the lines on a table, some rows of it drawn at random."""
    numbers = numbers_of(table)
    drawn = np.random.default_rng(SEED).permutation(len(numbers))[:rows]
    numbers = numbers[drawn]
    points = numbers / numbers.std(axis=0)
    for k in SIZES:
        made = atleastk.cluster(
            numbers.tolist(),
            k,
            scale="deviation",
            minimise="squares",
            time_limit=seconds,
            workers=workers,
        )
        ours = lost(points, [cluster.rows for cluster in made.clusters or ()])
        least = (made.bound or 0.0) / points.size  # a column has a variance of 1
        name = Path(table.rpartition(":")[0]).name
        cited = [name, *map(str, points.shape), str(k)]
        fixed = lost(points, mdav(points, k))
        grown = lost(points, atleastk.approximate(made.instance, "v-mdav").groups or ())
        shares = [f"{share:.2%}" for share in (fixed, grown, ours, least)]
        trust = str(made.result.trust or "")
        yield [*cited, *shares, trust, f"{made.result.seconds:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+", metavar="TABLE:COLUMNS")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--cpu", action="store_true")
    asked = parser.parse_args()
    workers = 1 if asked.cpu else None
    if asked.cpu:
        CLOCK.source = process_time
    lines = [
        line
        for table in asked.tables
        for line in compared(table, asked.rows, asked.seconds, workers)
    ]
    print("\n".join(markdown_table(HEADER, lines)))


if __name__ == "__main__":
    main()
