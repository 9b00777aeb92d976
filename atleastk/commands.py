"""What the commands of the command line do, once their arguments are parsed."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from atleastk import api, registry
from atleastk.console import (
    BAD_INPUT,
    NO,
    OK,
    Exit,
    complain,
    expect_writable,
    watched,
)
from atleastk.instances import files
from atleastk.instances.errors import (
    AtleastkError,
    ContradictoryResultError,
    InvalidInstanceError,
    InvalidResultError,
    NotApplicableError,
    UnknownNameError,
)
from atleastk.instances.family import Family
from atleastk.instances.instance import Instance
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import DECISIONS, MAXIMISATIONS, MINIMISATIONS
from atleastk.models.result import Result
from atleastk.models.solution import Verdict
from atleastk.plots.drawing import save
from atleastk.plots.events import draw_events
from atleastk.relaxing import relaxed_limits
from atleastk.solvers.budget import Budget
from atleastk.solvers.method import Algorithm, Problem
from atleastk.solving import Outcome, solve_within
from atleastk.tables import print_table
from atleastk.telling import meaning, told

__all__ = [
    "approximate",
    "check",
    "generate",
    "plot",
    "problems",
    "solve",
]

_MOST_GROUPS_SHOWN = 25


def solve(args: Namespace) -> Exit:
    """Solve every instance of the files, one after the other."""
    several = len(args.files) > 1 or any(map(files.is_lines, args.files))
    expect_writable(args.output)
    if args.output and several and not files.is_lines(args.output):
        message = f"{args.output}: several results need a name that ends in .jsonl"
        raise AtleastkError(message)
    start = None if args.start is None else _result(args.start)
    code, abandoned, results = OK, False, []
    for path in args.files:
        try:
            for budget, instance in _queued(path, args):
                outcome = _solve_one(instance, budget, path, start, args)
                results.append(outcome.result)
                abandoned |= outcome.abandoned
                relaxed = _relaxed(instance, outcome, budget, args)
                shown = path if several else None
                if args.output:
                    files.write_lines(args.output, [r.to_dict() for r in results])
                _print_result(instance, outcome.result, args.json, shown, relaxed)
                if outcome.signalled is not None:
                    return Exit(128 + outcome.signalled, abandoned)
                code = max(code, _code(outcome.result))
        except InvalidInstanceError as error:
            complain(error)
            code = BAD_INPUT
    return Exit(code, abandoned)


def approximate(args: Namespace) -> Exit:
    """Run one approximation algorithm, or all of them."""
    expect_writable(args.output)
    instance = api.load(args.file)
    if not args.all:
        result = api.approximate(instance, args.algorithm, args.seed)
        _write(args.output, result)
        _print_result(instance, result, args.json)
        return Exit(_code(result))
    problem = registry.problem_of(instance)
    outcomes = [_attempt(instance, a, args.seed) for a in problem.algorithms]
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    if args.json:
        for result in results:
            print(result.to_json())
    else:
        rows = map(_approximation_row, problem.algorithms, outcomes)
        columns = ("algorithm", "cost>", "groups>", "promise", "theorem")
        print_table(columns, rows, title=str(instance))
    if args.output:
        files.write_lines(args.output, [result.to_dict() for result in results])
    return Exit(min(map(_code, results), default=NO))


def check(args: Namespace) -> Exit:
    """Re-check a result against its instance, without any solver."""
    instance = api.load(args.instance)
    try:
        verdict = api.check(instance, _result(args.result))
    except ContradictoryResultError as error:
        verdict = Verdict(None, (str(error),))
    if args.json:
        print(
            json.dumps(
                {
                    "holds": verdict.feasible,
                    "cost": verdict.cost,
                    "violations": verdict.violations,
                }
            )
        )
    elif verdict.feasible:
        print(f"holds: cost {verdict.cost} {meaning(instance, verdict.cost)}".rstrip())
    else:
        print(f"does not hold: {verdict.violations[0]}")
        for violation in verdict.violations[1:]:
            print(f"               {violation}")
    return Exit(OK if verdict.feasible else NO)


def generate(args: Namespace) -> Exit:
    """Generate an instance of a family."""
    expect_writable(args.output)
    family = registry.family_named(registry.problem_named(args.problem), args.family)
    parameters = _parameters(family, [*args.set, *_pairs(args.extra)])
    try:
        instance = family.make(args.seed, **parameters)
    except (ArithmeticError, TypeError, ValueError) as error:
        message = f"{family.name}: {error}"
        raise InvalidInstanceError(message) from error
    if args.output:
        files.write(args.output, instance.to_dict())
    else:
        print(json.dumps(instance.to_dict()))
    return Exit(OK)


def problems(args: Namespace) -> Exit:
    """Show what atleastk knows: all problems, one of them, or its JSON Schema."""
    if args.name is None:
        if args.schema:
            message = "problems --schema needs the name of a problem"
            raise UnknownNameError(message)
        print_table(
            ("problem", "question", "methods", "algorithms", "families"),
            (
                (
                    problem.name,
                    problem.question,
                    *(
                        ", ".join(entry.name for entry in entries)
                        for entries in (
                            problem.methods,
                            problem.algorithms,
                            problem.families,
                        )
                    ),
                )
                for problem in api.problems()
            ),
        )
        return Exit(OK)
    problem = registry.problem_named(args.name)
    if args.schema:
        print(json.dumps(problem.instance.json_schema(), indent=2))
    else:
        _print_problem(problem)
    return Exit(OK)


def plot(args: Namespace) -> Exit:
    """Draw a result and write the picture."""
    output = Path(args.output or Path(args.result).with_suffix(".png"))
    expect_writable(output)
    instance, result = api.load(args.instance), _result(args.result)
    if args.kind == "solution" and result.groups:
        violations = api.check(instance, result).violations
        if violations:
            message = f"{args.result}: {violations[0]}"
            raise InvalidResultError(message)
    try:
        if args.kind == "events":
            axes = draw_events(result)
        else:
            axes = registry.drawing_of(instance)(instance, result)
    except OverflowError as error:
        message = f"{args.result}: its numbers are too large to be drawn"
        raise NotApplicableError(message) from error
    save(axes, output)
    print(output)
    return Exit(OK)


def _queued(path: str, args: Namespace) -> Iterator[tuple[Budget, Instance]]:
    """Give the instances of a file, each with a budget that includes its loading."""
    if not files.is_lines(path):
        yield _budget(args), api.load(path)
        return
    for instance in api.load_all(path):
        yield _budget(args), instance


def _budget(args: Namespace) -> Budget:
    return api.budget_of(args.time_limit, args.workers, args.seed, args.memory_limit)


def _solve_one(
    instance: Instance,
    budget: Budget,
    path: str,
    start: Result | None,
    args: Namespace,
) -> Outcome:
    with watched(f"{path} by {args.method}", args.events, args.json) as on_event:
        return solve_within(
            registry.problem_of(instance),
            instance,
            budget,
            method=args.method,
            certify=args.certify,
            agree=args.agree,
            start=start,
            on_event=on_event,
        )


def _relaxed(
    instance: Instance, outcome: Outcome, budget: Budget, args: Namespace
) -> Sequence[str] | None:
    """Return what to relax if that is asked for; None if not."""
    if not args.relax or not isinstance(instance, Suppression):
        return None
    return relaxed_limits(instance, outcome, budget)


def _print_result(
    instance: Instance,
    result: Result,
    as_json: bool,
    path: str | None = None,
    relaxed: Sequence[str] | None = None,
) -> None:
    if as_json:
        more = {} if relaxed is None else {"relaxations": list(relaxed)}
        print(json.dumps({**result.to_dict(), **more}), flush=True)
        return
    if path is not None:
        print(f"{path}:")
    print(told(instance, result))
    for line in relaxed or ():
        print(f"  relax   {line}")
    groups = result.groups or ()
    for group in islice(groups, _MOST_GROUPS_SHOWN):
        print(f"    {' '.join(map(str, group))}")
    if len(groups) > _MOST_GROUPS_SHOWN:
        print(f"    ... {len(groups) - _MOST_GROUPS_SHOWN} more; -o or --json has all")
    sys.stdout.flush()


def _code(result: Result) -> int:
    return NO if result.solution is None else OK


def _result(path: str) -> Result:
    document = files.read(path, InvalidResultError)
    try:
        return Result.from_dict(document)
    except InvalidResultError as error:
        message = f"{path}: {error}"
        raise type(error)(message) from error


def _write(output: str | None, result: Result) -> None:
    if output:
        files.write(output, result.to_dict())


def _attempt(
    instance: Instance, algorithm: Algorithm[Any], seed: int
) -> Result | NotApplicableError:
    try:
        return api.approximate(instance, algorithm.name, seed)
    except NotApplicableError as error:
        return error


def _approximation_row(
    algorithm: Algorithm[Any], outcome: Result | NotApplicableError
) -> Sequence[object]:
    if isinstance(outcome, NotApplicableError):
        return (algorithm.name, "-", "-", str(outcome), "")
    if outcome.groups is None:
        return (algorithm.name, "-", "-", outcome.status.lower(), "")
    promise = algorithm.guarantee.promise if algorithm.guarantee else "none"
    return (
        algorithm.name,
        outcome.cost,
        len(outcome.groups),
        promise,
        algorithm.theorem,
    )


def _pairs(extra: Sequence[str]) -> Iterator[str]:
    """Turn ``--n 30 --k=7`` into ``n=30``, ``k=7``."""
    words = iter(extra)
    for word in words:
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not name:
            message = f'unexpected argument "{word}"; parameters are --NAME VALUE'
            raise UnknownNameError(message)
        if not equals:
            value = next(words, "")
        yield f"{name.replace('-', '_')}={value}"


def _parameters(family: Family[Any], pairs: Sequence[str]) -> Mapping[str, Any]:
    """Read ``name=value`` by the defaults of a family's parameters."""
    chosen: dict[str, Any] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        if name not in family.parameters:
            known = ", ".join(f"{n}={d}" for n, d in family.parameters.items())
            message = f'{family.name} has no parameter "{name}"; known are {known}'
            raise UnknownNameError(message)
        chosen[name] = _value(f"{family.name} {name}", text, family.parameters[name])
    return chosen


def _value(place: str, text: str, default: int | str | None) -> int | str:
    if isinstance(default, str):
        return text
    try:
        return int(text)
    except ValueError as error:
        if default is None and text:
            return text
        message = f'{place}: expected an integer, got "{text}"'
        raise InvalidInstanceError(message) from error


def _print_problem(problem: Problem[Any]) -> None:
    print(f"{problem.name}: {problem.question}\n")
    print_table(
        ("exact method", "family", "summary"),
        ((m.name, m.family, m.summary) for m in problem.methods),
    )
    print_table(
        ("algorithm", "promise", "theorem", "summary"),
        (
            (
                a.name,
                a.guarantee.promise if a.guarantee else "none",
                a.theorem,
                a.summary,
            )
            for a in problem.algorithms
        ),
    )
    print_table(
        ("family", "parameters", "summary"),
        (
            (f.name, " ".join(f"{n}={d}" for n, d in f.parameters.items()), f.summary)
            for f in problem.families
        ),
    )
    if problem.instance is Suppression:
        _print_names()


def _print_names() -> None:
    """Show the names of the suppression family, a row for each decision problem."""
    print_table(
        ("variant", "limits", "minimised", "k maximised"),
        (
            (
                name,
                ", ".join(decision.limits),
                " ".join(n for n, v in MINIMISATIONS.items() if v.decision == decision),
                " ".join(
                    n
                    for n, v in MAXIMISATIONS.items()
                    if (v.limits, v.type) == (decision.limits, decision.type)
                ),
            )
            for name, decision in DECISIONS.items()
        ),
        title=(
            f"{len(DECISIONS)} decision problems, {len(MINIMISATIONS)} minimisations, "
            f"{len(MAXIMISATIONS)} maximisations of k; names for the field variant"
        ),
    )
