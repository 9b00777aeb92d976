"""Check the targets of maps and tilings: proven optima in a minute, counties in five.

    python -m scripts.benchmarks.targets_maps [--data DIR [DIR ...]] [--seeds N]
        [--time-limit S] [--workers N] [--only PATTERN] [--out DIR]

Solves every instance by the automatic choice of methods, each in a process of its own;
see targets.py and cases_maps.py. The first folder of ``--data`` has the counties of all
states, the second their census tracts; without them the counties of Mississippi stand
for all. Writes into DIR

- maps.jsonl: a line per run. Runs that it holds are not repeated;
- targets_maps.md: status, cost, bound and gap of every instance.

An instance in which an island weighs less than k is infeasible, which is to be proved.
The exit code is 0 if every target is met, else 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.benchmarks.cases import Case
from scripts.benchmarks.cases_maps import HALF, counties, drawn, tracts
from scripts.benchmarks.targets import Target, add_arguments, check_targets

COUNTIES_SECONDS = 300.0
TRACTS_GAP = 0.02


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--data",
        type=Path,
        nargs="+",
        default=[],
        metavar="DIR",
        help="folders of counties, and of tracts",
    )
    parser.add_argument(
        "--county-limit",
        type=float,
        default=COUNTIES_SECONDS,
        help="seconds of every state",
    )
    add_arguments(parser, "counties, 2010 OK")
    chosen = parser.parse_args(arguments)
    targets = list(every(chosen.data, chosen.seeds, chosen.county_limit))
    check_targets(targets, chosen, "maps", "Maps and tilings")


def every(
    folders: Sequence[Path], seeds: int, county_limit: float = COUNTIES_SECONDS
) -> Iterator[Target]:
    """Yield what is to be proved, or closed up to a gap."""
    for case in (*graphs(seeds), *rectangles(seeds)):
        yield Target(case)
    of_counties, of_tracts = (*folders, None, None)[:2]
    for case in counties(of_counties, (4, 8, 16, HALF)):
        yield Target(case, seconds=county_limit)
    for case in tracts(of_tracts, (10, 50)):
        yield Target(case, gap=TRACTS_GAP)


def graphs(seeds: int) -> Iterator[Case]:
    """Yield the random planar graphs."""
    problem = "connected-partition"
    for n, parts in ((60, 15), (160, 54), (200, 25)):
        size = f"n={n} P={parts}"
        yield from drawn(problem, "delaunay", size, seeds, n=n, parts=parts)
    yield from drawn(problem, "cubic", "n=600 k=3", seeds, n=600, k=3)


def rectangles(seeds: int) -> Iterator[Case]:
    """Yield the rectangles over points, and RTILE."""
    problem = "rectangle-tiling"
    for n, parts in ((49, 8), (49, 12), (60, 12)):
        size = f"n={n} P={parts}"
        yield from drawn(problem, "uniform", size, seeds, n=n, parts=parts)
    yield from drawn(problem, "clustered", "n=100 P=25", seeds, n=100, parts=25)
    full = {"rows": 30, "columns": 30, "parts": 229}
    yield from drawn(problem, "full-lattice", "30 x 30 P=229", seeds, **full)
    for p in (7, 15, 30, 56):
        grid = {"rows": 15, "columns": 15, "high": 9, "p": p}
        size = f"15 x 15 p={p}"
        yield from drawn("rectangle-tiling-grid", "uniform", size, seeds, **grid)


if __name__ == "__main__":
    main()
