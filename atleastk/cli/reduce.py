"""What ``atleastk reduce`` does: instances there, solutions back, and the list."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from atleastk import api
from atleastk.cli.console import NO, OK, Exit, complain
from atleastk.cli.outputs import JSON, Paths, through_the_door
from atleastk.cli.tables import print_table
from atleastk.instances import files
from atleastk.instances.errors import (
    AtleastkError,
    InvalidResultError,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.instances.instance import Instance
from atleastk.instances.reductions.checked import check_of, state_of
from atleastk.instances.reductions.reduction import Reduction
from atleastk.models.result import Result
from atleastk.models.solution import Solution
from atleastk.models.status import Status, Trust
from atleastk.reducing import (
    REDUCTIONS,
    back_along,
    forward_along,
    instance_of,
    way,
)
from atleastk.versions import versions_in_use

__all__ = ["reduce"]


def _paths(args: Namespace) -> Paths:
    read = (("the instance that is read", args.file), ("the result", args.back))
    return Paths(read, [(args.output, JSON)])


@through_the_door(_paths)
def reduce(args: Namespace) -> Exit:
    """Make an instance of another problem, or map a solution of it back."""
    if args.list:
        _print_list(REDUCTIONS)
        return Exit(OK)
    if args.file is None:
        message = "reduce needs FROM, TO and FILE, or --list"
        raise UnknownNameError(message)
    steps = way(args.source, args.target, args.as_printed)
    stops = forward_along(steps, _read(steps[0].source, args.file))
    if args.back is not None:
        for step in filter(_refuted, steps):
            print(_told(step), file=sys.stderr)
        return _back(args, steps, stops)
    for step in steps:
        print(_told(step), file=sys.stdout if args.output else sys.stderr)
    _write(args.output, stops[-1].to_dict())
    return Exit(OK)


def _back(
    args: Namespace, steps: Sequence[Reduction], stops: Sequence[Instance]
) -> Exit:
    """Map a result of the target back."""
    result = _result(args.back, stops[-1])
    if result.solution is None:
        complain(f"{args.back}: no solution to map back, it is {result.status}")
        return Exit(NO)
    found = back_along(steps, stops, result.solution)
    if found is None:
        complain(f"{args.back}: no solution of {args.source} is as good as that")
        return Exit(NO)
    if isinstance(found, Solution):
        _write(args.output, _result_of(stops[0], found, args.target).to_dict())
    else:
        _write(args.output, {"problem": stops[0].problem, "solution": found})
    return Exit(OK)


def _read(problem: str, path: str) -> Instance:
    document = files.read(path)
    try:
        return instance_of(problem, document)
    except AtleastkError as error:
        message = f"{path}: {error}"
        raise type(error)(message) from error


def _result(path: str, instance: Instance) -> Result:
    """Return the result in a file, which must be right for the image."""
    document = files.read(path, InvalidResultError)
    try:
        result = Result.from_dict(document)
    except InvalidResultError as error:
        message = f"{path}: {error}"
        raise type(error)(message) from error
    if result.solution is not None:
        violations = api.check(instance, result).violations
        if violations:
            message = f"{path}: {violations[0]}"
            raise InvalidResultError(message)
    return result


def _result_of(instance: Instance, solution: Solution, target: str) -> Result:
    """Return the result that a solution mapped back is, once it is checked."""
    verdict = api.check(instance, solution)
    if not verdict.feasible:
        message = f"mapped back from {target}, but {verdict.violations[0]}"
        raise WrongAnswerError(message)
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


def _told(step: Reduction) -> str:
    return f"{step.name} ({step.kind}, {step.reference}; {state_of(step)})"


def _refuted(step: Reduction) -> bool:
    check = check_of(step)
    return check is not None and check.refuting > 0


def _print_list(reductions: Iterable[Reduction]) -> None:
    print_table(
        ("from", "to", "kind", "reference", "state", "holds for", "claim"),
        (
            (
                r.source,
                r.target,
                r.kind,
                r.reference,
                state_of(r),
                r.hypotheses,
                r.claim,
            )
            for r in reductions
        ),
    )


def _write(output: str | None, document: Mapping[str, Any]) -> None:
    if output:
        files.write(output, document)
    else:
        print(json.dumps(document))
