"""Never worse than what is cheap: the automatic choice against quick rivals.

For sizes from 10 to 100,000 of every problem and limits of 1, 3 and 10 seconds the
automatic choice of methods has to be at least as good as every shipped algorithm, the
heuristic of textbook.py and the packages of peers.py that are installed, if they end
within half of the limit. Writes
``docs/benchmarks/never_worse.md``, which also tells when the first answer came.

    python -m scripts.benchmarks.never_worse [--only PATTERN] [--limits 1 3 10]
        [--most N]

Runs are kept in the folder never_worse of ``--out``, a study for each limit and family.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import atleastk
from atleastk import Generalization, Instance, RectangleTiling, Suppression
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs.registry import family_named, problem_named, problem_of
from scripts.benchmarks.measured import (
    OUT,
    Measured,
    answered,
    judged,
    measured,
    software,
)
from scripts.benchmarks.peers import PEERS
from scripts.benchmarks.textbook import HEURISTICS

SIZES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
SEED = 0


def _table(n: int, m: int, values: int) -> list[tuple[int, ...]]:
    rng = random.Random(SEED)
    return [tuple(rng.randrange(values) for _ in range(m)) for _ in range(n)]


def _side(n: int) -> int:
    return max(3, round(math.sqrt(n)))


def _drawn(problem: str, family: str, **fields: Any) -> Instance:
    made: Instance = family_named(problem_named(problem), family).make(SEED, **fields)
    return made


MADE: Mapping[str, Callable[[int], Instance]] = {
    "bins of 1..10^6, k = 1.5 * 10^6": lambda n: _drawn(
        "bin-covering", "uniform", n=n, high=10**6
    ),
    "bins of 1..10^6, ten items each": lambda n: _drawn(
        "bin-covering", "uniform", n=n, high=10**6, k=5 * 10**6
    ),
    "intervals of 1..100": lambda n: _drawn("interval-covering", "uniform", n=n),
    "table of 8 columns, k = 3": lambda n: _drawn(
        "k-anonymity", "uniform", n=n, m=8, values=4
    ),
    "table of 8 skewed columns, k = 5": lambda n: _drawn(
        "k-anonymity", "skewed", n=n, m=8, values=9, k=5
    ),
    "table of 64 columns, k = 2": lambda n: _drawn(
        "k-anonymity", "uniform", n=n, m=64, values=3, k=2
    ),
    "k-ambiguity of 6 columns, k = 3": lambda n: _drawn(
        "k-ambiguity", "uniform", n=n, m=6, values=4
    ),
    "suppression, an order of the columns": lambda n: Suppression(
        _table(n, 5, 4), 3, column_order=[[0], [1], [2, 3, 4]]
    ),
    "generalization of 4 columns": lambda n: Generalization(
        _table(n, 4, 6), 3, [suppression_of(range(6))] * 4, "entries"
    ),
    "r-gather, r = 5": lambda n: _drawn("r-gather", "uniform", n=n, r=5),
    "r-gather, r = 3, a tenth outliers": lambda n: _drawn(
        "r-gather", "uniform", n=n, r=3, max_outliers=n // 10
    ),
    "cellular, r = 3": lambda n: _drawn("cellular-clustering", "uniform", n=n, r=3),
    "maps, ten nodes a part": lambda n: _drawn(
        "connected-partition", "delaunay", n=n, parts=max(2, n // 10)
    ),
    "maps, ten parts": lambda n: _drawn(
        "connected-partition", "delaunay", n=n, parts=min(10, n // 3)
    ),
    "diversity of 4 columns, k = 3, l = 2": lambda n: _drawn(
        "diversity", "diagnoses", n=n, m=4, k=3
    ),
    "points by squares, k = 5": lambda n: _drawn("pair-partition", "points", n=n, k=5),
    "rectangles, lines of three points": lambda n: _drawn(
        "rectangle-tiling", "lattice", n=n, side=-(-n // 3), parts=max(2, n // 10)
    ),
    "rectangles, ten points each": lambda n: _drawn(
        "rectangle-tiling", "uniform", n=n, parts=max(2, n // 10)
    ),
    "grid, 18 cells a rectangle": lambda n: _drawn(
        "rectangle-tiling-grid",
        "uniform",
        rows=_side(n),
        columns=_side(n),
        p=max(2, n // 18),
    ),
}
"""A family of every kind, by the number of items."""


TEXTBOOK = "textbook"
"""The name of the rival that is not shipped."""


@dataclass(frozen=True, slots=True)
class Rival:
    """What a quick rival costs, and the seconds that it took."""

    name: str
    cost: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """A run of the automatic choice, and the best of the rivals that fit."""

    auto: Measured
    rival: Rival | None

    @property
    def held(self) -> bool:
        """Whether the automatic choice is at least as good as its rivals."""
        if self.rival is None:
            return True
        cost = self.auto.row["cost"]
        return cost is not None and cost <= self.rival.cost


def cases(most: int, wanted: re.Pattern[str]) -> Iterator[tuple[str, list[Instance]]]:
    """Yield every family that is wanted, with an instance of every size."""
    for family, make in MADE.items():
        names = {n: f"{family} n={n}" for n in SIZES if n <= most}
        chosen = {n: name for n, name in names.items() if wanted.search(name)}
        if chosen:
            yield family, [replace(make(n), name=name) for n, name in chosen.items()]


def rivals(instance: Instance, tiny: Instance, seconds: float) -> list[Rival]:
    """Return what heuristic, shipped algorithms and peers find in so many seconds.

    They run one after the other, each in a process that is killed when time is up.
    What they import or compile they do on a tiny instance, which is not timed.
    """
    found = []
    for name in [TEXTBOOK, *(a.name for a in problem_of(instance).algorithms), *PEERS]:
        _answer(tiny, name)
        found.append(answered(seconds, partial(_answer, instance, name)))
    return [rival for rival in found if rival is not None]


def _answer(instance: Instance, name: str) -> Rival | None:
    """Run a rival; None if it has no solution, or cannot take the instance."""
    started = time.perf_counter()
    try:
        if name == TEXTBOOK or name in PEERS:
            known = PEERS.get(name)
            groups = (
                known(instance, 0.0, 1)
                if known
                else HEURISTICS[instance.problem](instance)
            )
            cost = None if groups is None else textbook_cost(instance, groups)
        else:
            cost = atleastk.approximate(instance, name, SEED).cost
    except atleastk.NotApplicableError:
        return None
    seconds = time.perf_counter() - started
    return None if cost is None else Rival(name, cost, seconds)


def textbook_cost(instance: Instance, groups: Sequence[Sequence[int]]) -> int | None:
    """Judge groups; straight cuts tile the plane as soon as boxes are disjoint."""
    if isinstance(instance, RectangleTiling):
        instance = replace(instance, cover="points")
    return judged(instance, groups)


def row(auto: Measured, found: Sequence[Rival]) -> Row:
    """Hold a run of the automatic choice against what fits in half of its time."""
    half = auto.row["time_limit"] / 2
    fit = [rival for rival in found if rival.seconds <= half]
    return Row(auto, min(fit, key=lambda rival: rival.cost, default=None))


def report(found: Sequence[Row], workers: int) -> Iterator[str]:
    held = sum(row.held for row in found)
    yield "# Never worse than what is cheap"
    yield ""
    yield (
        f"In {held} of {len(found)} runs the automatic choice is at least as good as "
        "every algorithm, textbook heuristic and installed peer that ends within half "
        "of its limit. "
        f"{workers} cores; made by `scripts/benchmarks/never_worse.py`."
    )
    yield ""
    yield software()
    yield ""
    heads = ("family", "size>", "limit>", "auto>", "bound>", "first>", "end>")
    yield from markdown_table(
        [*heads, "best rival>", "seconds>", "rival", "held"], map(_cells, found)
    )


def _cells(row: Row) -> tuple[object, ...]:
    auto, first, rival = row.auto.row, row.auto.first, row.rival
    family, _, size = row.auto.name.rpartition(" ")
    return (
        family,
        size,
        f"{auto['time_limit']:g}",
        "none" if auto["cost"] is None else auto["cost"],
        "none" if auto["bound"] is None else auto["bound"],
        "none" if first is None else f"{first:.2f}",
        f"{auto['seconds']:.2f}",
        "" if rival is None else rival.cost,
        "" if rival is None else f"{rival.seconds:.2f}",
        "" if rival is None else rival.name,
        "yes" if row.held else "**no**",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what no study holds; the report is written family by family."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("--only", type=re.compile, default=re.compile(""), metavar="PATTERN")
    add("--limits", type=float, nargs="+", default=[1.0, 3.0, 10.0])
    add("--most", type=int, default=100_000, help="items at most")
    add("--workers", type=int, default=2)
    add("--out", type=Path, default=OUT)
    chosen: Any = parser.parse_args(arguments)
    folder, workers = chosen.out / "never_worse", chosen.workers
    found = []
    for family, instances in cases(chosen.most, chosen.only):
        against = [
            rivals(instance, MADE[family](SIZES[0]), max(chosen.limits) / 2)
            for instance in instances
        ]
        name = re.sub(r"\W+", "-", family)
        runs = [
            measured(instances, folder / f"{name}-{limit:g}.db", limit, workers)
            for limit in chosen.limits
        ]
        for autos, rival in zip(zip(*runs, strict=True), against, strict=True):
            found += [row(auto, rival) for auto in autos]
        text = "\n".join(report(found, workers)) + "\n"
        (chosen.out / "never_worse.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
