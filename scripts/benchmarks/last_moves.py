"""Last moves: when either end of a run moved last, and which stage ran on.

For the kinds of `scripts.benchmarks.frontier`, or the instances of studies: the gap,
what it was on the way, the seconds of the last better cost and of the last better
bound, and which parts ran after both and how long. As a command::

    python -m scripts.benchmarks.last_moves [SPEC ...] [--limits S,...]
        [--workers N,...] [--rounds N] [--cpu-clock [--cores SHARE,...]]
        [--only PATTERN] [--runs FILE]

A round is a run of all, the next begins when it has ended. Every run has a process of
its own, which solves for a moment first, so that nothing is loaded later; it appends a
line to the file of runs, none that is there is repeated: an interrupted command goes
on. Parts are the innermost stages of the automatic choice. With --cpu-clock a second is
a second of the process, divided by its workers, so that runs on a busy machine may be
compared; or as many as a worker waits for that has a share of a core only.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final

from atleastk import Instance, Study
from atleastk.models.results.result import Event
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.search import Ran, Search
from scripts.benchmarks.credits import searched
from scripts.benchmarks.frontier import KINDS, Kind
from scripts.benchmarks.measured import (
    answered,
    carry_on,
    kept,
    peak_in,
    seconds_of_process,
)

COLUMNS: Final = (
    "instance",
    "seen %",
    "goal %",
    "limit",
    "workers",
    "core",
    "round",
    "cost>",
    "bound>",
    "gap %>",
    "mean gap %>",
    "cost moved>",
    "bound moved>",
    "ended>",
    "CPU s>",
    "MB>",
    "then ran",
)

_MOST_LISTED: Final = 3
"""Stages that are listed of the time after the last move."""

_PATIENCE: Final = 600.0
"""Limits of the wall after which a run is not waited for."""

_STATUS: Final = Path("/proc/self/status")

_MOMENT: Final = 0.5
"""Seconds of the run before, in which most is loaded."""


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
    return Moves(cost, bound, search.seconds, dict(then))


def gap(cost: int | None, bound: int | None) -> float:
    """Return how far a cost is above a bound, in shares of the cost; without one 1."""
    if cost is None or bound is None:
        return 1.0
    return min(1.0, (cost - bound) / max(1, abs(cost)))


def mean_gap(
    events: Sequence[Event], limit: float, cost: int | None, bound: int | None
) -> float:
    """Return the mean over the limit of how far the cost was above the last bound."""
    total = before = 0.0
    held: int | None = None
    for event in events:
        now = min(event.seconds, limit)
        total += gap(held, bound) * (now - before)
        before, held = now, event.cost
    return (total + gap(cost, bound) * (limit - before)) / limit


def measured(
    instance: Instance, limit: float, workers: int, core: float | None
) -> dict[str, Any] | None:
    """Solve an instance and hear of its stages; None if it was too small."""
    if core is not None:
        CLOCK.source = partial(seconds_of_process, workers * core)
    searched(replace(instance), _MOMENT, workers)
    ran: list[Ran] = []
    before = time.process_time()
    search = searched(instance, limit, workers, ran.append)
    taken = time.process_time() - before
    if search is None:
        return None
    ends = {"cost": search.cost, "bound": search.bound}
    share = mean_gap(search.events, limit, **ends)
    used = {"cpu": taken, "megabytes": peak_in(_STATUS.read_text())}
    moves = asdict(last_moves(search, ran))
    return {**ends, **used, "mean_gap": share, "moves": moves}


def row_of(name: str, kind: Kind, run: Mapping[str, Any]) -> list[object]:
    """Return the cells of a line."""
    cost, bound, moves = run["cost"], run["bound"], run["moves"]
    longest = sorted(moves["then"].items(), key=lambda each: -each[1])[:_MOST_LISTED]
    latest = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in longest)
    asked = f"{run['limit']:g}", run["workers"], run["core"] or "", run["round"]
    gaps = (f"{100 * each:.2f}" for each in (gap(cost, bound), run["mean_gap"]))
    ends = (f"{moves[end]:.1f}" for end in ("cost", "bound", "ended"))
    used = f"{run['cpu']:.1f}", run["megabytes"]
    return [
        name,
        kind.seen,
        kind.goal,
        *asked,
        cost,
        bound,
        *gaps,
        *ends,
        *used,
        latest,
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("studies", nargs="*", type=Path, metavar="SPEC")
    parser.add_argument("--limits", default="60", metavar="S,...")
    parser.add_argument("--workers", default="1", metavar="N,...")
    parser.add_argument("--rounds", type=int, default=1, metavar="N")
    parser.add_argument("--cpu-clock", action="store_true")
    parser.add_argument("--cores", default="1", metavar="SHARE,...")
    parser.add_argument("--only", type=re.compile, default="", metavar="PATTERN")
    parser.add_argument("--runs", type=Path, default=Path("last_moves.jsonl"))
    for line in lines(parser.parse_args(arguments)):
        print(line, flush=True)


def lines(chosen: argparse.Namespace) -> Iterator[str]:
    kinds = KINDS
    if chosen.studies:
        drawn = [each for path in chosen.studies for each in Study.load(path).drawn()]
        kinds = {
            each.name or each.sha256[:8]: Kind("", "", partial(_same, each))
            for each in drawn
        }
    limits = map(float, chosen.limits.split(","))
    counts = map(int, chosen.workers.split(","))
    cores = map(float, chosen.cores.split(",")) if chosen.cpu_clock else [None]
    asked = [*product(limits, counts, cores)]
    runs = kept(chosen.runs)
    yield from markdown_table(COLUMNS, ())
    for again, name in product(range(1, chosen.rounds + 1), kinds):
        wanted = re.search(chosen.only, name)
        instance = kinds[name].draw() if wanted else None
        if instance is None:
            continue
        for limit, count, core in asked:
            own = {"instance": instance.sha256, "limit": limit, "workers": count}
            key = {**own, "core": core, "round": again}
            make = partial(measured, instance, limit, count, core)
            apart = partial(answered, _PATIENCE * limit, make)
            carry_on(chosen.runs, runs, [(key, apart)])
            for run in (each for each in runs if key.items() <= each.items()):
                yield markdown_table(COLUMNS, [row_of(name, kinds[name], run)])[-1]


def _same(instance: Instance) -> Instance:
    return instance


if __name__ == "__main__":
    main()
