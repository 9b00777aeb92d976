"""Sweep the package with random instances, and print what is wrong.

    python -m scripts.sweeps [--problem P] [--runs N] [--seed S] [--minutes M]
    python -m scripts.sweeps --replay FILE...

Of every sort of failure the first is shrunk, printed as one JSON line and stored as a
file, which ``--replay`` runs again; a table by problem ends the output. The exit code
is 1 if there was a failure, or no run. The same seed makes the same runs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from atleastk.instances.shrinking import shrunk
from scripts.sweeps.instances import PROBLEMS, draw, draw_larger
from scripts.sweeps.report import Tally, failure_line
from scripts.sweeps.runs import (
    Kind,
    Outcome,
    Run,
    outcome_of,
    plainer,
    runs_on,
    runs_on_larger,
)

STORE = Path(__file__).parents[2] / "tests" / "regressions"
"""Where failures are stored; a test runs all of them again."""

_TOLD_EVERY = 1000
_LARGER = 50
"""Every so many instances one is too large to be enumerated."""
_SHRINKING = 60.0
"""Seconds for making one failure smaller; one that waits for a limit is slow."""

Document = dict[str, Any]


def attack(
    problems: Sequence[str], most_runs: int, seed: int = 0, minutes: float = math.inf
) -> Iterator[tuple[Document, Run, Outcome]]:
    """Give runs and how they ended, problem after problem, until there are enough."""
    end = monotonic() + 60.0 * minutes
    count, number = 0, 0
    while True:
        for problem in problems:
            rng = random.Random(f"{seed} {problem} {number}")
            larger = number % _LARGER == _LARGER - 1
            document = (draw_larger if larger else draw)(problem, rng)
            for run in (runs_on_larger if larger else runs_on)(document, rng):
                if count >= most_runs or monotonic() > end:
                    return
                count += 1
                outcome = outcome_of(document, run)
                yield document, run, outcome
                if outcome.kind is Kind.REFUSED and run == {"call": "solve"}:
                    break  # the instance is refused, and so are all other runs
        number += 1


def shrunk_failure(
    document: Document, run: Run, first: str, seconds: float = _SHRINKING
) -> str:
    """Return the line of a failure, its instance and run made small for a while."""
    wanted, end = sort_of(first), monotonic() + seconds

    def fails(candidate: Document, way: Run) -> bool:
        if monotonic() > end:
            return False
        try:
            outcome = outcome_of(candidate, way)
            return outcome.kind is Kind.FAILED and sort_of(outcome.message) == wanted
        except (LookupError, TypeError, ValueError):  # no instance for the judge
            return False

    document = shrunk(document, lambda candidate: fails(candidate, run))
    while simple := next((r for r in plainer(run) if fails(document, r)), None):
        run = simple
    document = shrunk(document, lambda candidate: fails(candidate, run))
    return failure_line(document, run, outcome_of(document, run).message, first)


def sort_of(message: str) -> tuple[str, ...]:
    """Return the words that a failure begins with: those alike are of one sort."""
    return tuple(re.findall("[A-Za-z_]+", message)[:4])


def store_failure(line: str, folder: Path) -> Path:
    """Store the line of a failure as a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    problem = json.loads(line)["instance"]["problem"]
    name = f"{problem}-{hashlib.sha256(line.encode()).hexdigest()[:8]}.json"
    (folder / name).write_text(f"{line}\n")
    return folder / name


def replay(paths: Sequence[Path]) -> int:
    failed = 0
    for path in paths:
        for line in path.read_text().splitlines():
            if not line.startswith("{"):
                continue
            case = json.loads(line)
            outcome = outcome_of(case["instance"], case["run"])
            failed |= outcome.kind is Kind.FAILED
            print(f"{outcome.kind}: {outcome.message}"[:1000], flush=True)
    return int(failed)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.sweeps", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--problem", choices=PROBLEMS, help="default: all in turn")
    parser.add_argument("--minutes", type=float, default=math.inf, help="at most")
    parser.add_argument(
        "--store",
        type=Path,
        default=STORE,
        metavar="FOLDER",
        help="where failures are stored (default: tests/regressions)",
    )
    parser.add_argument("--replay", type=Path, nargs="+", metavar="FILE")
    chosen = parser.parse_args(arguments)
    if chosen.replay is not None:
        return replay(chosen.replay)
    problems = PROBLEMS if chosen.problem is None else (chosen.problem,)
    tally, known = Tally(), set[tuple[str, ...]]()
    for document, run, outcome in attack(
        problems, chosen.runs, chosen.seed, chosen.minutes
    ):
        tally.add(document["problem"], outcome.kind)
        sort = document["problem"], run["call"], *sort_of(outcome.message)
        if outcome.kind is Kind.FAILED and sort not in known:
            known.add(sort)
            line = shrunk_failure(document, run, outcome.message)
            print(f"{line}\nstored in {store_failure(line, chosen.store)}", flush=True)
        if sys.stderr.isatty():
            print(f"\r{tally.line()} ", end="", file=sys.stderr, flush=True)
        elif tally.runs % _TOLD_EVERY == 0:
            print(tally.line(), file=sys.stderr, flush=True)
    print(tally.table(), flush=True)
    return tally.code


if __name__ == "__main__":
    sys.exit(main())
