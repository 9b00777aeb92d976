"""Overshoot: how the automatic choice uses its time, and by how much limits are missed.

Random families, sizes, limits and options in one process that is warm: what is imported
or compiled for the first time is not counted. Every instance is solved again with more
time. Four things have to hold: a run ends in time; one with an open gap does not end
before; the first answer comes within a second; more time is not worse. Writes
``docs/benchmarks/overshoot.md``.

    python -m scripts.benchmarks.overshoot [--runs 500] [--seed 0] [--only WORD]
        [--cpu-clock]

With ``--cpu-clock`` a second is one of the process, and there is one worker. With
``--commands`` whole commands on a million items instead, from reading to writing,
each in a process of its own with one worker, on a clock of CPU time: so other work on
the machine does not count. They are the last section of the page.

    python -m scripts.benchmarks.overshoot --commands [--limits 5 20] [--items 1000000]
        [--folder DIR]
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np

import atleastk
from atleastk import Instance, Status
from atleastk.instances.files import files
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs.registry import family_named, problem_named
from atleastk.solvers.clock import CLOCK
from scripts.benchmarks.measured import OUT
from scripts.benchmarks.never_worse import MADE, SIZES
from scripts.benchmarks.versus import DRAWS

SHARE: Final = 0.05
RESERVE: Final = 0.5
"""A run may take its limit, this share of it, and these seconds more."""


FIRST: Final = 1.0
"""The first answer comes within so many seconds, if the limit allows."""

LONGER: Final = 3
"""The time of the second run on an instance, in limits of the first."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A run, its limit in seconds and what it took."""

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
    def over(self) -> float:
        """The seconds beyond the limit; 0 for a run that ended in time."""
        return max(0.0, self.seconds - self.limit)

    @property
    def held(self) -> bool:
        """Whether the limit counts as kept."""
        return self.over <= RESERVE + SHARE * self.limit

    @property
    def early(self) -> bool:
        """Whether it ended with time left and an open gap."""
        return not self.closed and self.seconds < (1 - SHARE) * self.limit

    @property
    def waits(self) -> bool:
        """Whether the first answer was late, or never came in a run of that time."""
        first = self.seconds if self.first is None else self.first
        return first > FIRST and not (self.closed and self.cost is None)


Pair = tuple[Timed, Timed]
"""A run, and one with more time."""


def is_behind(pair: Pair) -> bool:
    """Tell whether a run with more time ended worse."""
    shorter, longer = pair
    if shorter.cost is None:
        return False
    return longer.cost is None or longer.cost > shorter.cost


def drawn(rng: random.Random, families: Sequence[str]) -> tuple[str, int, Instance]:
    """Draw a family that grows and its size, or a small instance of a problem."""
    family, n = rng.choice(families), round(10 ** rng.uniform(1, 4.5))
    if family in MADE:
        return family, n, MADE[family](n)
    of, parameters = rng.choice(DRAWS[family])
    made: Instance = family_named(problem_named(family), of).make(
        rng.randrange(10**6), **parameters
    )
    return f"{family}, {of}", getattr(made, "n", 0), made


def timed(runs: int, seed: int, only: str, most_workers: int) -> Iterator[Pair]:
    rng = random.Random(seed)
    families = [each for each in (*MADE, *DRAWS) if only in each]
    for _ in range(runs):
        family, n, instance = drawn(rng, families)
        limit = round(10 ** rng.uniform(-1, 0.5), 2)
        proof: dict[str, Any] = rng.choice([{}, {}, {"certify": True}, {"agree": True}])
        options = {**proof, "workers": rng.randint(1, most_workers)}
        words = " ".join(f"{name}={value}" for name, value in options.items())
        shorter, longer = (
            Timed(family, n, words, seconds, *solved(instance, seconds, options))
            for seconds in (limit, round(LONGER * limit, 2))
        )
        yield shorter, longer


def solved(
    instance: Instance, limit: float, options: dict[str, Any]
) -> tuple[float, float | None, int | None, int | None, bool]:
    """Return the seconds of a run, those until its first answer, and its ends."""
    started = CLOCK.now()
    found = atleastk.solve(instance, limit, **options)
    seconds = CLOCK.now() - started
    first = next((e.seconds for e in found.events if e.cost is not None), None)
    closed = found.status in (Status.OPTIMAL, Status.INFEASIBLE)
    return seconds, first, found.cost, found.bound, closed


def report(pairs: Sequence[Pair], clock: str) -> Iterator[str]:
    runs = [run for pair in pairs for run in pair]
    over = sorted(run.over for run in runs)
    firsts = sorted(run.first for run in runs if run.first is not None)
    worse = [longer for shorter, longer in pairs if is_behind((shorter, longer))]
    yield "# How time limits are used, and by how much they are missed"
    yield ""
    yield (
        f"{len(pairs)} random instances of all problems with limits of 0.1 to 3.2 "
        f"seconds, and {LONGER} times as much, in seconds of {clock}. Made by "
        "`scripts/benchmarks/overshoot.py`."
    )
    yield ""
    held = sum(run.held for run in runs)
    early = sum(run.early for run in runs)
    waiting = sum(run.waits for run in runs)
    in_time = f"{RESERVE} s + {SHARE:.0%} of their limit"
    yield f"- {held} of {len(runs)} end within {in_time}."
    yield f"- {early} with an open gap end before {1 - SHARE:.0%} of their limit."
    yield f"- {waiting} have no answer after {FIRST:g} s."
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


COMMANDS: Final = "## Commands on a million items"
"""The last section of the page."""

SECONDS: Final = 2.0
"""A command on a million items may take its limit, `SHARE` of it, and these seconds."""

_TOO_WIDE: Final = "table of 64 columns, k = 2"
"""A family of which a million items are more than files may hold."""

_CHILD: Final = """
import os, resource, sys, time
from atleastk.solvers.clock import CLOCK
CLOCK.source = time.process_time
from atleastk.cli.main import main
def leave(code):
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    taken = time.process_time() - CLOCK.stood
    print(code, taken, most, file=sys.stderr, flush=True)
    end(code)
end, os._exit = os._exit, leave
leave(main(sys.argv[1:]) or 0)
"""
"""Runs a command on a clock of CPU time; tells its code, seconds and megabytes last."""


def _table_of(n: int, near: bool) -> str:
    """Return a table in CSV; with `near` nearly all rows are different."""
    rng = np.random.default_rng(1)
    most = (78, 5_000, 2, 100, 16, 50) if near else (40, 30, 2, 12, 8, 5)
    columns = [rng.integers(0, values, n).tolist() for values in most]
    lines = (",".join(map(str, row)) for row in zip(*columns, strict=True))
    return "\n".join(["age,zip,sex,job,edu,born", *lines, ""])


def commands(n: int, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield a name and the words of every command; files that are missing are made."""
    for family, make in MADE.items():
        if family == _TOO_WIDE:
            continue
        path = folder / f"{re.sub(r'[^a-z0-9]+', '-', family.lower())}-{n}.json"
        if not path.is_file():
            files.write(path, make(n).to_dict())
        yield f"solve: {family}", ["solve", str(path)]
    wishes = {
        "suppression": [],
        "levels": ["--hierarchies", "auto", "--suppress-rows", "1%"],
        "entries": ["--hierarchies", "auto", "--on", "entries"],
    }
    for near in (True, False):
        path = folder / f"{'near' if near else 'few'}-{n}.csv"
        if not path.is_file():
            path.write_text(_table_of(n, near))
        kind = "nearly all rows differ" if near else "few rows differ"
        for wish, words in wishes.items():
            yield f"anonymize: {wish}, {kind}", ["anonymize", str(path), "-k5", *words]


def late(n: int, limits: Sequence[float], folder: Path) -> Iterator[list[str]]:
    """Run every command with every limit; yield the cells of its row."""
    for (name, words), limit in product(commands(n, folder), limits):
        out = folder / f"out{'.csv' if words[0] == 'anonymize' else '.json'}"
        asked = [*words, "--time-limit", f"{limit:g}", "--workers", "1", "-o", str(out)]
        made = subprocess.run(
            [sys.executable, "-c", _CHILD, *asked],
            capture_output=True,
            text=True,
            check=False,
        )
        code, taken, most = made.stderr.split()[-3:]
        over = float(taken) - limit
        held = "yes" if over <= SHARE * limit + SECONDS else "**no**"
        cells = [name, f"{limit:g}", f"{float(taken):.1f}", f"{max(0.0, over):.1f}"]
        print(*cells, code, most, held, flush=True)
        yield [*cells, most, code, held]


def report_of_commands(n: int, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    held = sum(row[-1] == "yes" for row in rows)
    yield COMMANDS
    yield ""
    yield (
        f"{len(rows)} commands on {n:,} items, from reading to writing, one worker, in "
        f"seconds of CPU time; {held} end within {SECONDS:g} s + {SHARE:.0%} of their "
        "limit. Loading solvers and compiling loops count against none. Made by "
        "`scripts/benchmarks/overshoot.py --commands`."
    )
    yield ""
    heads = ["command", "limit>", "seconds>", "over>", "MB>", "code>", "held"]
    yield from markdown_table(heads, rows)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--cpu-clock", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--commands", action="store_true")
    parser.add_argument("--limits", type=float, nargs="+", default=[5.0, 20.0])
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path("build/overshoot"))
    chosen = parser.parse_args(arguments)
    page = chosen.out / "overshoot.md"
    before, mark, after = page.read_text(encoding="utf-8").partition(COMMANDS)
    if chosen.commands:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        rows = list(late(chosen.items, chosen.limits, chosen.folder))
        text = "\n".join(report_of_commands(chosen.items, rows))
        page.write_text(f"{before.rstrip()}\n\n{text}\n", encoding="utf-8")
        return
    for make in MADE.values():
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
    kept = f"\n{mark}{after}" if mark else ""
    page.write_text(text + kept, encoding="utf-8")


if __name__ == "__main__":
    main()
