"""Check the targets of the suppression family: every minimisation proved in a minute.

    python -m scripts.benchmarks.targets_suppression --adult FILE [--rows N] [--seeds N]
                                          [--time-limit S] [--workers N]
                                          [--only PATTERN] [--out DIR]

Solves the 44 minimisations on samples of 100 rows and 6 columns of Adult, with ages as
they are and in decades, for k = 2, 3 and 5 by the automatic choice of methods, each in
a process of its own; limits are those of cases_suppression.py. Writes into DIR

- suppression.jsonl: a line per run. Runs that it holds are not repeated;
- targets_suppression.md: status, cost, bound and time of every minimisation.

The exit code is 0 if everything is proved, else 1.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from atleastk.models.status import Status
from atleastk.solving import AUTO
from atleastk.studies.markdown import markdown_table
from scripts.benchmarks.cases import Case
from scripts.benchmarks.cases_suppression import minimisations, samples
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
NAME = "targets_suppression"
KS = (2, 3, 5)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    chosen = _parser().parse_args(arguments)
    cases = [
        case
        for decades in (False, True)
        for seed, rows in samples(
            chosen.adult, chosen.rows, chosen.seeds, decades=decades
        )
        for k in KS
        for case in minimisations(rows, k, seed, decades=decades)
        if chosen.only.search(str(case))
    ]
    if not cases:
        message = f"--only: nothing matches {chosen.only.pattern!r}"
        raise SystemExit(message)
    trials = [
        Trial(case, AUTO, chosen.cores, chosen.cores, chosen.time_limit)
        for case in cases
    ]
    runs = run_all(trials, Log(chosen.out / "suppression.jsonl"))
    report = "\n".join(report_lines(cases, runs)) + "\n"
    (chosen.out / f"{NAME}.md").write_text(report, encoding="utf-8")
    print(report)
    if not all(run.proven for run in runs):
        raise SystemExit(summary(runs, [run.proven for run in runs]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--adult", type=Path, metavar="FILE", required=True, help="a CSV with a header")
    add("--rows", type=int, default=100, help="of a sample")
    add("--seeds", type=int, default=1, help="samples")
    add("--time-limit", type=float, default=60.0)
    add("--workers", type=int, default=2, dest="cores")
    add(
        "--only",
        type=re.compile,
        default=re.compile(""),
        metavar="PATTERN",
        help='regular expression in "NAME k=K seed=s", such as "PART k=5"',
    )
    add("--out", type=Path, default=OUT)
    return parser


def report_lines(cases: Sequence[Case], runs: Sequence[Run]) -> Iterator[str]:
    """Yield the lines of the report: a line per problem, a group of cells per run."""
    yield "# The suppression family: targets"
    yield ""
    yield (
        f"Samples of Adult, 6 columns, on {runs[0].cores} cores, "
        f"{runs[0].time_limit:g} s at most; limits as in "
        "scripts/benchmarks/cases_suppression.py. "
        "A cell is the optimum and the seconds that its proof took, or cost/bound."
    )
    yield ""
    yield from software(runs)
    yield ""
    by_name: dict[str, dict[tuple[int, str], str]] = defaultdict(dict)
    for case, run in zip(cases, runs, strict=True):
        by_name[case.family][case.seed, case.size] = _cell(run)
    columns = sorted({(case.seed, case.size) for case in cases})
    heads = [f"seed {seed}, {size}>" for seed, size in columns]
    rows = (
        [name, *(cells.get(c, "") for c in columns)] for name, cells in by_name.items()
    )
    yield from markdown_table(["minimisation", *heads], rows)
    yield from troubles(runs)
    yield ""
    yield f"**{summary(runs, [run.proven for run in runs])}**"


def _cell(run: Run) -> str:
    if run.status == FAILED or run.error is not None:
        return "**failed**"
    if run.status == Status.INFEASIBLE:
        return f"infeasible {run.seconds:.1f}"
    if run.proven:
        return f"{run.cost} {run.seconds:.1f}"
    cost = "?" if run.cost is None else run.cost
    bound = "?" if run.bound is None else run.bound
    return f"**{cost}/{bound}**"


if __name__ == "__main__":
    main()
