"""Cases: the maps and tilings that solvers are timed on.

Random planar graphs, rectangles over random points and RTILE grids, from the
generators; counties and census tracts of the states, from files that the user has: a
folder with ``county_nodes_2010.csv.gz``, ``county_edges_2010.csv.gz`` and the same for
``tract``, as :mod:`atleastk.instances.datasets.counties` reads them. Without the folder
the counties of Mississippi stand for all, which are shipped with the package.
"""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.counties import (
    connected_partition_from_tables,
    sample_counties,
)
from atleastk.models.connected_partition import components
from atleastk.registry import family_named, problem_named
from scripts.benchmarks.cases import Case

__all__ = ["counties", "drawn", "tracts"]

HALF = "half"
"""As a number of parts: half of the nodes."""


def drawn(
    problem: str, family: str, size: str, seeds: int, **chosen: Any
) -> Iterator[Case]:
    """Yield instances of a family of the generators, one for each seed."""
    make = family_named(problem_named(problem), family).make
    for seed in range(seeds):
        yield Case(f"{problem}, {family}", size, seed, make(seed, **chosen))


def counties(folder: Path | None, wanted: Sequence[int | str]) -> Iterator[Case]:
    """Yield the counties of every state of 2010, for each number of parts wanted."""
    if folder is None:
        yield from _divided("counties, 2020", "MS", sample_counties(1), wanted)
        return
    yield from _states(folder, "county", "counties, 2010", wanted)


def tracts(folder: Path | None, wanted: Sequence[int | str]) -> Iterator[Case]:
    """Yield the census tracts of every state that has them, if there is a folder."""
    if folder is not None:
        yield from _states(folder, "tract", "tracts, 2010", wanted)


def _states(
    folder: Path, kind: str, family: str, wanted: Sequence[int | str]
) -> Iterator[Case]:
    nodes, edges = (
        folder / f"{kind}_{what}_2010.csv.gz" for what in ("nodes", "edges")
    )
    with gzip.open(nodes, "rt", encoding="utf-8", newline="") as file:
        states = sorted(Counter(row["state"] for row in csv.DictReader(file)))
    for state in states:
        whole = connected_partition_from_tables(nodes, edges, 1, state=state)
        yield from _divided(family, state, whole, wanted)


def _divided(
    family: str, state: str, whole: ConnectedPartition, wanted: Sequence[int | str]
) -> Iterator[Case]:
    """Yield a map with k = floor(W / P) for every P wanted, at most a part per node."""
    for parts in dict.fromkeys(
        max(1, whole.n // 2) if parts == HALF else int(parts) for parts in wanted
    ):
        if parts <= whole.n:
            made = replace(whole, k=whole.total // parts)
            size = f"{state} n={made.n} P={parts}"
            yield Case(family, size + _remark(made), 0, made)


def _remark(instance: ConnectedPartition) -> str:
    """Return what makes an instance infeasible; empty if nothing does."""
    lightest = min(
        sum(instance.weights[node] for node in nodes) for nodes in components(instance)
    )
    return " (an island below k: infeasible)" if lightest < instance.k else ""
