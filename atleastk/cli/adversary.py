"""``atleastk adversary``: how bad an algorithm can be, by searching."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from atleastk import api
from atleastk.adversary.searching import Found, worst_of
from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import JSON
from atleastk.cli.paths import Paths
from atleastk.cli.print_table import print_table
from atleastk.cli.progress import shown
from atleastk.cli.readers import amount
from atleastk.cli.shared_options import Reading, printed, seeded
from atleastk.instances import files
from atleastk.instances.errors import UnknownNameError, placed
from atleastk.instances.shapes import AnyObject, Number, Shape, Text
from atleastk.own_algorithms import algorithm_of, algorithms_of
from atleastk.registry import instance_from_dict, problem_named
from atleastk.solvers.method import Algorithm, Problem

__all__ = ["Options", "run"]

_COMPARED: Final[Mapping[str, Shape[object]]] = {
    "algorithm": Text(),
    "ratio": Number(0),
    "instance": AnyObject(),
}
"""The fields of a find that tell whether another one is worse."""
_SHORT: Final = 80
"""Characters of an instance that is shown in full; `--json` and `-o` have them all."""


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    """What ``atleastk adversary`` is asked."""

    algorithm: str = option(
        "ALGORITHM",
        "a shipped one, FILE.py:FUNCTION, cmd:PROGRAM, or all (of --problem P)",
    )
    problem: str | None = option(
        "--problem P", "its problem, if several have one of that name or it is your own"
    )
    time_limit: float = option(
        "--time-limit S", "seconds for each search (default: 15)", amount, default=15.0
    )
    seed: int = seeded()
    json: bool = printed()
    output: str | None = option(
        "-o --output FILE", "add what is worse than all finds of a file (.jsonl)"
    )

    def paths(self) -> Paths:
        return Paths([], [(self.output, JSON)])


def run(options: Options) -> Exit:
    """Search for the worst instance of an algorithm, and keep the record."""
    kept = _kept(options.output)
    finds = []
    with shown("the adversary"):
        for problem, algorithm in _asked(options):
            known = [
                instance_from_dict(record["instance"])
                for record in _of(kept, problem, algorithm)
            ]
            found = worst_of(
                problem,
                algorithm,
                seconds=options.time_limit,
                seed=options.seed,
                known=known,
            )
            if found is None:
                continue
            finds.append((algorithm, found))
            if options.json:
                print(json.dumps(found.to_dict()), flush=True)
            worst = max((r["ratio"] for r in _of(kept, problem, algorithm)), default=0)
            if options.output and found.ratio > worst:
                kept.append(found.to_dict())
                files.write_lines(options.output, kept)
    if not options.json:
        _print(finds)
    return Exit(OK if finds else NO)


def _asked(options: Options) -> Iterator[tuple[Problem[Any], Algorithm[Any]]]:
    """Yield the algorithms asked for, each with its problem."""
    if options.algorithm == "all":
        asked = [problem_named(options.problem)] if options.problem else api.problems()
        for problem in asked:
            yield from ((problem, algorithm) for algorithm in algorithms_of(problem))
        return
    if options.problem is not None:
        problem = problem_named(options.problem)
        yield problem, algorithm_of(problem, options.algorithm)
        return
    having = [
        problem
        for problem in api.problems()
        if options.algorithm in {algorithm.name for algorithm in problem.algorithms}
    ]
    if len(having) != 1:
        names = ", ".join(problem.name for problem in having) or "none that is shipped"
        message = f"{options.algorithm} is an algorithm of {names}: say --problem"
        raise UnknownNameError(message)
    yield having[0], algorithm_of(having[0], options.algorithm)


def _kept(path: str | None) -> list[dict[str, Any]]:
    """Return the records of a file, none if it does not exist."""
    if path is None or not Path(path).exists():
        return []
    kept = []
    for line, record in files.read_lines(path):
        with placed(f"{path}:{line}"):
            for name, shape in _COMPARED.items():
                shape.parse(record.get(name), name)
        with placed(f"{path}:{line}: instance"):
            instance_from_dict(record["instance"])
        kept.append(record)
    return kept


def _of(
    kept: Sequence[dict[str, Any]], problem: Problem[Any], algorithm: Algorithm[Any]
) -> list[dict[str, Any]]:
    """Return the records of an algorithm."""
    return [
        record
        for record in kept
        if record["algorithm"] == algorithm.name
        and record["instance"]["problem"] == problem.name
    ]


def _print(finds: Sequence[tuple[Algorithm[Any], Found]]) -> None:
    columns = (
        *("problem", "algorithm", "promise", "all tiny>", "of them"),
        *("worst found>", "cost>", "optimum>", "instance"),
    )
    print_table(columns, map(_row, finds))


def _row(find: tuple[Algorithm[Any], Found]) -> Sequence[object]:
    algorithm, found = find
    document = found.instance.to_dict()
    problem = document.pop("problem")
    told = json.dumps(document)
    optimum = f"{found.result.cost} ({found.result.trust})"
    return (
        problem,
        algorithm.name,
        algorithm.promise,
        f"{found.exhausted.ratio:.4f}",
        found.exhausted.through,
        f"{found.ratio:.4f}",
        found.cost,
        optimum,
        told if len(told) <= _SHORT else found.instance,
    )
