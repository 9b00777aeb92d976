"""``atleastk approximate``: algorithms of the papers, one or all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from atleastk.cli.console import BAD_INPUT, NO, OK, Exit, complain
from atleastk.cli.options import Either, option
from atleastk.cli.outputs import (
    JSON,
    code_of,
    expect_lines,
    print_result,
    write_or_complain,
)
from atleastk.cli.print_table import print_table
from atleastk.cli.readers import seconds
from atleastk.cli.shared_options import Reading, printed, seeded
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.runs import api
from atleastk.runs.own_algorithms import ALL, errors_on_a_line
from atleastk.solvers.method import Algorithm

_WHICH: Final = Either("which", required=True)


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    file: str = option(
        "FILE",
        "instances: .json or .jsonl (or .gz, .bz2, .zip)",
        reads="the instance that is read",
    )
    algorithm: str | None = option(
        "--algorithm NAME",
        "one that atleastk problems PROBLEM lists, FILE.py:FUNCTION, cmd:PROGRAM, or "
        "all",
        either=_WHICH,
    )
    all: bool = option("--all", "compare all algorithms", either=_WHICH)
    time_limit: float | None = option(
        "--time-limit S", "seconds for each algorithm (default: none)", seconds
    )
    seed: int = seeded()
    json: bool = printed()
    output: str | None = option(
        "-o --output OUT", "write the result (.jsonl for several)", writes=JSON
    )

    @property
    def every(self) -> bool:
        return self.all or self.algorithm == ALL


def run(options: Options) -> Exit:
    instances = api.load_all(options.file)
    several = len(instances) > 1
    if several or options.every:
        expect_lines(options.output, "results")
    code = OK
    results: list[Result] = []
    for number, instance in enumerate(instances, start=1):
        shown = f"{options.file}, instance {number}" if several else None
        try:
            found = (_compare if options.every else _one)(instance, options, shown)
        except NotApplicableError as error:
            if not several:
                raise
            complain(f"{shown}: {error}")
            code = BAD_INPUT
            continue
        code = max(code, min(map(code_of, found), default=NO))
        results += found
        if options.output:
            code = max(code, write_or_complain(options.output, results, len(found)))
    return Exit(code)


def _one(instance: Instance, options: Options, path: str | None) -> Sequence[Result]:
    with errors_on_a_line(options.algorithm or ""):
        result = api.approximate(
            instance, options.algorithm or "", options.seed, options.time_limit
        )
    print_result(result, options.json, path)
    return [result]


def _compare(
    instance: Instance, options: Options, path: str | None
) -> Sequence[Result]:
    algorithms = api.algorithms(instance.problem)
    if not algorithms:
        raise NotApplicableError(f"{instance.problem} has no approximation algorithm")
    outcomes: list[Result | NotApplicableError] = []
    limits = options.seed, options.time_limit
    for algorithm in algorithms:
        try:
            outcomes.append(api.approximate(instance, algorithm, *limits))
        except NotApplicableError as error:
            outcomes.append(error)
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    if options.json:
        for result in results:
            print(result.to_json())
    else:
        rows = map(_row, algorithms, outcomes)
        columns = ("algorithm", "cost>", "groups>", "promise", "theorem")
        title = str(instance) if path is None else f"{path}: {instance}"
        print_table(columns, rows, title=title)
    return results


def _row(
    algorithm: Algorithm[Any], outcome: Result | NotApplicableError
) -> Sequence[object]:
    if isinstance(outcome, NotApplicableError):
        return (algorithm.name, "-", "-", str(outcome), "")
    if outcome.groups is None:
        return (algorithm.name, "-", "-", outcome.status.lower(), "")
    count, promise = outcome.number_of_groups, algorithm.promise
    if (known := algorithm.guarantee) and (reason := known.outside(outcome.instance)):
        promise = reason
    return (algorithm.name, outcome.cost, count, promise, algorithm.theorem)
