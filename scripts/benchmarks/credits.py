"""Who earns a place in the automatic choice: credits by part, on instances of studies.

A run counts, by part of its method, how often it bettered the cost or the bound, and
how many levels it refuted on the way. A part without credit on any instance of its
problem should leave. As a command::

    python -m scripts.benchmarks.credits scripts/studies/targets_*.toml
        [--time-limit S] [--workers N]

Of several studies it tells what they say together.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from atleastk import Instance, Study
from atleastk.research.studies.markdown import markdown_table
from atleastk.runs.ask import Ask
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import solve_within
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search

COLUMNS = ("part", "runs>", "best cost>", "best bound>", "costs>", "bounds>", "levels>")


def searched(instance: Instance, seconds: float, workers: int) -> Search[Any] | None:
    """Return the record of a run of the automatic choice.

    None if it was too small for that: the dynamic program over all subsets closed it.
    """
    problem = problem_of(instance)
    searches: list[Search[Any]] = []

    def solve(search: Search[Any]) -> None:
        searches.append(search)
        problem.solve(search)

    ask = Ask(Budget.checked(seconds, workers))
    solve_within(instance, ask, replace(problem, solve=solve))
    return searches[0] if searches else None


def credit_lines(searches: Iterable[Search[Any]]) -> Iterator[str]:
    """Yield the table: a line per part, those that ended most runs first.

    Its columns: in how many runs the part has a credit, how often the best cost and the
    best bound are its own, and how often it bettered them or refuted a level.
    """
    tallies: dict[str, Counter[str]] = {}

    def add(part: str, column: str, times: int = 1) -> None:
        tallies.setdefault(part, Counter())[column] += times

    for search in searches:
        for (column, part), times in search.credits.items():
            add(part, f"{column}s>", times)
        for part in {part for _, part in search.credits}:
            add(part, "runs>")
        for column, last in (("cost", search.found_by), ("bound", search.proved_by)):
            if last is not None:
                add(last, f"best {column}>")
    order = sorted(
        tallies.items(),
        key=lambda each: (-each[1]["best cost>"] - each[1]["best bound>"], each[0]),
    )
    rows = ([part, *(tally[c] for c in COLUMNS[1:])] for part, tally in order)
    yield from markdown_table(COLUMNS, rows)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("studies", nargs="+", type=Path, metavar="SPEC")
    parser.add_argument("--time-limit", type=float, default=10.0)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args(arguments)
    drawn = (each for path in chosen.studies for each in Study.load(path).drawn())
    found = [searched(each, chosen.time_limit, chosen.workers) for each in drawn]
    print("\n".join(credit_lines(search for search in found if search is not None)))


if __name__ == "__main__":
    main()
