"""Last moves: when either end of a run moved last, and which stage ran on.

For the kinds of `scripts.benchmarks.frontier`, or the instances of studies: the gap,
what it was on the way, the seconds of the last better cost and of the last better
bound, and which parts ran after both and how long. As a command::

    python -m scripts.benchmarks.last_moves [SPEC ...] [--limits S,...]
        [--workers N,...] [--rounds N] [--cpu-clock] [--only WORD] [--runs FILE]

A round is a run of all, the next begins when it has ended. Every run appends a line to
the file of runs, none that is there is repeated: an interrupted command goes on. Parts
are the innermost stages of the automatic choice. With --cpu-clock a second is a second
of the process, divided by its workers, so that runs on a busy machine may be compared.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
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
from scripts.benchmarks.measured import carry_on, kept, seconds_of_process

COLUMNS: Final = (
    "instance",
    "seen %",
    "goal %",
    "limit",
    "workers",
    "round",
    "cost>",
    "bound>",
    "gap %>",
    "mean gap %>",
    "cost moved>",
    "bound moved>",
    "ended>",
    "then ran",
)

_MOST_LISTED: Final = 3
"""Stages that are listed of the time after the last move."""


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


def measured(instance: Instance, limit: float, workers: int) -> dict[str, Any] | None:
    """Solve an instance and hear of its stages; None if it was too small."""
    ran: list[Ran] = []
    search = searched(instance, limit, workers, ran.append)
    if search is None:
        return None
    ends = {"cost": search.cost, "bound": search.bound}
    share = mean_gap(search.events, limit, **ends)
    return {**ends, "mean_gap": share, "moves": asdict(last_moves(search, ran))}


def row_of(name: str, kind: Kind, run: Mapping[str, Any]) -> list[object]:
    """Return the cells of a line."""
    cost, bound, moves = run["cost"], run["bound"], run["moves"]
    longest = sorted(moves["then"].items(), key=lambda each: -each[1])[:_MOST_LISTED]
    latest = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in longest)
    asked = f"{run['limit']:g}", run["workers"], run["round"]
    gaps = (f"{100 * each:.2f}" for each in (gap(cost, bound), run["mean_gap"]))
    ends = (f"{moves[end]:.1f}" for end in ("cost", "bound", "ended"))
    return [name, kind.seen, kind.goal, *asked, cost, bound, *gaps, *ends, latest]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("studies", nargs="*", type=Path, metavar="SPEC")
    parser.add_argument("--limits", default="60", metavar="S,...")
    parser.add_argument("--workers", default="1", metavar="N,...")
    parser.add_argument("--rounds", type=int, default=1, metavar="N")
    parser.add_argument("--cpu-clock", action="store_true")
    parser.add_argument("--only", default="", metavar="WORD")
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
    asked = [*product(limits, map(int, chosen.workers.split(",")))]
    runs = kept(chosen.runs)
    yield from markdown_table(COLUMNS, ())
    for again, name in product(range(1, chosen.rounds + 1), kinds):
        instance = kinds[name].draw() if chosen.only in name else None
        if instance is None:
            continue
        for limit, count in asked:
            own = {"instance": instance.sha256, "limit": limit}
            key = {**own, "workers": count, "round": again}
            if chosen.cpu_clock:
                CLOCK.source = partial(seconds_of_process, count)
            make = partial(measured, instance, limit, count)
            carry_on(chosen.runs, runs, [(key, make)])
            for run in (each for each in runs if key.items() <= each.items()):
                yield markdown_table(COLUMNS, [row_of(name, kinds[name], run)])[-1]


def _same(instance: Instance) -> Instance:
    return instance


if __name__ == "__main__":
    main()
