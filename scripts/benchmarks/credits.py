"""Who earns a place in the automatic choice: credits by stage, problem by problem.

A run counts how often each of its stages bettered the cost or the bound, and how many
levels it refuted on the way. What has no credit in two runs should leave. A command::

    python -m scripts.benchmarks.credits [SPEC ...] [--library N] [--fresh N]
        [--every N] [--time-limit S] [--workers N] [--seed S] [--runs FILE]
        [--markdown PAGE]

runs on the instances of studies (by default all targets, every N-th of each), on N of
the library and N fresh draws of every problem. Every run appends a line to the file of
runs, none that is there is repeated: an interrupted command goes on. The page, by
default docs/benchmarks/credits.md, is made from the file.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from atleastk import Instance, Study
from atleastk.research.collecting.library import Library
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs.ask import Ask
from atleastk.runs.registry import NAMES, problem_named, problem_of
from atleastk.runs.solving import solve_within
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.stages import Stage
from atleastk.solvers.search import Ran, Search
from scripts.benchmarks.measured import OUT, Run, carry_on, kept

STUDIES = Path(__file__).parents[1] / "studies"

COLUMNS = ("part", "runs>", "best cost>", "best bound>", "costs>", "bounds>", "levels>")


def searched(
    instance: Instance,
    seconds: float,
    workers: int,
    on_stage: Callable[[Ran], object] | None = None,
) -> Search[Any] | None:
    """Return the record of a run of the automatic choice.

    None if it was too small for that: the dynamic program over all subsets closed it.
    """
    problem = problem_of(instance)
    searches: list[Search[Any]] = []

    def solve(search: Search[Any]) -> None:
        searches.append(search)
        problem.solve(search)

    ask = Ask(Budget.checked(seconds, workers), on_stage=on_stage)
    solve_within(instance, ask, replace(problem, solve=solve))
    return searches[0] if searches else None


def credits_of(instance: Instance, seconds: float, workers: int) -> Run:
    """Run the automatic choice; return its credits and who found and proved."""
    search = searched(instance, seconds, workers)
    credits = () if search is None else sorted(search.credits.items())
    ends = {end: getattr(search, end, None) for end in ("found_by", "proved_by")}
    return {"credits": [[*moved, times] for moved, times in credits], **ends}


def credit_lines(runs: Iterable[Run]) -> Iterator[str]:
    """Yield the table: a line per part, those that ended most runs first."""
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    for run in runs:
        for column, part, times in run["credits"]:
            tallies[part][f"{column}s>"] += times
        for part in {part for _, part, _ in run["credits"]}:
            tallies[part]["runs>"] += 1
        for column, part in (("cost", run["found_by"]), ("bound", run["proved_by"])):
            if part is not None:
                tallies[part][f"best {column}>"] += 1
    order = sorted(
        tallies.items(),
        key=lambda each: (-each[1]["best cost>"] - each[1]["best bound>"], each[0]),
    )
    rows = ([part, *(tally[c] for c in COLUMNS[1:])] for part, tally in order)
    yield from markdown_table(COLUMNS, rows)


def stages_of(problem: str) -> Iterator[str]:
    """Yield the names in the lists of stages of an automatic choice, if it has any."""
    place = f"atleastk.solvers.{problem.replace('-', '_')}.auto"
    lists = vars(import_module(place)).values() if find_spec(place) else ()
    for steps in lists:
        if isinstance(steps, tuple):
            yield from (each.name for each in steps if isinstance(each, Stage))


def page_lines(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the page: what was run, and a table for every problem."""
    yield from ("# Credits: which stages of the automatic choice find and prove", "")
    limits = sorted({(run["time_limit"], run["workers"]) for run in runs})
    asked = "; ".join(f"{seconds:g} s, workers: {n}" for seconds, n in limits)
    yield f"{len(runs)} runs by `python -m scripts.benchmarks.credits` ({asked})."
    for problem in sorted({run["problem"] for run in runs}):
        own = [run for run in runs if run["problem"] == problem]
        yield from ("", f"## {problem}: {len(own)} runs", "")
        yield from credit_lines(own)
        parts = {part for run in own for _, part, _ in run["credits"]}
        credited = {name for part in parts for name in part.split(": ")}
        idle = sorted(set(stages_of(problem)) - credited)
        if any(stages_of(problem)):
            yield from ("", f"Stages without credit: {', '.join(idle) or 'none'}.")


def instances_of(chosen: argparse.Namespace) -> Iterator[Instance]:
    """Yield the instances of studies, every so many, of the library, and fresh ones."""
    for path in chosen.studies or sorted(STUDIES.glob("targets_*.toml")):
        yield from islice(Study.load(path).drawn(), 0, None, chosen.every)
    for name in NAMES if chosen.library else ():
        records = Library().filter(problem=name)
        records.sort(key=lambda record: (record.difficulty, record.name))
        step = max(1, -(-len(records) // chosen.library))
        yield from (each.instance for each in records[::step])
    for name in NAMES if chosen.fresh else ():
        families = problem_named(name).families
        for i in range(chosen.fresh):
            yield families[i % len(families)].make(chosen.seed + i)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("studies", nargs="*", type=Path, metavar="SPEC")
    parser.add_argument("--library", type=int, default=0, metavar="N")
    parser.add_argument("--fresh", type=int, default=0, metavar="N")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--time-limit", type=float, default=10.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1_000)
    parser.add_argument("--runs", type=Path, default=Path("credits.jsonl"))
    parser.add_argument("--markdown", type=Path, default=OUT / "credits.md")
    chosen = parser.parse_args(arguments)
    limits = {"time_limit": chosen.time_limit, "workers": chosen.workers}
    runs = kept(chosen.runs)
    asked = (
        (
            {"problem": instance.problem, "instance": instance.sha256, **limits},
            partial(credits_of, instance, *limits.values()),
        )
        for instance in instances_of(chosen)
    )
    carry_on(chosen.runs, runs, asked)
    chosen.markdown.write_text("\n".join(page_lines(runs)) + "\n")


if __name__ == "__main__":
    main()
