"""``atleastk solve``: instances in files, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from atleastk import api
from atleastk.anonymizing.relax import relaxed_limits
from atleastk.cli.console import BAD_INPUT, OK, Exit, complain
from atleastk.cli.options import option
from atleastk.cli.outputs import JSON, Paths, through_the_door
from atleastk.cli.progress import watched
from atleastk.cli.readers import gap, seconds, target
from atleastk.cli.results import code_of, expect_lines, kept, print_result, read_result
from atleastk.cli.shared_options import Running
from atleastk.instances import files
from atleastk.instances.errors import InvalidInstanceError
from atleastk.instances.instance import Instance
from atleastk.instances.suppression import Suppression
from atleastk.models.result import Result
from atleastk.registry import problem_of
from atleastk.solvers.budget import Budget
from atleastk.solving import Outcome, solve_within

__all__ = ["Options", "run"]


@dataclass(frozen=True, kw_only=True)
class Options(Running):
    """What ``atleastk solve`` is asked."""

    files: Sequence[str] = option(
        nargs="+", metavar="FILE", help="instances: .json or .jsonl, or .gz"
    )
    time_limit: float | None = option(
        "--time-limit", reader=seconds, metavar="S", help="seconds for every instance"
    )
    certify: bool = option(
        "--certify", action="store_true", help="look for a certificate of the bound"
    )
    agree: bool = option(
        "--agree", action="store_true", help="have a second solver family prove it"
    )
    start: str | None = option("--start", metavar="FILE", help="a result to start from")
    gap: float | None = option(
        "--gap",
        reader=gap,
        metavar="G",
        help="end when (cost - bound) / |cost| is at most this, as 0.01 or 1%%",
    )
    target: int | None = option(
        "--target",
        reader=target,
        metavar="COST",
        help="end when a solution costs at most this",
    )
    relax: bool = option(
        "--relax",
        action="store_true",
        help="suppression without a solution: tell which limits to relax",
    )
    output: str | None = option(
        "-o", "--output", metavar="OUT", help="write the result (.jsonl: all results)"
    )


def _paths(options: Options) -> Paths:
    read = [("an instance that is read", path) for path in options.files]
    start = ("the result to start from", options.start)
    return Paths([*read, start], [(options.output, JSON)])


@through_the_door(_paths)
def run(options: Options) -> Exit:
    """Solve every instance of the files."""
    several = len(options.files) > 1 or any(map(files.holds_lines, options.files))
    expect_lines(options.output, several)
    start = None if options.start is None else read_result(options.start)
    code, abandoned, results = OK, False, []
    for path in options.files:
        try:
            for budget, instance in _queued(path, options):
                solved = _solve_one(instance, budget, path, start, options)
                relaxed, outcome = _relaxed(instance, solved, budget, options)
                results.append(outcome.result)
                abandoned |= outcome.abandoned
                shown = path if several else None
                if options.output:
                    code = max(code, kept(options.output, results, 1))
                print_result(outcome.result, options.json, shown, relaxed)
                if outcome.signalled is not None:
                    return Exit(128 + outcome.signalled, abandoned)
                code = max(code, code_of(outcome.result))
        except InvalidInstanceError as error:
            complain(error)
            code = BAD_INPUT
    return Exit(code, abandoned)


def _queued(path: str, options: Options) -> Iterator[tuple[Budget, Instance]]:
    """Give the instances of a file, each with a budget that includes its loading."""
    if not files.holds_lines(path):
        yield options.budget(), api.load(path)
        return
    for instance in api.load_all(path):
        yield options.budget(), instance


def _solve_one(
    instance: Instance,
    budget: Budget,
    path: str,
    start: Result | None,
    options: Options,
) -> Outcome:
    running = f"{path} by {options.method}"
    with watched(running, options.events, options.json) as on_event:
        return solve_within(
            problem_of(instance),
            instance,
            budget,
            method=options.method,
            certify=options.certify,
            agree=options.agree,
            start=start,
            on_event=on_event,
            goal=api.goal_of(options.gap, options.target),
        )


def _relaxed(
    instance: Instance, outcome: Outcome, budget: Budget, options: Options
) -> tuple[Sequence[str] | None, Outcome]:
    """Return what to relax if that is asked for, None if not; and the outcome then."""
    if not options.relax or not isinstance(instance, Suppression):
        return None, outcome
    return relaxed_limits(instance, outcome, budget)
