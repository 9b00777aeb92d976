"""Check the targets of generalisation: proven optima, and proven gaps on entries.

    python scripts/targets_generalization.py [--adult FILE] [--seeds N]
                                             [--time-limit S] [--workers N]
                                             [--only PATTERN] [--out DIR]

Solves every table by the automatic choice of methods, each in a process of its own; see
trials.py and cases_generalization.py. On attributes, all of Adult is to be proved for
every loss; on entries, samples of 1,000 rows are to be closed up to a gap, and small
random tables proved. Without a file, Adult is the shipped sample. Writes into DIR

- generalization.jsonl: a line per run. Runs that it holds are not repeated;
- targets_generalization.md: status, loss, bound and gap by table.

The exit code is 0 if every target is met, else 1.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cases import Case
from cases_generalization import adult_rows, drawn, sampled, whole
from trials import (
    FAILED,
    Log,
    Run,
    Trial,
    markdown_table,
    run_all,
    software,
    summary,
    troubles,
)

from atleastk.instances.generalization import LOSSES
from atleastk.solving import AUTO

OUT = Path(__file__).parent.parent / "docs/benchmarks"
NAME = "targets_generalization"
KS = (2, 5, 10, 50, 100)
ENTRIES = {2: 0.02, 5: 0.1, 10: 0.12}
"""The gaps that are to be proved on entries, by k."""


@dataclass(frozen=True, slots=True)
class Target:
    """A table, and the gap that is to be proved within its time."""

    case: Case
    gap: float

    def met(self, run: Run) -> bool:
        """Tell whether a run meets it."""
        return run.gap <= self.gap if self.gap else run.proven


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    chosen = _parser().parse_args(arguments)
    targets = [t for t in every(chosen) if chosen.only.search(str(t.case))]
    if not targets:
        message = f"--only: nothing matches {chosen.only.pattern!r}"
        raise SystemExit(message)
    trials = [
        Trial(target.case, AUTO, chosen.cores, chosen.cores, chosen.time_limit)
        for target in targets
    ]
    runs = run_all(trials, Log(chosen.out / "generalization.jsonl"))
    report = "\n".join(report_lines(targets, runs)) + "\n"
    (chosen.out / f"{NAME}.md").write_text(report, encoding="utf-8")
    print(report)
    if not all(held(targets, runs)):
        message = f"not every target is met: {summary(runs, held(targets, runs))}"
        raise SystemExit(message)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--adult", type=Path, metavar="FILE", help="Adult, as cases_k_anonymity says")
    add("--seeds", type=int, default=3, help="random tables and samples of each size")
    add("--time-limit", type=float, default=60.0, help="of every table")
    add("--workers", type=int, default=2, dest="cores")
    add(
        "--only",
        type=re.compile,
        default=re.compile(""),
        metavar="PATTERN",
        help='regular expression in "family k=K seed=s", such as "attributes"',
    )
    add("--out", type=Path, default=OUT)
    return parser


def every(chosen: argparse.Namespace) -> Iterator[Target]:
    """Yield the targets."""
    rows = adult_rows(chosen.adult)
    for case in whole(rows, LOSSES, KS):
        yield Target(case, 0.0)
    for case in drawn(chosen.seeds):
        yield Target(case, 0.0)
    for loss in LOSSES[:2]:
        for k, gap in ENTRIES.items():
            for case in sampled(rows, min(1000, len(rows)), loss, k, chosen.seeds):
                yield Target(case, gap)


def report_lines(targets: Sequence[Target], runs: Sequence[Run]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# Generalisation: targets"
    yield ""
    yield f"The automatic choice of methods on {runs[0].cores} cores."
    yield ""
    yield from software(runs)
    yield ""
    yield from markdown_table(
        [
            *("table", "k>", "seed>", "status", "loss>", "bound>", "gap>", "target>"),
            *("limit>", "seconds>", "CPU>", "MB>"),
            *("found by", "proved by", "met"),
        ],
        map(_row, targets, runs),
    )
    yield from troubles(runs)
    yield ""
    yield f"**{summary(runs, held(targets, runs))}**"


def held(targets: Sequence[Target], runs: Sequence[Run]) -> list[bool]:
    """Tell which targets are met."""
    return [target.met(run) for target, run in zip(targets, runs, strict=True)]


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


if __name__ == "__main__":
    main()
