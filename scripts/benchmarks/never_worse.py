"""Never worse than what is cheap: the automatic choice against quick rivals.

For 10 to 1,000,000 items of every problem, and 10,000,000 of some, the automatic choice
of methods has to be at least as good as every shipped algorithm, the heuristic of
textbook.py and the packages of peers.py that are installed, if they end within half of
its limit. Writes ``docs/benchmarks/never_worse.md``, which also tells when the first
answer came, and ``peers_large.md``, where heuristic and packages have the whole limit
with 100,000 items and more.

    python -m scripts.benchmarks.never_worse [--only PATTERN] [--rivals PATTERN]
        [--limits 1 3] [--most N] [--runs FILE] [--out FOLDER]

Every run has a process of its own and one worker, and seconds are those of its CPU
time. An interrupted command goes on with its file.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import groupby, product
from pathlib import Path
from typing import Any, Final

import atleastk
from atleastk import Generalization, Instance, RectangleTiling, Suppression
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs.registry import problem_of
from atleastk.solvers.clock import CLOCK
from scripts.benchmarks.measured import (
    OUT,
    Run,
    answered,
    carry_on,
    judged,
    kept,
    software,
    solved,
)
from scripts.benchmarks.peers import PEERS, Groups
from scripts.benchmarks.textbook import HEURISTICS

SIZES = tuple(10**exponent for exponent in range(1, 8))
SEED = 0

LARGE: Final = 100_000
"""Items from which on packages of others stand on a page of their own."""

LIMITS: Final = {100_000: (1.0, 5.0), 10**6: (10.0,), 10**7: (30.0,)}
"""Seconds, where they are not 1 and 3."""

_PATIENCE: Final = 60.0
"""Limits of the wall after which a rival is not waited for."""


def _table(n: int, m: int, values: int) -> list[tuple[int, ...]]:
    rng = random.Random(SEED)
    return [tuple(rng.randrange(values) for _ in range(m)) for _ in range(n)]


def _side(n: int) -> int:
    return max(3, round(math.sqrt(n)))


_drawn: Final = partial(atleastk.generate, seed=SEED)

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

MOST: Final[Mapping[str, int]] = {
    "table of 64 columns, k = 2": 100_000,
    "bins of 1..10^6, k = 1.5 * 10^6": 10**7,
    "bins of 1..10^6, ten items each": 10**7,
    "intervals of 1..100": 10**7,
    "r-gather, r = 5": 10**7,
    "r-gather, r = 3, a tenth outliers": 10**7,
    "cellular, r = 3": 10**7,
    "points by squares, k = 5": 10**7,
    "rectangles, lines of three points": 10**7,
    "rectangles, ten points each": 10**7,
    "grid, 18 cells a rectangle": 10**7,
}
"""The most items of a family, where they are not a million."""


AUTO = "auto"
TEXTBOOK = "textbook"
"""The names of rivals that are neither shipped algorithms nor peers."""

Pair = tuple[Run, Run | None]
"""A run of the automatic choice, and that of the best rival which fits."""


def most_items(family: str) -> int:
    """Return with how many items instances of a family can be made in memory."""
    return MOST.get(family, 1_000_000)


def asked(
    sizes: Sequence[int],
    wanted: re.Pattern[str],
    limits: Sequence[float] | None,
    runs: Sequence[Run],
    met: re.Pattern[str] = re.compile(""),
) -> Iterator[tuple[Run, Callable[[], Run | None]]]:
    """Yield what is run: the automatic choice with every limit, rivals with the last.

    What has not ended with fewer items is not asked again.
    """
    for family, make in MADE.items():
        tiny = make(SIZES[0])
        shipped = (algorithm.name for algorithm in problem_of(tiny).algorithms)
        rivals = [name for name in (TEXTBOOK, *shipped, *PEERS) if met.search(name)]
        for n in sizes:
            if n > most_items(family) or not wanted.search(f"{family} n={n}"):
                continue
            made = cache(partial(make, n))
            each = limits or LIMITS.get(n, (1.0, 3.0))
            for rival, limit in (*product([AUTO], each), *product(rivals, each[-1:])):
                about = {"family": family, "rival": rival}
                late = {**about, "seconds": None}
                key = {**about, "n": n, "limit": limit}
                if not any(late.items() <= run.items() for run in runs):
                    yield key, partial(raced, made, tiny, rival, limit)


def raced(
    made: Callable[[], Instance], tiny: Instance, rival: str, limit: float
) -> Run | None:
    """Run a rival in a process of its own, which ends after two limits.

    What it imports or compiles it does before, on a tiny instance. None if it cannot
    take the instance.
    """
    instance = made()
    ended(tiny, rival, limit)
    most = math.inf if rival == AUTO else 2 * limit
    found = answered(_PATIENCE * limit, partial(ended, instance, rival, limit), most)
    if found is None:
        return dict.fromkeys(("cost", "bound", "first", "seconds"))
    groups, run = found
    if run is None or groups is None:
        return run
    return {**run, "cost": textbook_cost(instance, groups)}


def ended(
    instance: Instance, rival: str, limit: float
) -> tuple[Groups | None, Run | None]:
    """Return the groups of a rival that are to be judged, and what else came of it."""
    CLOCK.source = time.process_time
    before, began = _megabytes(), CLOCK.now()
    groups: Groups | None = None
    run: Run = {}
    try:
        if rival == AUTO:
            run = solved(instance, limit, 1)
        elif rival == TEXTBOOK:
            groups = HEURISTICS[instance.problem](instance)
        elif rival in PEERS:
            groups = PEERS[rival](instance, limit / 4, 1)
        else:
            run = {"cost": atleastk.approximate(instance, rival, SEED).cost}
    except atleastk.NotApplicableError:
        return None, None
    taken = {"seconds": CLOCK.now() - began, "megabytes": _megabytes() - before}
    return groups, {"cost": None, **run, **taken}


def _megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def textbook_cost(instance: Instance, groups: Sequence[Sequence[int]]) -> int | None:
    """Judge groups; straight cuts tile the plane as soon as boxes are disjoint."""
    if isinstance(instance, RectangleTiling):
        instance = replace(instance, cover="points", guillotine=False)
    return judged(instance, groups)


def races(runs: Iterable[Run]) -> Iterator[tuple[list[Run], list[Run]]]:
    """Yield the runs of the automatic choice on an instance, and those of rivals."""
    places = {family: place for place, family in enumerate(MADE)}

    def of(run: Run) -> tuple[int, int]:
        return places[run["family"]], run["n"]

    for _, own in groupby(sorted(runs, key=of), key=of):
        autos: list[Run] = []
        others: list[Run] = []
        for run in own:
            (autos if run["rival"] == AUTO else others).append(run)
        yield autos, others


def beside(auto: Run, rivals: Sequence[Run]) -> Pair:
    """Hold a run of the automatic choice against what fits in half of its time."""
    half = auto["limit"] / 2
    fit = [r for r in rivals if r["cost"] is not None and r["seconds"] <= half]
    return auto, min(fit, key=cost_of, default=None)


def cost_of(run: Run) -> int:
    """Return what a rival found costs."""
    return int(run["cost"])


def is_held(pair: Pair) -> bool:
    """Tell whether the automatic choice is at least as good as its rivals."""
    auto, rival = pair
    if rival is None:
        return True
    return auto["cost"] is not None and auto["cost"] <= rival["cost"]


def report(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the lines of the page."""
    pairs = [beside(auto, rivals) for autos, rivals in races(runs) for auto in autos]
    yield "# Never worse than what is cheap"
    yield ""
    yield (
        f"In {sum(map(is_held, pairs))} of {len(pairs)} runs the automatic choice is "
        "at least as good as every algorithm, textbook heuristic and installed peer "
        "that ends within half of its limit. One worker, seconds of CPU time; made by "
        "`scripts/benchmarks/never_worse.py`."
    )
    yield ""
    yield software()
    yield ""
    heads = ("family", "size>", "limit>", "auto>", "bound>", "first>", "end>")
    rows = map(_cells, pairs)
    yield from markdown_table(
        [*heads, "best rival>", "seconds>", "rival", "held"], rows
    )


def _cells(pair: Pair) -> tuple[object, ...]:
    auto, rival = pair
    return (
        auto["family"],
        f"{auto['n']:,}",
        f"{auto['limit']:g}",
        _or_none(auto["cost"]),
        _or_none(auto["bound"]),
        _or_none(auto["first"], ".2f"),
        _or_none(auto["seconds"], ".2f"),
        *((rival["cost"], f"{rival['seconds']:.2f}") if rival else ("", "")),
        rival["rival"] if rival else "",
        "yes" if is_held(pair) else "**no**",
    )


def _or_none(value: float | None, form: str = "") -> str:
    return "none" if value is None else format(value, form)


ABOUT = """\
Every rival has the same instance and one worker, and twice the limit of the automatic
choice, in seconds of CPU time; who has not ended by then, or has failed, is *late*, and
not asked for more items. All costs are recomputed by the checker. MB is the most memory
of the process beside what it held with the instance before it began. What costs less
than the automatic choice is in bold.

*textbook* is the heuristic of `scripts/benchmarks/textbook.py`; *strips* and *pandas
loops* are the twenty lines of `scripts/benchmarks/peers.py`, which also says how the
packages are called. scclust is its library of C, with the kd-tree of ANN and the
choices of its package for R; its aim is the greatest distance within a group. METIS
balances parts and knows no least weight: it is asked for fewer and fewer until all
weigh k.

```sh
pip install k-means-constrained anonypy pymetis # the others, if wanted
python -m scripts.benchmarks.never_worse
```

""".splitlines()
"""What the page of peers says of its columns."""


def large_report(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the lines of the page of peers, for sizes at which others give up."""
    yield "# Beside others: a hundred thousand items and more"
    yield ""
    yield from ABOUT
    yield software()
    heads = (
        "items>",
        "limit>",
        "who",
        "cost>",
        "of ours>",
        "bound>",
        "seconds>",
        "MB>",
    )
    rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for autos, rivals in races(runs):
        peers = [run for run in rivals if run["rival"] in (TEXTBOOK, *PEERS)]
        if peers and autos and autos[-1]["n"] >= LARGE:
            rows[autos[-1]["family"]] += [
                _large_cells(run, autos[-1]) for run in (autos[-1], *peers)
            ]
    for family, lines in rows.items():
        yield from ("", f"## {family}", "", *markdown_table(heads, lines))


def _large_cells(run: Run, auto: Run) -> tuple[object, ...]:
    cost, own = run["cost"], auto["cost"]
    ratio = f"{cost / own:.3f}" if cost is not None and own else ""
    better = cost is not None and (own is None or cost < own)
    marked = f"**{cost}**" if better else _or_none(cost)
    return (
        f"{run['n']:,}",
        f"{run['limit']:g}",
        run["rival"],
        marked,
        ratio,
        _or_none(run["bound"]) if run is auto else "",
        "late" if run["seconds"] is None else f"{run['seconds']:.1f}",
        run.get("megabytes", ""),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the file lacks; the pages are written at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--only", type=re.compile, default=re.compile(""), metavar="PATTERN")
    add("--rivals", type=re.compile, default=re.compile(""), metavar="PATTERN")
    add("--limits", type=float, nargs="+", help="for all sizes")
    add("--most", type=int, default=SIZES[-1], help="items at most")
    add("--runs", type=Path, default=Path("never_worse.jsonl"))
    add("--out", type=Path, default=OUT)
    chosen: Any = parser.parse_args(arguments)
    sizes = [n for n in SIZES if n <= chosen.most]
    runs = kept(chosen.runs)
    wanted = chosen.only, chosen.limits, runs, chosen.rivals
    carry_on(chosen.runs, runs, asked(sizes, *wanted))
    for name, lines in (("never_worse", report), ("peers_large", large_report)):
        text = "\n".join(lines(runs)) + "\n"
        (chosen.out / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
