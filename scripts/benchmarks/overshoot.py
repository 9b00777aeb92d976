"""Overshoot: how the automatic choice uses its time, and by how much limits are missed.

Random families, sizes, limits and options in one process that is warm: what is imported
or compiled for the first time is not counted. Every instance is solved again with more
time. Four things have to hold: a run ends in time; one with an open gap does not end
before; the first answer comes within a second, and another for each million items; more
time is not worse. One run in twenty is on 30,000 to ten million items, with ten times
the limit. Writes ``docs/benchmarks/overshoot.md``.

    python -m scripts.benchmarks.overshoot [--runs 500] [--seed 0] [--only WORD]
        [--cpu-clock]

With ``--cpu-clock`` a second is one of the process, and there is one worker. Whole
commands, from reading to writing, are those of `scripts.benchmarks.growth`.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

import atleastk
from atleastk import Instance
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.clock import CLOCK
from scripts.benchmarks.measured import OUT, SHARE, Limited, solved
from scripts.benchmarks.never_worse import MADE, SIZES, most_items
from scripts.benchmarks.versus import DRAWS

FIRST: Final = 1.0
"""The first answer comes within so many seconds, and as many more for each million
items, if the limit allows."""

LARGE: Final = 0.05
"""The share of runs on 30,000 to ten million items."""

LONGER: Final = 3
"""The time of the second run on an instance, in limits of the first."""


@dataclass(frozen=True, slots=True)
class Timed(Limited):
    """A run, its limit in seconds and what it took."""

    RESERVE: ClassVar = 0.5

    family: str
    n: int
    options: str
    limit: float
    seconds: float
    first: float | None
    """When it had an answer; None if never."""
    cost: int | None
    bound: int | None
    closed: bool

    @property
    def early(self) -> bool:
        """Whether it ended with time left and an open gap."""
        return not self.closed and self.seconds < (1 - SHARE) * self.limit

    @property
    def waits(self) -> bool:
        """Whether the first answer was late, or never came in a run of that time."""
        first = self.seconds if self.first is None else self.first
        late = first > FIRST * (1 + self.n / 10**6)
        return late and not (self.closed and self.cost is None)


Pair = tuple[Timed, Timed]
"""A run, and one with more time."""


def is_behind(pair: Pair) -> bool:
    """Tell whether a run with more time ended worse."""
    shorter, longer = pair
    if shorter.cost is None:
        return False
    return longer.cost is None or longer.cost > shorter.cost


def drawn(
    rng: random.Random, families: Sequence[str], large: bool = False
) -> tuple[str, int, Instance]:
    """Draw a family that grows and its size, or a small instance of a problem."""
    least, most = (4.5, 7) if large else (1, 4.5)
    family, n = rng.choice(families), round(10 ** rng.uniform(least, most))
    if family in MADE:
        n = min(n, most_items(family))
        return family, n, MADE[family](n)
    of, parameters = rng.choice(DRAWS[family])
    made = atleastk.generate(family, of, rng.randrange(10**6), **parameters)
    return f"{family}, {of}", getattr(made, "n", 0), made


def timed(runs: int, seed: int, only: str, most_workers: int) -> Iterator[Pair]:
    rng = random.Random(seed)
    growing, small = (
        [each for each in named if only in each] for named in (MADE, DRAWS)
    )
    families = [*growing, *small]
    for _ in range(runs):
        large = bool(growing) and rng.random() < LARGE
        family, n, instance = drawn(rng, growing if large else families, large)
        limit = round(10 ** rng.uniform(-1, 0.5) * (10 if large else 1), 2)
        proof: dict[str, Any] = rng.choice([{}, {}, {"certify": True}, {"agree": True}])
        options = {**proof, "workers": rng.randint(1, most_workers)}
        words = " ".join(f"{name}={value}" for name, value in options.items())
        shorter, longer = (
            Timed(family, n, words, seconds, **run(instance, seconds, options))
            for seconds in (limit, round(LONGER * limit, 2))
        )
        yield shorter, longer


def run(instance: Instance, limit: float, options: dict[str, Any]) -> dict[str, Any]:
    """Return the seconds of a run, those until its first answer, and its ends."""
    started = CLOCK.now()
    found = solved(instance, limit, **options)
    closed = found.pop("status") in ("OPTIMAL", "INFEASIBLE")
    return {**found, "closed": closed, "seconds": CLOCK.now() - started}


def report(pairs: Sequence[Pair], clock: str) -> Iterator[str]:
    runs = [run for pair in pairs for run in pair]
    over = sorted(run.over for run in runs)
    firsts = sorted(run.first for run in runs if run.first is not None)
    worse = [longer for shorter, longer in pairs if is_behind((shorter, longer))]
    large = sum(shorter.n > 10**4.5 for shorter, _ in pairs)
    yield "# How time limits are used, and by how much they are missed"
    yield ""
    yield (
        f"{len(pairs)} random instances of all problems with limits of 0.1 to 3.2 "
        f"seconds, ten times that for {large} of 30,000 to ten million items, and "
        f"{LONGER} times as much, in seconds of {clock}. Made by "
        "`scripts/benchmarks/overshoot.py`."
    )
    yield ""
    held = sum(run.held for run in runs)
    early = sum(run.early for run in runs)
    waiting = sum(run.waits for run in runs)
    in_time = f"{Timed.RESERVE} s + {SHARE:.0%} of their limit"
    yield f"- {held} of {len(runs)} end within {in_time}."
    yield f"- {early} with an open gap end before {1 - SHARE:.0%} of their limit."
    a_while = f"{FIRST:g} s, and another for each million items"
    yield f"- {waiting} have no answer after {a_while}."
    yield f"- {len(worse)} of {len(pairs)} are worse with more time."
    yield ""
    shares = (0.5, 0.9, 0.95, 0.99, 1.0)
    yield from markdown_table(
        ["", *(f"{share:.0%}>" for share in shares)],
        [
            [name, *(f"{at(values, share):.2f} s" for share in shares)]
            for name, values in (("over the limit", over), ("first answer", firsts))
        ],
    )
    yield ""
    yield "The ten that missed theirs by most, and all that broke another promise:"
    yield ""
    worst = sorted(runs, key=lambda run: run.over, reverse=True)[:10]
    faulty = [run for run in runs if run.early or run.waits]
    told = {id(run): run for run in (*worst, *faulty, *worse)}
    heads = ["family", "n>", "options", "limit>", "seconds>", "first>", "cost>"]
    yield from markdown_table(
        [*heads, "bound>", "what"],
        ([*cells(run), what(run, worse)] for run in told.values()),
    )


def at(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of sorted ones are."""
    return values[min(len(values) - 1, int(share * len(values)))]


def cells(run: Timed) -> list[object]:
    first = "" if run.first is None else f"{run.first:.2f}"
    ends = run.limit, f"{run.seconds:.2f}", first, run.cost, run.bound
    return [run.family, run.n, run.options, *ends]


def what(run: Timed, worse: Sequence[Timed]) -> str:
    """Return which promises a run broke."""
    late = f"{run.over:.2f} s over"
    broken = (
        (run.over > 0, late if run.held else f"**{late}**"),
        (run.early, "**ended early**"),
        (run.waits, "**first answer late**"),
        (any(run is each for each in worse), "**worse with more time**"),
    )
    return ", ".join(words for holds, words in broken if holds)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--cpu-clock", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    for family, make in MADE.items():
        if chosen.only in family:
            atleastk.solve(make(SIZES[0]), workers=2)
    if chosen.cpu_clock:
        CLOCK.source = time.process_time
    pairs = []
    most_workers = 1 if chosen.cpu_clock else 2
    for pair in timed(chosen.runs, chosen.seed, chosen.only, most_workers):
        pairs.append(pair)
        worse = pair[1:] if is_behind(pair) else ()
        for run in pair:
            print(f"[{len(pairs)}]", *cells(run), what(run, worse), flush=True)
    clock = "the process" if chosen.cpu_clock else "the wall"
    text = "\n".join(report(pairs, clock)) + "\n"
    (chosen.out / "overshoot.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
