"""Overshoot: by how much runs of the automatic choice miss their time limits.

Random families, sizes, limits and options in one process that is warm: what is imported
or compiled for the first time is not counted. Writes ``docs/benchmarks/overshoot.md``.

    python -m scripts.benchmarks.overshoot [--runs 500] [--seed 0]

Whole commands, from reading to writing, are those of `scripts.benchmarks.growth`.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import atleastk
from atleastk.research.studies.markdown import markdown_table
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


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
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
    (chosen.out / "overshoot.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
