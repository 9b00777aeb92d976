"""``atleastk adversary``: how bad an algorithm can be, by searching."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import Any, Final

from atleastk.cli.console import NO, OK, Exit, complain
from atleastk.cli.options import option
from atleastk.cli.outputs import JSON, STUDY
from atleastk.cli.print_table import print_table
from atleastk.cli.progress import shown
from atleastk.cli.readers import amount
from atleastk.cli.shared_options import Reading, executed, printed, seeded
from atleastk.instances.fields.errors import (
    NotApplicableError,
    UnknownNameError,
    meant,
    placed,
)
from atleastk.instances.fields.shapes import AnyObject, Nullable, Number, Shape, Text
from atleastk.instances.files import files
from atleastk.instances.instance import Instance
from atleastk.models.wording import counted
from atleastk.research.adversary.finds import Fault, Find, Found, is_new, judged_for_all
from atleastk.research.adversary.searching import Adversary
from atleastk.research.studies.results import StudyResults
from atleastk.runs import api
from atleastk.runs.own_algorithms import (
    ALL,
    algorithm_of,
    algorithms_of,
    problem_of_algorithm,
)
from atleastk.runs.performing import performed
from atleastk.runs.registry import instance_from_dict, problem_named
from atleastk.solvers.method import Algorithm
from atleastk.solvers.problem import Problem

_COMPARED: Final[Mapping[str, Shape[object]]] = {
    "algorithm": Text(),
    "ratio": Nullable(Number(0)),
    "instance": AnyObject(),
}
"""The fields of a find that decide whether another one is worse."""
_SHORT: Final = 80
"""Characters of an instance that is shown in full; `--json` and `-o` have them all."""


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    algorithm: str = option(
        "ALGORITHM",
        "a shipped one, FILE.py:FUNCTION, cmd:PROGRAM, or all (of --problem P)",
    )
    problem: str | None = option(
        "--problem P", "its problem, if several have one of that name or it is your own"
    )
    time_limit: float = option(
        "--time-limit S",
        "seconds for each search, and for shrinking at most (default: 15)",
        amount,
        default=15.0,
    )
    start: str | None = option(
        "--start FILE",
        "begin at instances, or at the worst of a study (.db), besides what is known",
        reads="what it starts from",
    )
    seed: int = seeded()
    executor: str | None = executed()
    json: bool = printed()
    output: str | None = option(
        "-o --output FILE",
        "add what is worse than all finds of a file (.jsonl)",
        writes=JSON,
    )
    propose: str | None = option(
        "--propose FILE",
        "write the instances that are worse than all known, for library add (.jsonl)",
        writes=JSON,
    )


def run(options: Options) -> Exit:
    """Search for the worst instance of each algorithm, and write the record."""
    records, start = _read_records(options.output), _starts(options.start)
    ended, proposed = dict[int, tuple[Algorithm[Any], Find]](), list[dict[str, Any]]()
    asked = _asked(options)
    for other, (problem, _) in product(start, asked):
        if other.problem != problem.name:
            raise NotApplicableError(f"{options.start}: {other}, not of {problem.name}")

    def known(problem: Problem[Any]) -> list[dict[str, Any]]:
        return [
            record
            for record in records
            if record["instance"]["problem"] == problem.name
        ]

    here = Path.cwd()
    calls = (
        partial(_worst, problem.name, which, here, options, known(problem), start)
        for problem, which in asked
    )
    with shown("the adversary"):
        for place, (find, nothing) in performed(calls, options.executor):
            problem, which = asked[place]
            algorithm = algorithm_of(problem, which)
            if find is None:
                complain(f"{algorithm.name}: {nothing}")
                continue
            ended[place] = algorithm, find
            if options.json:
                print(json.dumps(find.to_dict()), flush=True)
            if options.output and is_new(find.to_dict(), known(problem)):
                records += _recorded(problem, find, known(problem))
                files.write_lines(options.output, records)
            if options.propose and isinstance(find, Found) and find.is_worst_known:
                proposed.append(find.proposal.to_dict())
                files.write_lines(options.propose, proposed)
    finds = [ended[place] for place in sorted(ended)]
    if not options.json:
        _print(finds)
    if start and not options.json:
        where = f"{counted(len(start), 'instance')} of {options.start}"
        for found in (find for _, find in finds if isinstance(find, Found)):
            worst = f"worst {found.begun:.4f}" if found.begun else "none with a ratio"
            print(f"{found.algorithm} began at {where}, {worst}")
    if options.propose and not proposed:
        print(f"{options.propose}: not written, nothing is worse than what is known")
    wrong = any(_wrong(find) for _, find in finds)
    return Exit(NO if wrong or not finds else OK)


@lru_cache(1)
def _adversary(name: str) -> Adversary:
    """Return the adversary of a problem: algorithms of one follow each other."""
    return Adversary(problem_named(name))


def _worst(
    name: str,
    which: str,
    folder: Path,
    options: Options,
    before: Sequence[Mapping[str, Any]],
    start: Sequence[Instance],
) -> tuple[Find | None, str]:
    """Search for the worst instance of an algorithm, here or on a worker.

    Return also why nothing was found. A program that takes as long for one instance as
    a whole search may, hangs.
    """
    adversary = _adversary(name)
    find = adversary.worst_of(
        algorithm_of(adversary.problem, which, folder, options.time_limit),
        seconds=options.time_limit,
        seed=options.seed,
        known=[instance_from_dict(record["instance"]) for record in before],
        start=start,
    )
    return find, adversary.nothing


def _asked(options: Options) -> Sequence[tuple[Problem[Any], str]]:
    name, which = options.problem, options.algorithm
    if which == ALL:
        attacked = [p for p in api.problems() if p.ground is not None]
        problems = [problem_named(name)] if name else attacked
        found = [(p, one.name) for p in problems for one in algorithms_of(p)]
        if not found:
            raise NotApplicableError(f"{name} has no approximation algorithm")
        return found
    problem = problem_named(name or _problem_of(which))
    algorithm_of(problem, which)
    return [(problem, which)]


def _problem_of(which: str) -> str:
    if problem := problem_of_algorithm(which):
        return problem
    known = [(p.name, one.name) for p in api.problems() for one in algorithms_of(p)]
    names = [problem for problem, name in known if name == which]
    if len(names) != 1:
        several = ", ".join(names) or "none that is shipped"
        hint = "" if names else meant(which, [name for _, name in known])
        raise UnknownNameError(
            f"{which} is an algorithm of {several}: {hint}say --problem"
        )
    return names[0]


def _starts(path: str | None) -> Sequence[Instance]:
    """Read instances; of a study those on which its algorithms are worst."""
    if path is None:
        return ()
    if Path(path).suffix not in STUDY.suffixes:
        return api.load_all(path)
    with placed(path):
        ratios = StudyResults.load(path).ratios()
        tops = [tally.top for tally in ratios if tally.top] or [ratios.worst]
    return [*{top.instance.sha256: top.instance for top in tops}.values()]


def _read_records(path: str | None) -> list[dict[str, Any]]:
    if path is None or not Path(path).exists():
        return []
    records = []
    for line, record in files.read_lines(path):
        with placed(f"{path}:{line}"):
            for name, shape in _COMPARED.items():
                shape.parse(record.get(name), name)
        with placed(f"{path}:{line}: instance"):
            instance_from_dict(record["instance"])
        records.append(record)
    return records


def _recorded(
    problem: Problem[Any], find: Find, before: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    record = find.to_dict()
    names = {known["algorithm"] for known in before} - {find.algorithm}
    others = [one for one in algorithms_of(problem) if one.name in names]
    found = judged_for_all(problem, [record], others)
    return [record, *(other for other in found if is_new(other, before))]


def _wrong(find: Find) -> str:
    """Describe what an algorithm did wrong; empty if nothing."""
    if isinstance(find, Fault):
        return f"{find.algorithm}: {find.message}"
    if find.broken:
        return (
            f"{find.algorithm} breaks its promise: its cost is {find.cost}, "
            f"{find.least}"
        )
    return ""


def _print(finds: Sequence[tuple[Algorithm[Any], Find]]) -> None:
    columns = (
        *("problem", "algorithm", "promise", "all tiny>", "tried up to"),
        *("known>", "worst found>", "cost>", "optimum>", "instance"),
    )
    found = [
        _row(algorithm, find) for algorithm, find in finds if isinstance(find, Found)
    ]
    if found:
        print_table(columns, found)
    for _, find in finds:
        if fault := _wrong(find):
            print(f"{fault}: {json.dumps(find.instance.to_dict())}")


def _row(algorithm: Algorithm[Any], found: Found) -> Sequence[object]:
    document = found.instance.to_dict()
    problem = document.pop("problem")
    text = json.dumps(document)
    return (
        problem,
        algorithm.name,
        algorithm.promise,
        f"{found.exhausted.ratio:.4f}",
        found.exhausted.through,
        f"{found.known:.4f}",
        f"{found.ratio:.4f}",
        found.cost,
        f"{found.best} ({found.result.trust})" if found.is_exact else found.least,
        text if len(text) <= _SHORT else found.instance,
    )
