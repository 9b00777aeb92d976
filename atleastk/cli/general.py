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
from atleastk.anonymizing.relax import relaxed_limits
from atleastk.cli.console import (
    BAD_INPUT,
    NO,
    OK,
    Exit,
    complain,
    watched,
)
from atleastk.cli.outputs import (
    JSON,
    Kind,
    Paths,
    picture,
    through_the_door,
    write_results,
)
from atleastk.cli.result_text import meaning, told
from atleastk.cli.tables import print_table
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
from atleastk.instances.reading import is_standard
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import DECISIONS, MAXIMISATIONS, MINIMISATIONS
from atleastk.models.result import Result
from atleastk.models.solution import Verdict
from atleastk.solvers.budget import Budget
from atleastk.solvers.method import Algorithm, Problem
from atleastk.solving import Outcome, solve_within

__all__ = [
    "approximate",
    "check",
    "generate",
    "plot",
    "problems",
    "solve",
]

_MOST_GROUPS_SHOWN = 25


def _solve_paths(args: Namespace) -> Paths:
    read = [("an instance that is read", path) for path in args.files]
    return Paths([*read, ("the result to start from", args.start)], _output(args))


def _approximate_paths(args: Namespace) -> Paths:
    return Paths([("the instance that is read", args.file)], _output(args))


def _check_paths(args: Namespace) -> Paths:
    return Paths((("the instance", args.instance), ("the result", args.result)))


def _generate_paths(args: Namespace) -> Paths:
    return Paths(written=_output(args))


def _plot_paths(args: Namespace) -> Paths:
    read = (("the instance", args.instance), ("the result", args.result))
    output = _picture_of(args)
    return Paths(read, [(output, picture(output))])


def _output(args: Namespace) -> Sequence[tuple[str | None, Kind]]:
    return [(args.output, JSON)]


def _picture_of(args: Namespace) -> str:
    """Return where a picture goes: beside its result, unless told."""
    if args.output is None and is_standard(args.result):
        message = "plot of a result from standard input needs -o"
        raise AtleastkError(message)
    return args.output or str(Path(args.result).with_suffix(".png"))


@through_the_door(_solve_paths)
def solve(args: Namespace) -> Exit:
    """Solve every instance of the files, one after the other."""
    several = len(args.files) > 1 or any(map(files.holds_lines, args.files))
    _expect_lines(args.output, several)
    start = None if args.start is None else _result(args.start)
    code, abandoned, results = OK, False, []
    for path in args.files:
        try:
            for budget, instance in _queued(path, args):
                solved = _solve_one(instance, budget, path, start, args)
                relaxed, outcome = _relaxed(instance, solved, budget, args)
                results.append(outcome.result)
                abandoned |= outcome.abandoned
                shown = path if several else None
                if args.output:
                    code = max(code, _kept(args.output, results, 1))
                _print_result(instance, outcome.result, args.json, shown, relaxed)
                if outcome.signalled is not None:
                    return Exit(128 + outcome.signalled, abandoned)
                code = max(code, _code(outcome.result))
        except InvalidInstanceError as error:
            complain(error)
            code = BAD_INPUT
    return Exit(code, abandoned)


@through_the_door(_approximate_paths)
def approximate(args: Namespace) -> Exit:
    """Run one approximation algorithm, or all of them, on every instance of a file."""
    instances = api.load_all(args.file)
    several = len(instances) > 1
    _expect_lines(args.output, several or args.all)
    code = OK
    results: list[Result] = []
    for number, instance in enumerate(instances, start=1):
        shown = f"{args.file}, instance {number}" if several else None
        try:
            found = (_compare if args.all else _approximate)(instance, args, shown)
        except NotApplicableError as error:
            if not several:
                raise
            complain(f"{shown}: {error}")
            code = BAD_INPUT
            continue
        code = max(code, min(map(_code, found), default=NO))
        results += found
        if args.output:
            code = max(code, _kept(args.output, results, len(found)))
    return Exit(code)


def _approximate(
    instance: Instance, args: Namespace, path: str | None
) -> Sequence[Result]:
    result = api.approximate(instance, args.algorithm, args.seed)
    _print_result(instance, result, args.json, path)
    return [result]


def _compare(instance: Instance, args: Namespace, path: str | None) -> Sequence[Result]:
    problem = registry.problem_of(instance)
    outcomes = [_attempt(instance, a, args.seed) for a in problem.algorithms]
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    if args.json:
        for result in results:
            print(result.to_json())
    else:
        rows = map(_approximation_row, problem.algorithms, outcomes)
        columns = ("algorithm", "cost>", "groups>", "promise", "theorem")
        title = str(instance) if path is None else f"{path}: {instance}"
        print_table(columns, rows, title=title)
    return results


@through_the_door(_check_paths)
def check(args: Namespace) -> Exit:
    """Re-check results against their instances, without any solver.

    Of several instances each result is checked against the one that it names.
    """
    instances = api.load_all(args.instance)
    documents = _documents(args.result)
    code = OK
    for place, document in documents:
        verdict, what = _judged(instances, place, document)
        demand_met = verdict.proved if args.require == "proof" else verdict.feasible
        code = max(code, OK if demand_met else NO)
        shown = place if len(documents) > 1 else None
        if args.json:
            print(json.dumps(_verdict_row(verdict, shown)))
        else:
            _print_verdict(verdict, what, demand_met, shown)
    return Exit(code)


@through_the_door(_generate_paths)
def generate(args: Namespace) -> Exit:
    """Generate an instance of a family."""
    family = registry.family_named(registry.problem_named(args.problem), args.family)
    parameters = _parameters(family, [*args.set, *_pairs(args.extra)])
    instance = api.generate(args.problem, args.family, args.seed, **parameters)
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


@through_the_door(_plot_paths)
def plot(args: Namespace) -> Exit:
    """Draw a result and write the picture."""
    output = _picture_of(args)
    instance, result = api.load(args.instance), _result(args.result)
    try:
        api.plot(instance, result, output, kind=args.kind)
    except (InvalidResultError, NotApplicableError) as error:
        message = f"{args.result}: {error}"
        raise type(error)(message) from error
    print(output)
    return Exit(OK)


def _expect_lines(output: str | None, several: bool) -> None:
    """Refuse to write several results into a file of one."""
    if output and several and not (is_standard(output) or files.is_lines(output)):
        message = f"{output}: several results need a name that ends in .jsonl"
        raise AtleastkError(message)


def _queued(path: str, args: Namespace) -> Iterator[tuple[Budget, Instance]]:
    """Give the instances of a file, each with a budget that includes its loading."""
    if not files.holds_lines(path):
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
            goal=api.goal_of(args.gap, args.target),
        )


def _relaxed(
    instance: Instance, outcome: Outcome, budget: Budget, args: Namespace
) -> tuple[Sequence[str] | None, Outcome]:
    """Return what to relax if that is asked for, None if not; and the outcome then."""
    if not args.relax or not isinstance(instance, Suppression):
        return None, outcome
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
    """Return the one result of a file."""
    (place, document), *others = _documents(path)
    if others:
        message = f"{path}: holds {len(others) + 1} results; expected one"
        raise InvalidResultError(message)
    return _result_at(place, document)


def _documents(path: str) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """Return the JSON objects of the results in a file, each with its place."""
    if not files.holds_lines(path):
        return [(path, files.read(path, InvalidResultError))]
    lines = files.read_lines(path, InvalidResultError)
    return [(f"{path}:{line}", document) for line, document in lines]


def _result_at(place: str, document: Mapping[str, Any]) -> Result:
    try:
        return Result.from_dict(document)
    except InvalidResultError as error:
        message = f"{place}: {error}"
        raise type(error)(message) from error


def _judged(
    instances: Sequence[Instance], place: str, document: Mapping[str, Any]
) -> tuple[Verdict, str]:
    """Return the verdict on a result, and what the result says in a few words."""
    try:
        result = _result_at(place, document)
    except ContradictoryResultError as error:
        return Verdict(None, (str(error),)), ""
    of = {instance.sha256: instance for instance in reversed(instances)}
    instance = of.get(result.instance_sha256, instances[0])
    if len(instances) > 1 and result.instance_sha256 not in of:
        wrong = f"the result is of none of the {len(instances)} instances"
        return Verdict(None, (wrong,)), ""
    verdict = api.check(instance, result)
    if verdict.cost is None:
        return verdict, result.status.lower()
    what = f"cost {verdict.cost} {meaning(instance, verdict.cost)}"
    return verdict, what.rstrip()


def _verdict_row(verdict: Verdict, place: str | None) -> Mapping[str, Any]:
    return {
        **({} if place is None else {"result": place}),
        "holds": verdict.feasible,
        "proved": verdict.proved,
        "cost": verdict.cost,
        "violations": verdict.violations,
        "verified": verdict.verified,
        "claimed": verdict.claimed,
    }


def _print_verdict(
    verdict: Verdict, what: str, demand_met: bool, place: str | None
) -> None:
    head = "" if place is None else f"{place}: "
    if not verdict.feasible:
        head += "does not hold: "
        print(f"{head}{verdict.violations[0]}")
        for violation in verdict.violations[1:]:
            print(f"{' ' * len(head)}{violation}")
        return
    if not demand_met:
        word = "not proved"
    elif verdict.cost is None and verdict.claimed and not verdict.proved:
        word = "claimed"
    else:
        word = "holds"
    print(f"{head}{word}: {what}")
    for line in (*verdict.verified, *verdict.claimed):
        print(f"  {line}")


def _kept(output: str, results: Sequence[Result], new: int) -> int:
    """Write results, of which the last are new; return the exit code of that.

    Why it cannot be is told only, since the results are printed, too.
    """
    try:
        start = len(results) - new if is_standard(output) else 0
        write_results(output, results[start:])
    except AtleastkError as error:
        complain(error)
        return BAD_INPUT
    return OK


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
        chosen[name] = _value(f"{family.name} {name}", text, family.default(name))
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
