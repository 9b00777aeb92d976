"""Write the page of the families that prove lower bounds on ratios.

    python -m scripts.data.write_lower_bounds [--check]

Every optimum is solved anew. With ``--check`` it writes nothing, and ends with code 1
if the page is not the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from math import isinf
from operator import itemgetter
from statistics import median
from typing import Any

from atleastk.instances.files import files
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.research.adversary.finds import Record
from atleastk.research.lower_bounds.lower_bound import LOWER_BOUNDS, Growth, measured
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs import api
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.problem import Problem
from scripts.data.pages import write_below
from scripts.data.write_worst_ratios import FINDS

PAGE = FINDS.with_name("lower_bounds.md")
_SAME = 1e-4
"""Ratios that differ by a smaller share are the same, as they are printed."""

MARK = "<!-- what follows is measured -->\n"

TIGHT = "1"
"""The gap of a family that attains its promise: others are rounded to four digits."""


def main(arguments: Sequence[str] | None = None) -> None:
    write_below(PAGE, MARK, lines(), __doc__, arguments)


def lines() -> Iterator[str]:
    found, singles = growths(), worst_finds()
    tight = sum(growth.is_tight for growth in found.values())
    yield ""
    yield (
        f"{len(found)} algorithms have a family, and {tight} of them attain their "
        "promise, at least in the limit."
    )
    yield from ["", risen(found, singles)]
    for problem in PROBLEMS.values():
        if problem.algorithms:
            yield from ["", f"## {problem.name}", ""]
            yield from _of(problem, found, singles)


def risen(
    found: Mapping[tuple[str, str], Growth], singles: Mapping[tuple[str, str], Record]
) -> str:
    """Return how many of the single finds have a family above them, and how far."""
    above = [
        growth.limit / singles[place]["ratio"]
        for place, growth in found.items()
        if place in singles and singles[place]["ratio"] < growth.limit * (1 - _SAME)
    ]
    factors = sorted(factor for factor in above if not isinf(factor))
    return (
        f"Above {len(above)} of the {len(singles)} single finds of searches there is a "
        f"family: {len(above) - len(factors)} of these have no limit, the others are "
        f"up to {factors[-1]:.2f} times the find, and half of them "
        f"{median(factors):.2f} times or more."
    )


@cache
def growths() -> Mapping[tuple[str, str], Growth]:
    """Measure every family for all of its algorithms, by problem and algorithm.

    What is not proved, as loops were compiled or others ran, is tried for longer.
    """
    solved: dict[str, Result] = {}

    def solve(seconds: float, instance: Instance) -> Result:
        if instance.sha256 not in solved:
            found = api.solve(instance, seconds, workers=1)
            if found.status is not Status.OPTIMAL:
                found = api.solve(instance, 10 * seconds, workers=1)
            solved[instance.sha256] = found
        return solved[instance.sha256]

    CLOCK.source = time.process_time
    return {
        (bound.problem, name): measured(bound, name, partial(solve, bound.seconds))
        for bound in LOWER_BOUNDS
        for name in bound.algorithms
    }


def worst_finds() -> Mapping[tuple[str, str], Record]:
    """Return the worst of single finds, by problem and algorithm."""
    rated = [found for _, found in files.read_lines(FINDS) if found["ratio"]]
    rated.sort(key=itemgetter("ratio"))
    return {(find["instance"]["problem"], find["algorithm"]): find for find in rated}


def finder(record: Record) -> str:
    """Return who found what a record holds, and when."""
    if record["plants"]:
        return f"{record['date']}, seed {record['seed']}, {record['seconds']:.0f} s"
    by = "a study" if record["instance"].get("source") else "another algorithm"
    return f"{record['date']}, {by}"


def _of(
    problem: Problem[Any],
    found: Mapping[tuple[str, str], Growth],
    singles: Mapping[tuple[str, str], Record],
) -> Iterator[str]:
    columns = (
        *("algorithm", "promise", "family", "ratio", "limit>", "gap>"),
        *("single>", "found by"),
    )
    rows, reasons = [], dict[str, str]()
    for algorithm in problem.algorithms:
        place = problem.name, algorithm.name
        growth = found.get(place)
        single: Sequence[str] = ("", "")
        if (find := singles.get(place)) is not None:
            single = (f"{find['ratio']:.4f}", finder(find))
        shown: Sequence[str] = ("none yet", "", "", "")
        if algorithm.promise.startswith("cost = OPT"):
            shown = ("any", "1", "1.0000", TIGHT)
        if growth is not None:
            shown = (f"`{growth.bound.family}`", *_limit(growth))
            trusts = " or ".join(sorted(growth.trusts))
            reasons[growth.bound.command] = (
                f"{growth.bound.reason} Optima are {trusts}."
            )
        rows.append((f"`{algorithm.name}`", algorithm.promise, *shown, *single))
    yield from markdown_table(columns, rows)
    yield ""
    for command, reason in reasons.items():
        yield f"- `{command}`: {reason}"


def _limit(growth: Growth) -> Sequence[str]:
    limit = "unbounded" if isinf(growth.limit) else f"{growth.limit:.4f}"
    gap = "" if growth.gap is None else f"{float(growth.gap):.4f}"
    return growth.ratio, limit, TIGHT if growth.is_tight else gap


if __name__ == "__main__":
    main()
