"""Check the targets of k-anonymity: proven optima, and proven gaps at full size.

    python scripts/targets_k_anonymity.py [--adult FILE] [--census FILE] [--seeds N]
                                          [--time-limit S] [--long S] [--workers N]
                                          [--only PATTERN] [--out DIR]

Solves every table by the automatic choice of methods, each in a process of its own; see
trials.py and cases_k_anonymity.py. Tables to be proved get ``--time-limit``, those that
are to be closed up to a gap ``--long``. Tables from files are left out if the file is
not given. Writes into DIR

- k_anonymity.jsonl: a line per run. Runs that it holds, by this script or by
  peers_k_anonymity.py, are not repeated;
- targets_k_anonymity.md: status, cost, bound and gap by table.

The exit code is 0 if every target is met, else 1.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cases import Case
from cases_k_anonymity import FIVE, FOUR, nursery, read_rows, sampled, uniform, whole
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

from atleastk.solving import AUTO

OUT = Path(__file__).parent.parent / "docs/benchmarks"
NAME = "targets_k_anonymity"
KS = (2, 5, 10, 25, 50, 128)


@dataclass(frozen=True, slots=True)
class Target:
    """A table, and the gap that is to be proved within its time."""

    case: Case
    gap: float

    @property
    def long(self) -> bool:
        """Whether an optimum is not asked for."""
        return self.gap > 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    chosen = _parser().parse_args(arguments)
    targets = [t for t in every(chosen) if chosen.only.search(str(t.case))]
    if not targets:
        message = f"--only: nothing matches {chosen.only.pattern!r}"
        raise SystemExit(message)
    trials = [
        Trial(
            target.case,
            AUTO,
            chosen.cores,
            chosen.cores,
            chosen.long if target.long else chosen.time_limit,
        )
        for target in targets
    ]
    runs = run_all(trials, Log(chosen.out / "k_anonymity.jsonl"))
    report = "\n".join(report_lines(targets, runs)) + "\n"
    (chosen.out / f"{NAME}.md").write_text(report, encoding="utf-8")
    print(report)
    if not all(met(target, run) for target, run in zip(targets, runs, strict=True)):
        message = (
            f"not every target is met: {summary(runs, list(map(met, targets, runs)))}"
        )
        raise SystemExit(message)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--adult", type=Path, metavar="FILE", help="Adult, as cases_k_anonymity says")
    add("--census", type=Path, metavar="FILE", help="Census-income, likewise")
    add("--seeds", type=int, default=3, help="random tables and samples of each size")
    add("--time-limit", type=float, default=60.0, help="of tables to be proved")
    add("--long", type=float, default=600.0, help="of tables to be closed up to a gap")
    add("--workers", type=int, default=2, dest="cores")
    add(
        "--only",
        type=re.compile,
        default=re.compile(""),
        metavar="PATTERN",
        help='regular expression in "family k=K seed=s", such as "sample"',
    )
    add("--out", type=Path, default=OUT)
    return parser


def every(chosen: argparse.Namespace) -> Iterator[Target]:
    """Yield the targets whose tables are there."""
    for k in (3, 5):
        for seed in range(chosen.seeds):
            yield Target(uniform(100, 6, 3, k, seed), 0.0)
    for k in (2, 5, 6, 20, 21, 50, 80):
        yield Target(nursery(k), 0.0)
    if chosen.adult is not None:
        yield from _adult(chosen.adult, chosen.seeds)
    if chosen.census is not None:
        for case in whole("census-income, 9 columns", read_rows(chosen.census), KS):
            yield Target(case, 0.05)


def _adult(path: Path, seeds: int) -> Iterator[Target]:
    for columns in (FOUR, FIVE):
        rows = read_rows(path, columns)
        for case in whole(f"adult, {len(columns)} columns", rows, (2, 5, 10)):
            yield Target(case, 0.0)
    for decades in (False, True):
        ages = "decades" if decades else "raw ages"
        rows = read_rows(path, 8, decades=decades)
        for n, k in ((1000, 2), (500, 5)):
            for case in sampled(f"adult, 8 columns, {ages}", rows, n, k, seeds):
                yield Target(case, 0.0)
    for columns in (8, 9):
        for decades in (False, True):
            ages = "decades" if decades else "raw ages"
            rows = read_rows(path, columns, decades=decades)
            for case in whole(f"adult, {columns} columns, {ages}", rows, KS):
                loose = 0.05 if decades else 0.03
                yield Target(case, 0.004 if case.size == "k=2" else loose)


def met(target: Target, run: Run) -> bool:
    """Tell whether a run meets its target."""
    return run.proven if not target.long else run.gap <= target.gap


def report_lines(targets: Sequence[Target], runs: Sequence[Run]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "# k-anonymity: targets"
    yield ""
    yield f"The automatic choice of methods on {runs[0].cores} cores."
    yield ""
    yield from software(runs)
    yield ""
    yield from markdown_table(
        [
            "table",
            "k>",
            "seed>",
            "status",
            "suppressed>",
            "bound>",
            "gap>",
            "target>",
            "limit>",
            "seconds>",
            "MB>",
            "cost found by",
            "bound proved by",
            "met",
        ],
        map(_row, targets, runs),
    )
    yield from troubles(runs)
    yield ""
    yield f"**{summary(runs, list(map(met, targets, runs)))}**"


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
        f"{target.gap:.1%}" if target.long else "proof",
        f"{run.time_limit:g}",
        f"{run.seconds:.1f}" if told else "",
        f"{run.peak_mb:.0f}" if told else "",
        run.found_by or "",
        run.proved_by or "",
        "yes" if met(target, run) else "**no**",
    ]


if __name__ == "__main__":
    main()
