"""Time atleastk against the textbook CP-SAT model of min-max bin covering.

    python -m scripts.benchmarks.versus_bin_covering [--time-limit S] [--seeds N]
        [--workers N] [--families NAME ...] [--textbook-workers N] [--out DIR]

Side by side in one run, first one and then the other on every instance:

- the *textbook*: the assignment model of
  :func:`atleastk.models.encodings.bin_covering.assignment`, minimised by CP-SAT from
  nothing. It is what an engineer would write who knows the problem: used bins first,
  the largest item in the first bin, and the counting bounds on the number of bins and
  on the cost;
- *atleastk*: the automatic choice of methods.

Each run is a process of its own with the same time limit and cores; see trials.py, and
cases_bin_covering.py for the families. CP-SAT often gains from more workers than there
are cores, and atleastk gives it eight: ``--textbook-workers 8`` does so for the
textbook.

Writes into DIR

- bin_covering.jsonl: a line per run. Runs that it holds are not repeated;
- bin_covering.md: what was proved, the gaps and the times, by family and size;
- bin_covering.png: how many instances are proved within how many seconds.

Costs and bounds of all runs of an instance are compared: a contradiction ends the
script with exit code 1, and so does a run whose process failed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import exp, inf, log
from pathlib import Path
from statistics import fmean, median_high

from atleastk.instances.errors import BackendUnavailableError
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

TEXTBOOK = "cp-sat"
LABELS = {TEXTBOOK: "textbook", AUTO: "atleastk"}
OUT = Path(__file__).parents[2] / "docs/benchmarks"
SIZES: Mapping[str, Sequence[int]] = {
    "uniform-1e2": (30, 60, 150, 300, 1000),
    "uniform-1e4": (15, 30, 45, 60, 150),
    "uniform-1e6": (15, 24, 30, 45),
    "uniform-1e12": (1_500_000_000_000, 3_000_000_000_000),
    "three-partition-yes": (15, 30, 45, 90, 150, 300, 999),
    "three-partition-no": (15, 30, 45, 90),
    "five-sizes": (24, 60, 150, 300, 1000),
    "heavy": (30, 60, 150, 300),
    "census-last": (30, 45, 100, 300, 1000),
    "census-female": (2629, 4000, 10_000, 30_000),
}
SHORTEST = 0.01
"""Shorter runs count as this long in ratios: below it the clock tells little."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Both runs on one instance."""

    textbook: Run
    atleastk: Run

    @property
    def row(self) -> tuple[str, str]:
        """The row of the table that the instance belongs to."""
        return self.textbook.family, self.textbook.size


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    chosen = _parser().parse_args(arguments)
    workers = {TEXTBOOK: chosen.textbook_workers or chosen.cores, AUTO: chosen.cores}
    trials = [
        Trial(case, method, workers[method], chosen.cores, chosen.time_limit)
        for case in cases({name: SIZES[name] for name in chosen.families}, chosen.seeds)
        for method in (TEXTBOOK, AUTO)
    ]
    runs = run_all(trials, Log(chosen.out / "bin_covering.jsonl"))
    pairs = [Pair(*both) for both in zip(runs[::2], runs[1::2], strict=True)]
    report = "\n".join(report_lines(pairs, chosen.time_limit)) + "\n"
    (chosen.out / "bin_covering.md").write_text(report, encoding="utf-8")
    draw(pairs, chosen.time_limit, chosen.out / "bin_covering.png")
    print(report)
    print(f"written to {chosen.out}: bin_covering.md, bin_covering.png")
    failed = sum(run.status == FAILED for run in runs)
    if failed:
        message = f"{failed} runs failed: see {chosen.out / 'bin_covering.md'}"
        raise SystemExit(message)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--time-limit", type=float, default=60.0, help="of each run")
    parser.add_argument("--seeds", type=int, default=3, help="instances of each size")
    parser.add_argument("--workers", type=int, default=2, dest="cores")
    parser.add_argument("--textbook-workers", type=int, help="of CP-SAT; else as above")
    parser.add_argument(
        "--families", nargs="+", choices=list(SIZES), default=list(SIZES)
    )
    parser.add_argument("--out", type=Path, default=OUT)
    return parser


def report_lines(pairs: Sequence[Pair], limit: float) -> Iterator[str]:
    """Yield the lines of the report."""
    runs = [run for pair in pairs for run in (pair.textbook, pair.atleastk)]
    textbook_workers = pairs[0].textbook.workers
    cores = pairs[0].atleastk.cores
    yield "# Min-max bin covering: atleastk and the textbook CP-SAT model"
    yield ""
    yield (
        f"{len(pairs)} instances; {limit:g} s each and {cores} cores for both; the "
        f"textbook model has {textbook_workers} CP-SAT workers."
    )
    yield ""
    yield from software(runs)
    yield ""
    yield "- *proved*: instances solved to proven optimality within the limit."
    yield "- *gap*: mean of (cost - bound) / cost at the end; 100 % without a solution."
    yield f"- *median*: of the seconds; > {limit:g} if that run proved nothing."
    yield (
        "- *ratio*: geometric mean of the textbook's seconds over the instances, by "
        f"that of atleastk's. Runs that prove nothing count as {limit:g} s, shorter "
        f"ones than {SHORTEST:g} s as {SHORTEST:g} s. So it is a lower bound (>=) if "
        "only the textbook left instances open, an upper bound (<=) if only atleastk "
        "did, and says little (~) if both did."
    )
    yield (
        "- *PAR-2*: mean of the seconds, where runs that prove nothing count as "
        f"{2 * limit:g} s."
    )
    yield ""
    yield from markdown_table(
        [
            "family",
            "size",
            "instances>",
            "proved: textbook>",
            "atleastk>",
            "gap: textbook>",
            "atleastk>",
            "median: textbook>",
            "atleastk>",
            "ratio>",
        ],
        _rows(pairs, limit),
    )
    yield ""
    scores = {
        LABELS[method]: fmean(penalised(run) for run in runs if run.method == method)
        for method in (TEXTBOOK, AUTO)
    }
    shown = ", ".join(f"{label} {score:.2f} s" for label, score in scores.items())
    yield f"PAR-2 over all instances: {shown}."
    yield from troubles(runs)
    yield ""
    yield "![Instances proved within a time](bin_covering.png)"


def _rows(pairs: Sequence[Pair], limit: float) -> Iterator[Sequence[object]]:
    for (family, size), group in groupby(pairs, key=lambda pair: pair.row):
        yield [family, size, *_figures(list(group), limit)]
    yield ["**all**", "", *_figures(pairs, limit)]


def _figures(pairs: Sequence[Pair], limit: float) -> list[object]:
    sides = [pair.textbook for pair in pairs], [pair.atleastk for pair in pairs]
    return [
        len(pairs),
        *(sum(run.proven for run in side) for side in sides),
        *(shown_gap(fmean(run.gap for run in side)) for side in sides),
        *(shown_median(side, limit) for side in sides),
        shown_ratio(pairs, limit),
    ]


def shown_gap(gap: float) -> str:
    """Show a gap; 0 only if there is none at all."""
    if gap == 0:
        return "0"
    return "< 0.001 %" if gap < 1e-5 else f"{100 * gap:.3f} %"


def shown_median(runs: Sequence[Run], limit: float) -> str:
    """Show the median of the seconds; of an even number of runs the upper one."""
    seconds = median_high([run.seconds if run.proven else inf for run in runs])
    return f"> {limit:g}" if seconds == inf else f"{seconds:.2f}"


def shown_ratio(pairs: Sequence[Pair], limit: float) -> str:
    """Show the ratio of geometric means, and on which side the truth lies."""
    censored = (
        not all(pair.textbook.proven for pair in pairs),
        not all(pair.atleastk.proven for pair in pairs),
    )
    sign = {(True, False): ">= ", (False, True): "<= ", (True, True): "~ "}
    ratio = exp(
        fmean(
            log(counted(pair.textbook, limit)) - log(counted(pair.atleastk, limit))
            for pair in pairs
        )
    )
    return f"{sign.get(censored, '')}{ratio:.3g}"


def counted(run: Run, limit: float) -> float:
    """Return what a run counts as in ratios."""
    return max(SHORTEST, run.seconds) if run.proven else limit


def penalised(run: Run) -> float:
    """Return what a run counts as in PAR-2."""
    return run.seconds if run.proven else 2 * run.time_limit


def draw(pairs: Sequence[Pair], limit: float, out: Path) -> None:
    """Draw how many instances each side proves within a time (a cactus plot)."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as missing:
        message = "the figure needs matplotlib: install atleastk[plot]"
        raise BackendUnavailableError(message) from missing

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    sides = {
        LABELS[TEXTBOOK]: [pair.textbook for pair in pairs],
        LABELS[AUTO]: [pair.atleastk for pair in pairs],
    }
    for label, runs in sides.items():
        times = sorted(counted(run, limit) for run in runs if run.proven)
        proved = [*range(len(times) + 1), len(times)]
        axes.step([SHORTEST, *times, limit], proved, where="post", label=label)
    axes.axhline(len(pairs), color="grey", linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_xlim(SHORTEST, limit)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("seconds")
    axes.set_ylabel(f"instances proved, of {len(pairs)}")
    axes.legend(loc="lower right")
    figure.savefig(out, dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
