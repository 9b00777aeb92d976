"""``atleastk solve``: instances in files, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from atleastk.cli.console import BAD_INPUT, OK, Exit, complain
from atleastk.cli.options import option
from atleastk.cli.outputs import (
    JSON,
    code_of,
    expect_lines,
    print_result,
    read_result,
    write_or_complain,
)
from atleastk.cli.readers import gap, integer, seconds, steps
from atleastk.cli.shared_options import Running
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files import files
from atleastk.instances.instance import Instance
from atleastk.instances.suppression import Suppression
from atleastk.models.results.result import Result
from atleastk.runs import api
from atleastk.runs.ask import Ask
from atleastk.runs.relax import relaxed_limits
from atleastk.runs.solving import Outcome, solve_within

_WRITING: Final = 1 / 3
"""The time after a search, as a share of that of reading: of a million items a sixth to
three fifths."""


@dataclass(frozen=True, kw_only=True)
class Options(Running):
    files: Sequence[str] = option(
        "FILE",
        "instances: .json or .jsonl (or .gz, .bz2, .zip)",
        reads="an instance that is read",
        nargs="+",
    )
    time_limit: float | None = option(
        "--time-limit S", "seconds for every instance", seconds
    )
    work_limit: float | None = option(
        "--work-limit W",
        "deterministic seconds of CP-SAT: the same steps on any machine",
        steps,
    )
    certify: bool = option("--certify", "look for a certificate of the bound")
    agree: bool = option("--agree", "have a second solver family prove it")
    start: str | None = option(
        "--start FILE", "a result to start from", reads="the result to start from"
    )
    gap: float | None = option(
        "--gap G",
        "end when (cost - bound) / |cost| is at most this, as 0.01 or 1%%",
        gap,
    )
    target: int | None = option(
        "--target COST", "end when a solution costs at most this", integer
    )
    relax: bool = option(
        "--relax", "if limits of suppression leave no solution, say which to relax"
    )
    output: str | None = option(
        "-o --output OUT", "write the result (.jsonl for several)", writes=JSON
    )

    def ask(self, **more: Any) -> Ask:
        return super().ask(
            certify=self.certify,
            agree=self.agree,
            gap=self.gap,
            target=self.target,
            work_limit=self.work_limit,
            **more,
        )


def run(options: Options) -> Exit:
    several = len(options.files) > 1 or any(map(files.holds_lines, options.files))
    if several:
        expect_lines(options.output, "results")
    start = None if options.start is None else read_result(options.start)
    code, abandoned, results = OK, False, []
    for path in options.files:
        try:
            for instance, ask in _queued(path, start, options):
                outcome, relaxed = _solved(instance, ask, path, options)
                results.append(outcome.result)
                abandoned |= outcome.abandoned
                shown = path if several else None
                if options.output:
                    code = max(code, write_or_complain(options.output, results, 1))
                print_result(outcome.result, options.json, shown, relaxed)
                if outcome.signalled is not None:
                    return Exit(128 + outcome.signalled, abandoned)
                code = max(code, code_of(outcome.result))
        except InvalidInstanceError as error:
            complain(error)
            code = BAD_INPUT
    return Exit(code, abandoned)


def _queued(
    path: str, start: Result | None, options: Options
) -> Iterator[tuple[Instance, Ask]]:
    """Yield the instances of a file.

    The time of a single one includes its loading, and writing what is found.
    """
    ask = options.ask(start=start)
    instances = api.load_all(path)
    single = not files.holds_lines(path)
    for instance in instances:
        spared = ask.sparing(of_reading=_WRITING) if single else None
        yield instance, spared or options.ask(start=start)


def _solved(
    instance: Instance, ask: Ask, path: str, options: Options
) -> tuple[Outcome, Sequence[str] | None]:
    with options.watching(ask, f"{path} by {options.method}") as watched:
        outcome = solve_within(instance, watched)
    if not options.relax or not isinstance(instance, Suppression):
        return outcome, None
    relaxed, outcome = relaxed_limits(instance, outcome, ask.budget)
    return outcome, relaxed
