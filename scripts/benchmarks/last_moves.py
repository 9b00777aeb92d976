"""Last moves: when either end moved last, and which stage had the rest of the time.

For instances of all problems that stay open for a while, or for those of studies: the
seconds of the last better cost and of the last better bound, the gap, and which parts
ran after both and how long. As a command::

    python -m scripts.benchmarks.last_moves [SPEC ...] [--limits S,...]
        [--workers N,...] [--cpu-clock] [--only WORD]

Parts are the innermost stages of the automatic choice. With --cpu-clock a second is a
second of the process, divided by its workers, so that runs on a busy machine may be
compared. ATLEASTK_DATA names the folder of data sets; without it the sample of Adult is
taken.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import atleastk
from atleastk import Instance, KAmbiguity, RectangleTiling, Study
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.search import Ran, Search
from scripts.benchmarks.credits import searched
from scripts.benchmarks.measured import seconds_of_process
from scripts.studies.datasets import adult_labels, adult_table

COLUMNS: Final = (
    "instance",
    "limit",
    "workers",
    "cost",
    "bound",
    "gap %",
    "cost moved",
    "bound moved",
    "ended",
    "then ran",
)

_MOST_LISTED: Final = 3
"""Stages that are listed of the time after the last move."""


def _tiling(points: int, parts: int, seed: int) -> Instance:
    rng = Random(seed)
    placed = [(rng.random(), rng.random(), rng.randint(1, 20)) for _ in range(points)]
    return RectangleTiling(placed, sum(weight for *_, weight in placed) // parts)


def _ambiguous(n: int, k: int) -> Instance:
    return KAmbiguity(adult_table(6, 8, k, True, n).table, k)


SIX: Final = ("age", "workclass", "education", "occupation", "sex", "native-country")

_drawn: Final = partial(partial, atleastk.generate)

OPEN: Final[Mapping[str, Callable[[], Instance]]] = {
    "bins": _drawn("bin-covering", "uniform", 11, n=120, high=10**4),
    "bins, four to one": _drawn(
        "bin-covering", "uniform", 12, n=120, high=10**6, k=2 * 10**6
    ),
    "map": _drawn("connected-partition", "delaunay", 3, n=300, w=99, parts=60),
    "map of many parts": _drawn(
        "connected-partition", "delaunay", 4, n=2000, w=99, parts=100
    ),
    "tiling": partial(_tiling, 1000, 100, 5),
    "small tiling": partial(_tiling, 110, 14, 6),
    "grid": _drawn("rectangle-tiling-grid", "uniform", 7, rows=25, columns=25, p=60),
    "gather with outliers": _drawn(
        "r-gather", "uniform", 8, n=1000, r=10, max_outliers=50
    ),
    "cells": _drawn("cellular-clustering", "uniform", 9, n=100, r=10),
    "many cells": _drawn("cellular-clustering", "uniform", 10, n=2000, r=10),
    "network": _drawn("pair-partition", "network", 14, n=65, density=40, parts=9),
    "six columns": partial(adult_table, 0, SIX, 6, True),
    "eight columns": partial(adult_table, 0, 8, 60, True),
    "rows of a table": partial(adult_table, 2, 8, 5, True, 500),
    "fullest column": _drawn(
        "suppression", "uniform", 13, n=300, m=6, values=4, variant="MIN-c'-SUP"
    ),
    "labels of entries": partial(adult_labels, 14, "entries", "height", 5, 1000),
    "diverse": _drawn(
        "diversity", "diagnoses", 15, n=300, m=5, values=5, sensitive=5, k=5, l=3
    ),
    "ambiguous": partial(_ambiguous, 1000, 50),
}
"""What stays open for 30 seconds, or nearly so, by what it is called here."""


@dataclass(frozen=True, slots=True)
class Moves:
    """The last moves of a run, and what ran after both."""

    cost: float
    bound: float
    ended: float
    then: Mapping[str, float]  # seconds, by stage


def last_moves(search: Search[Any], ran: Sequence[Ran]) -> Moves:
    cost = bound = 0.0
    known: tuple[int | None, int | None] = None, None
    for event in search.events:
        cost = event.seconds if event.cost != known[0] else cost
        bound = event.seconds if event.bound != known[1] else bound
        known = event.cost, event.bound
    before = max(cost, bound)
    then: dict[str, float] = defaultdict(float)
    for stage in ran:
        inside = any(other.by.startswith(f"{stage.by}: ") for other in ran)
        if stage.seconds > before and not inside:
            then[stage.by] += min(stage.took, stage.seconds - before)
    return Moves(cost, bound, search.seconds, then)


def measured(
    instance: Instance, seconds: float, workers: int
) -> tuple[Search[Any], Moves] | None:
    """Solve an instance and hear of its stages; None if it was too small."""
    ran: list[Ran] = []
    search = searched(instance, seconds, workers, ran.append)
    return None if search is None else (search, last_moves(search, ran))


def row_of(
    name: str, limit: float, workers: int, run: tuple[Search[Any], Moves]
) -> list[object]:
    """Return the cells of a line."""
    search, moves = run
    gap = "-"
    if search.cost is not None and search.bound is not None:
        gap = f"{100.0 * (search.cost - search.bound) / max(1, search.cost):.2f}"
    longest = sorted(moves.then.items(), key=lambda each: -each[1])[:_MOST_LISTED]
    latest = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in longest)
    ends = (f"{each:.1f}" for each in (moves.cost, moves.bound, moves.ended))
    return [name, f"{limit:g}", workers, search.cost, search.bound, gap, *ends, latest]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("studies", nargs="*", type=Path, metavar="SPEC")
    parser.add_argument("--limits", default="30", metavar="S,...")
    parser.add_argument("--workers", default="1", metavar="N,...")
    parser.add_argument("--cpu-clock", action="store_true")
    parser.add_argument("--only", default="", metavar="WORD")
    for line in lines(parser.parse_args(arguments)):
        print(line, flush=True)


def lines(chosen: argparse.Namespace) -> Iterator[str]:
    makers: Mapping[str, Callable[[], Instance]] = OPEN
    if chosen.studies:
        drawn = [each for path in chosen.studies for each in Study.load(path).drawn()]
        makers = {each.name or each.sha256[:8]: partial(_same, each) for each in drawn}
    yield from markdown_table(COLUMNS, ())
    for name, make in makers.items():
        if chosen.only not in name:
            continue
        for limit in map(float, chosen.limits.split(",")):
            for workers in map(int, chosen.workers.split(",")):
                if chosen.cpu_clock:
                    CLOCK.source = partial(seconds_of_process, workers)
                run = measured(make(), limit, workers)
                if run is not None:
                    row = row_of(name, limit, workers, run)
                    yield markdown_table(COLUMNS, [row])[-1]


def _same(instance: Instance) -> Instance:
    return instance


if __name__ == "__main__":
    main()
