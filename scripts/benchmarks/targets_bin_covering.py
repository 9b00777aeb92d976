"""Check the targets of min-max bin covering: proven optima within a minute, two cores.

    python -m scripts.benchmarks.targets_bin_covering [--time-limit S] [--seeds N]
        [--workers N] [--only PATTERN] [--out DIR]

Solves every instance of the target families and sizes by the automatic choice of
methods, each in a process of its own; see trials.py and cases_bin_covering.py. Writes
into DIR

- targets_bin_covering.jsonl: a line per run. Runs that it holds are not repeated;
- targets_bin_covering.md: status, cost, bound, and who proved it, by instance.

The exit code is 0 if every target is met, else 1. The targets of Figure 7 are met by
scripts/figures/figure7.py.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from atleastk.solving import AUTO
from atleastk.studies.markdown import markdown_table
from scripts.benchmarks.cases_bin_covering import cases
from scripts.benchmarks.trials import (
    FAILED,
    Log,
    Run,
    Trial,
    run_all,
    software,
    troubles,
)

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "targets_bin_covering"
TARGETS: Mapping[str, Sequence[int]] = {
    "uniform-1e2": (100, 300, 600, 1000),
    "uniform-1e4": (30, 45, 150),
    "uniform-1e6": (24, 45),
    "three-partition-yes": (999,),
    "three-partition-yes-100": (999,),
    "three-partition-no": (15, 30, 45, 60, 75, 90),
    "five-sizes": (1000,),
    "uniform-1e12": (
        1_000_000_000_000,
        1_500_000_000_000,
        2_500_000_000_000,
        4_000_000_000_000,
    ),
}
"""Families and sizes, all to be proved; their k is told in cases_bin_covering.py."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    chosen = _parser().parse_args(arguments)
    trials = [
        Trial(case, AUTO, chosen.cores, chosen.cores, chosen.time_limit)
        for case in cases(TARGETS, chosen.seeds)
        if chosen.only.search(str(case))
    ]
    if not trials:
        message = f"--only: nothing matches {chosen.only.pattern!r}"
        raise SystemExit(message)
    runs = run_all(trials, Log(chosen.out / f"{NAME}.jsonl"))
    report = "\n".join(report_lines(runs)) + "\n"
    (chosen.out / f"{NAME}.md").write_text(report, encoding="utf-8")
    print(report)
    print(f"written to {chosen.out}: {NAME}.md")
    if not all(run.proven for run in runs):
        message = f"not every target is met: {summary(runs)}"
        raise SystemExit(message)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--time-limit", type=float, default=60.0, help="of each run")
    parser.add_argument("--seeds", type=int, default=3, help="instances of each size")
    parser.add_argument("--workers", type=int, default=2, dest="cores")
    parser.add_argument(
        "--only",
        type=re.compile,
        default=re.compile(""),
        metavar="PATTERN",
        help='regular expression in "family size seed=s", such as "1e4 n=30 "',
    )
    parser.add_argument("--out", type=Path, default=OUT)
    return parser


def report_lines(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# Min-max bin covering: targets"
    yield ""
    yield f"Proven optima within {runs[0].time_limit:g} s on {runs[0].cores} cores."
    yield ""
    yield from software(runs)
    yield ""
    yield from markdown_table(
        [
            "family",
            "size",
            "seed>",
            "status",
            "trust",
            "cost>",
            "bound>",
            "gap>",
            "seconds>",
            "CPU s>",
            "cost found by",
            "bound proved by",
            "met",
        ],
        map(_row, runs),
    )
    yield from troubles(runs)
    yield ""
    yield f"**{summary(runs)}**"


def _row(run: Run) -> Sequence[object]:
    told = run.status != FAILED
    return [
        run.family,
        run.size,
        run.seed,
        run.status,
        run.trust or "",
        "" if run.cost is None else run.cost,
        "" if run.bound is None else run.bound,
        f"{run.gap:.4%}" if run.gap else "0",
        f"{run.seconds:.2f}" if told else "",
        f"{run.cpu_seconds:.2f}" if told else "",
        run.found_by or "",
        run.proved_by or "",
        "yes" if run.proven else "**no**",
    ]


def summary(runs: Sequence[Run]) -> str:
    """Return the last line: how many targets are met, the slowest, the open ones."""
    met = [run for run in runs if run.proven]
    text = f"{len(met)} of {len(runs)} proved"
    if met:
        slowest = max(met, key=lambda run: run.seconds)
        place = f"{slowest.family} {slowest.size} seed={slowest.seed}"
        text += f", the slowest in {slowest.seconds:.2f} s ({place})"
    missed = [f"{r.family} {r.size} seed={r.seed}" for r in runs if not r.proven]
    return f"{text}; open: {', '.join(missed)}" if missed else text


if __name__ == "__main__":
    main()
