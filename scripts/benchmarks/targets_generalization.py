"""Check the targets of generalisation: proven optima, and proven gaps on entries.

    python -m scripts.benchmarks.targets_generalization [--adult FILE] [--seeds N]
                                             [--time-limit S] [--workers N]
                                             [--only PATTERN] [--out DIR]

Solves every table by the automatic choice of methods, each in a process of its own; see
targets.py and cases_generalization.py. On attributes, all of Adult is to be proved for
every loss; on entries, samples of 1,000 rows are to be closed up to a gap, and small
random tables proved. Without a file, Adult is the shipped sample. Writes into DIR

- generalization.jsonl: a line per run. Runs that it holds are not repeated;
- targets_generalization.md: status, loss, bound and gap by table.

The exit code is 0 if every target is met, else 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from atleastk.instances.generalization import LOSSES
from scripts.benchmarks.cases_generalization import adult_rows, drawn, sampled, whole
from scripts.benchmarks.targets import Target, add_arguments, check_targets

KS = (2, 5, 10, 50, 100)
ENTRIES = {2: 0.02, 5: 0.1, 10: 0.12}
"""The gaps that are to be proved on entries, by k."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--adult", type=Path, metavar="FILE", help="Adult, as cases_k_anonymity says"
    )
    add_arguments(parser, "attributes")
    chosen = parser.parse_args(arguments)
    check_targets(list(every(chosen)), chosen, "generalization", "Generalisation")


def every(chosen: argparse.Namespace) -> Iterator[Target]:
    """Yield the targets."""
    rows = adult_rows(chosen.adult)
    for case in whole(rows, LOSSES, KS):
        yield Target(case)
    for case in drawn(chosen.seeds):
        yield Target(case)
    for loss in LOSSES[:2]:
        for k, gap in ENTRIES.items():
            for case in sampled(rows, min(1000, len(rows)), loss, k, chosen.seeds):
                yield Target(case, gap)


if __name__ == "__main__":
    main()
