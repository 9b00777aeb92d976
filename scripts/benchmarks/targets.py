"""Targets: instances that are to be proved, or closed up to a gap, within a time.

What the scripts that check targets share: every instance is solved by the automatic
choice of methods, in a process of its own; see trials.py.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from atleastk.solving import AUTO
from atleastk.studies.markdown import markdown_table
from scripts.benchmarks.cases import Case
from scripts.benchmarks.trials import (
    FAILED,
    Log,
    Run,
    Trial,
    run_all,
    software,
    summary,
    troubles,
)

OUT = Path(__file__).parents[2] / "docs/benchmarks"


@dataclass(frozen=True, slots=True)
class Target:
    """An instance, and the gap that is to be proved within its time; 0 for a proof.

    Its time is that of all targets unless it has one of its own.
    """

    case: Case
    gap: float = 0.0
    seconds: float | None = None

    def met(self, run: Run) -> bool:
        """Tell whether a run meets it."""
        return run.gap <= self.gap if self.gap else run.proven


def add_arguments(parser: argparse.ArgumentParser, example: str) -> None:
    """Add what all scripts that check targets take."""
    add = parser.add_argument
    add("--seeds", type=int, default=3, help="random instances of each size")
    add("--time-limit", type=float, default=60.0, help="of every instance")
    add("--workers", type=int, default=2, dest="cores")
    add(
        "--only",
        type=re.compile,
        default=re.compile(""),
        metavar="PATTERN",
        help=f'regular expression in "family size seed=s", such as "{example}"',
    )
    add("--out", type=Path, default=OUT)


def check_targets(
    targets: Sequence[Target], chosen: argparse.Namespace, log: str, title: str
) -> None:
    """Run what the log does not hold, write and print the report.

    Raises
    ------
    SystemExit
        Unless every target is met.
    """
    asked = [target for target in targets if chosen.only.search(str(target.case))]
    if not asked:
        message = f"--only: nothing matches {chosen.only.pattern!r}"
        raise SystemExit(message)
    trials = [
        Trial(
            target.case,
            AUTO,
            chosen.cores,
            chosen.cores,
            chosen.time_limit if target.seconds is None else target.seconds,
        )
        for target in asked
    ]
    runs = run_all(trials, Log(chosen.out / f"{log}.jsonl"))
    report = "\n".join(report_lines(title, asked, runs)) + "\n"
    (chosen.out / f"targets_{log}.md").write_text(report, encoding="utf-8")
    print(report)
    if not all(held(asked, runs)):
        message = f"not every target is met: {summary(runs, held(asked, runs))}"
        raise SystemExit(message)


def held(targets: Sequence[Target], runs: Sequence[Run]) -> list[bool]:
    """Tell which targets are met."""
    return [target.met(run) for target, run in zip(targets, runs, strict=True)]


def report_lines(
    title: str, targets: Sequence[Target], runs: Sequence[Run]
) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"# {title}: targets"
    yield ""
    yield f"The automatic choice of methods on {runs[0].cores} cores."
    yield ""
    yield from software(runs)
    yield ""
    yield from markdown_table(
        [
            *("family", "size>", "seed>", "status", "cost>", "bound>", "gap>"),
            *("target>", "limit>", "seconds>", "CPU>", "MB>"),
            *("found by", "proved by", "met"),
        ],
        map(_row, targets, runs),
    )
    yield from troubles(runs)
    yield ""
    yield f"**{summary(runs, held(targets, runs))}**"


def _row(target: Target, run: Run) -> Sequence[object]:
    told = run.status != FAILED
    return [
        run.family,
        run.size.removeprefix("k="),
        run.seed,
        run.status,
        "" if run.cost is None else run.cost,
        "" if run.bound is None else run.bound,
        f"{run.gap:.2%}" if run.gap else "0",
        f"{target.gap:.1%}" if target.gap else "proof",
        f"{run.time_limit:g}",
        f"{run.seconds:.1f}" if told else "",
        f"{run.cpu_seconds:.1f}" if told else "",
        f"{run.peak_mb:.0f}" if told else "",
        run.found_by or "",
        run.proved_by or "",
        "yes" if target.met(run) else "**no**",
    ]
