"""Overshoot: by how much runs of the automatic choice miss their time limits.

Random families, sizes, limits and options in one process that is warm: what is imported
or compiled for the first time is not counted. Writes ``docs/benchmarks/overshoot.md``.

    python -m scripts.benchmarks.overshoot [--runs 500] [--seed 0]

With ``--commands`` whole commands on a million items instead, from reading to writing,
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
from atleastk.instances.files import files
from atleastk.research.tables.markdown import markdown_table
from scripts.benchmarks.measured import OUT
from scripts.benchmarks.never_worse import MADE, SIZES

SHARE: Final = 0.05
RESERVE: Final = 0.5
"""A run may take its limit, this share of it, and these seconds more."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A run, its limit in seconds and what it took."""

    family: str
    n: int
    options: str
    limit: float
    seconds: float

    @property
    def over(self) -> float:
        """The seconds beyond the limit; 0 for a run that ended in time."""
        return max(0.0, self.seconds - self.limit)

    @property
    def held(self) -> bool:
        """Whether the limit counts as kept."""
        return self.over <= RESERVE + SHARE * self.limit


def drawn(rng: random.Random) -> tuple[str, int, float, dict[str, Any]]:
    family = rng.choice(list(MADE))
    n = round(10 ** rng.uniform(1, 4.5))
    limit = round(10 ** rng.uniform(-1, 0.5), 2)
    options = rng.choice([{}, {}, {"certify": True}, {"agree": True}])
    return family, n, limit, {**options, "workers": rng.choice([1, 2])}


def timed(runs: int, seed: int) -> Iterator[Timed]:
    rng = random.Random(seed)
    for _ in range(runs):
        family, n, limit, options = drawn(rng)
        instance = MADE[family](n)
        started = time.perf_counter()
        atleastk.solve(instance, limit, seed=rng.randrange(100), **options)
        seconds = time.perf_counter() - started
        words = " ".join(f"{name}={value}" for name, value in options.items())
        yield Timed(family, n, words, limit, seconds)


def report(runs: Sequence[Timed]) -> Iterator[str]:
    over = sorted(run.over for run in runs)
    held = sum(run.held for run in runs)
    yield "# By how much time limits are missed"
    yield ""
    yield (
        f"{len(runs)} random runs of the automatic choice with limits of 0.1 to 3.2 "
        f"seconds; {held} end within {RESERVE} s + {SHARE:.0%} of their limit. Made by "
        "`scripts/benchmarks/overshoot.py`."
    )
    yield ""
    shares = (0.5, 0.9, 0.95, 0.99, 1.0)
    at = [over[min(len(over) - 1, int(share * len(over)))] for share in shares]
    yield from markdown_table(
        [f"{share:.0%}>" for share in shares], [[f"{seconds:.2f} s" for seconds in at]]
    )
    yield ""
    yield "The ten that missed theirs by most:"
    yield ""
    worst = sorted(runs, key=lambda run: run.over, reverse=True)[:10]
    yield from markdown_table(
        ["family", "n>", "options", "limit>", "seconds>", "over>"],
        (
            (
                run.family,
                run.n,
                run.options,
                run.limit,
                f"{run.seconds:.2f}",
                f"{run.over:.2f}",
            )
            for run in worst
        ),
    )


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
    runs = []
    for run in timed(chosen.runs, chosen.seed):
        runs.append(run)
        mark = "" if run.held else "  MISSED"
        print(
            f"[{len(runs)}] {run.family} n={run.n} {run.options} "
            f"{run.limit} s: {run.seconds:.2f} s{mark}",
            flush=True,
        )
    text = "\n".join(report(runs)) + "\n"
    kept = f"\n{mark}{after}" if mark else ""
    page.write_text(text + kept, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
