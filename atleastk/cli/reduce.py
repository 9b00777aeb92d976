"""``atleastk reduce``: instances there, solutions back, and the list."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from atleastk.cli.console import NO, OK, Exit, complain
from atleastk.cli.options import option
from atleastk.cli.outputs import JSON, read_result, write_or_print
from atleastk.cli.print_table import print_table
from atleastk.cli.shared_options import Reading
from atleastk.instances.fields.errors import (
    InvalidResultError,
    UnknownNameError,
    WrongAnswerError,
    placed,
)
from atleastk.instances.files import files
from atleastk.instances.instance import Instance
from atleastk.instances.reductions.checked import check_of, state_of
from atleastk.instances.reductions.reduction import Reduction
from atleastk.models.results.result import Result
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status, Trust
from atleastk.research.reducing import (
    REDUCTIONS,
    back_along,
    forward_along,
    instance_of,
    way,
)
from atleastk.runs import api
from atleastk.runs.versions import versions_in_use


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    epilog: ClassVar = (
        "Problems have the names that --list shows; quote their apostrophes."
    )

    source: str | None = option(
        "FROM", "name of a problem, such as c-DEL or X3C", nargs="?"
    )
    target: str | None = option(
        "TO", "name of a problem that it can be reduced to", nargs="?"
    )
    file: str | None = option(
        "FILE", "an instance of FROM", reads="the instance that is read", nargs="?"
    )
    back: str | None = option(
        "--back RESULT", "map a result of TO back to FROM", reads="the result"
    )
    as_printed: bool = option(
        "--as-printed", "as the papers print it, even if that is refuted"
    )
    list: bool = option("--list", "show all reductions")
    output: str | None = option(
        "-o --output OUT", "write the instance, or the result", writes=JSON
    )


def run(options: Options) -> Exit:
    if options.list:
        _print_list(REDUCTIONS)
        return Exit(OK)
    if options.source is None or options.target is None or options.file is None:
        raise UnknownNameError("reduce needs FROM, TO and FILE, or --list")
    steps = way(options.source, options.target, options.as_printed)
    document = files.read(options.file)
    with placed(options.file):
        instance = instance_of(steps[0].source, document)
        stops = forward_along(steps, instance)
    if options.back is not None:
        for step in filter(_refuted, steps):
            print(_described(step), file=sys.stderr)
        return _back(options.back, steps, stops, options.output)
    for step in steps:
        print(_described(step), file=sys.stdout if options.output else sys.stderr)
    write_or_print(options.output, stops[-1].to_dict())
    return Exit(OK)


def _back(
    path: str, steps: Sequence[Reduction], stops: Sequence[Instance], output: str | None
) -> Exit:
    result = _result(path, stops[-1])
    if result.solution is None:
        complain(f"{path}: no solution to map back, it is {result.status}")
        return Exit(NO)
    found = back_along(steps, stops, result.solution)
    if found is None:
        complain(f"{path}: no solution of {steps[0].source} is as good as that")
        return Exit(NO)
    if isinstance(found, Solution):
        write_or_print(output, _result_of(stops[0], found, steps[-1].target).to_dict())
    else:
        write_or_print(output, {"problem": stops[0].problem, "solution": found})
    return Exit(OK)


def _result(path: str, instance: Instance) -> Result:
    result = read_result(path)
    if result.solution is not None:
        violations = api.check(instance, result).violations
        if violations:
            raise InvalidResultError(f"{path}: {violations[0]}")
    return result


def _result_of(instance: Instance, solution: Solution, target: str) -> Result:
    """Return the result that a solution mapped back is, once it is checked."""
    verdict = api.check(instance, solution)
    if not verdict.feasible:
        raise WrongAnswerError(
            f"mapped back from {target}, but {verdict.violations[0]}"
        )
    return Result(
        problem=instance.problem,
        status=Status.FEASIBLE,
        trust=Trust.HEURISTIC,
        cost=verdict.cost,
        bound=None,
        solution=solution,
        method=f"from {target}",
        seconds=0.0,
        instance_sha256=instance.sha256,
        versions=versions_in_use(),
    )


def _described(step: Reduction) -> str:
    return f"{step.name} ({step.kind}, {step.reference}; {state_of(step)})"


def _refuted(step: Reduction) -> bool:
    check = check_of(step)
    return check is not None and check.refuting > 0


def _print_list(reductions: Iterable[Reduction]) -> None:
    rows = (
        (*(r.source, r.target, r.kind, r.reference), state_of(r), r.hypotheses, r.claim)
        for r in reductions
    )
    heads = ("from", "to", "kind", "reference", "state", "holds for", "claim")
    print_table(heads, rows)
