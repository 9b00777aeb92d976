"""Microaggregation: `atleastk cluster` beside MDAV, on tables with columns of numbers.

Columns are in standard deviations and lengths Euclidean, as usual. Told are the loss of
information (SSE / SST) and the total of size times radius, both about the means of the
clusters. Prints a table.

    python -m scripts.benchmarks.microaggregation TABLE:COLUMN,COLUMN... [...]
        [--rows N] [--seconds S]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import atleastk
from atleastk.arrays import FloatArray
from atleastk.frames.open_frame import read_frame
from atleastk.research.studies.markdown import markdown_table

SIZES = (3, 5, 10)
SEED = 0
HEADER = (
    "table",
    "rows>",
    "columns>",
    "k>",
    "MDAV: loss>",
    "total>",
    "cluster: loss>",
    "total>",
    "at least>",
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


def measured(points: FloatArray, groups: Sequence[Sequence[int]]) -> tuple[float, ...]:
    """Return the loss of groups, and the total of size times radius, about means."""
    lost = total = 0.0
    for group in groups:
        own = points[list(group)]
        away = own - own.mean(axis=0)
        squares = (away**2).sum(axis=1)
        lost += squares.sum()
        total += len(group) * np.sqrt(squares.max())
    spread = ((points - points.mean(axis=0)) ** 2).sum()
    return float(lost / spread), float(total)


def compared(table: str, rows: int, seconds: float) -> Iterator[list[str]]:
    """Yield the lines on a table, some rows of it drawn at random."""
    path, _, names = table.rpartition(":")
    columns = names.split(",")
    frame = read_frame(Path(path))
    drawn = np.random.default_rng(SEED).permutation(frame.n)[:rows]
    cells = [frame.column(name) for name in columns]
    numbers = np.array([[float(c.values[c.codes[i]]) for c in cells] for i in drawn])
    points = numbers / numbers.std(axis=0)
    for k in SIZES:
        made = atleastk.cluster(
            numbers.tolist(),
            k,
            metric="euclidean",
            scale="deviation",
            centres="mean",
            time_limit=seconds,
        )
        usual = measured(points, mdav(points, k))
        ours = measured(points, [cluster.rows for cluster in made.clusters or ()])
        cited = [Path(path).name, str(len(points)), str(len(columns)), str(k)]
        for loss, total in (usual, ours):
            cited += [f"{loss:.2%}", f"{total:.1f}"]
        yield [*cited, f"{made.bound:.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+", metavar="TABLE:COLUMNS")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20.0)
    asked = parser.parse_args()
    lines = [
        line
        for table in asked.tables
        for line in compared(table, asked.rows, asked.seconds)
    ]
    print("\n".join(markdown_table(HEADER, lines)))


if __name__ == "__main__":
    main()
