"""Who earns a place in the automatic choice: credits by part, out of logs of runs.

A run counts, by part of its method, how often it bettered the cost or the bound, and
how many levels it refuted on the way. A part without credit in the target runs
should leave. As a command::

    python -m scripts.benchmarks.credits docs/benchmarks/k_anonymity.jsonl

Of several logs it tells what they say together.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from atleastk.studies.markdown import markdown_table
from scripts.benchmarks.trials import Log, Run

COLUMNS = ("part", "runs>", "best cost>", "best bound>", "costs>", "bounds>", "levels>")


def credit_lines(runs: Iterable[Run]) -> Iterator[str]:
    """Yield the table: a line per part, those that ended most runs first.

    Its columns: in how many runs the part has a credit, how often the best cost and the
    best bound are its own, and how often it bettered them or refuted a level.
    """
    tallies: dict[str, Counter[str]] = {}

    def add(part: str, column: str, times: int = 1) -> None:
        tallies.setdefault(part, Counter())[column] += times

    for run in runs:
        for column, credits in run.credits.items():
            for part, times in credits.items():
                add(part, f"{column}s>", times)
        for part in set().union(*run.credits.values()):
            add(part, "runs>")
        for column, last in (("cost", run.found_by), ("bound", run.proved_by)):
            if last is not None:
                add(last.partition("; certificate")[0], f"best {column}>")
    order = sorted(
        tallies.items(),
        key=lambda each: (-each[1]["best cost>"] - each[1]["best bound>"], each[0]),
    )
    rows = ([part, *(tally[c] for c in COLUMNS[1:])] for part, tally in order)
    yield from markdown_table(COLUMNS, rows)


def main(arguments: list[str] | None = None) -> None:
    """Print the credits of some logs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG")
    chosen = parser.parse_args(arguments)
    runs = [run for path in chosen.logs for run in Log(path).runs.values()]
    print("\n".join(credit_lines(runs)))


if __name__ == "__main__":
    main()
