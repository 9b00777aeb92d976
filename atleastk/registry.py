"""The registry: every problem that atleastk knows, and the only place that names them.

A problem is imported when it is asked for. Adding one means adding its files on every
floor and its name here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, TypeVar, cast

from atleastk.instances.errors import InvalidInstanceError, UnknownNameError
from atleastk.instances.instance import Instance
from atleastk.plots.drawing import Draw
from atleastk.solvers.method import Algorithm, Family, Method, Problem

__all__ = [
    "PROBLEMS",
    "algorithm_named",
    "drawing_of",
    "family_named",
    "instance_from_dict",
    "method_named",
    "problem_named",
    "problem_of",
]

T = TypeVar("T")

NAMES = (
    "bin-covering",
    "interval-covering",
    "k-anonymity",
    "suppression",
    "generalization",
    "k-ambiguity",
    "r-gather",
    "cellular-clustering",
    "connected-partition",
    "rectangle-tiling",
    "rectangle-tiling-grid",
)
"""Every problem: its files are called so on each floor, with underscores."""


class _Problems(Mapping[str, Problem[Any]]):
    """The problems by their names, each imported when it is first asked for."""

    def __getitem__(self, name: str) -> Problem[Any]:
        if name not in NAMES:
            raise KeyError(name)
        return cast(Problem[Any], _module_of("solvers", name, ".problem").PROBLEM)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


PROBLEMS: Mapping[str, Problem[Any]] = _Problems()
"""Every problem by its name."""


def _module_of(floor: str, name: str, door: str = "") -> Any:
    return import_module(f"atleastk.{floor}.{name.replace('-', '_')}{door}")


def problem_named(name: str) -> Problem[Any]:
    """Return the problem of this name."""
    return _named(PROBLEMS, name, "problem")


def problem_of(instance: object) -> Problem[Any]:
    """Return the problem that an instance belongs to."""
    if not isinstance(instance, Instance):
        message = f"expected an instance, got {type(instance).__name__}"
        raise TypeError(message)
    return problem_named(instance.problem)


def drawing_of(instance: Instance) -> Draw:
    """Return how solutions of an instance are drawn."""
    return cast(Draw, _module_of("plots", instance.problem).draw)


def method_named(problem: Problem[Any], name: str) -> Method[Any]:
    """Return the exact method of this name."""
    known = {method.name: method for method in problem.methods}
    return _named(known, name, f"method of {problem.name}", ["auto"])


def algorithm_named(problem: Problem[Any], name: str) -> Algorithm[Any]:
    """Return the approximation algorithm of this name."""
    known = {algorithm.name: algorithm for algorithm in problem.algorithms}
    return _named(known, name, f"algorithm of {problem.name}")


def family_named(problem: Problem[Any], name: str) -> Family[Any]:
    """Return the family of generated instances of this name."""
    known = {family.name: family for family in problem.families}
    return _named(known, name, f"family of {problem.name}")


def instance_from_dict(data: object) -> Instance:
    """Build an instance from its JSON object, whose field ``problem`` says of what."""
    if not isinstance(data, Mapping):
        message = f"expected an object with fields, got {type(data).__name__}"
        raise InvalidInstanceError(message)
    if "problem" not in data:
        message = f"problem: missing; known are {', '.join(PROBLEMS)}"
        raise InvalidInstanceError(message)
    name = data["problem"]
    if not isinstance(name, str):
        message = f"problem: expected a name, got {type(name).__name__}"
        raise InvalidInstanceError(message)
    try:
        kind: type[Instance] = problem_named(name).instance
        return kind.from_dict(data)
    except UnknownNameError as error:
        message = f"problem: {error}"
        raise InvalidInstanceError(message) from error
    except RecursionError as error:
        message = "nested too deeply"
        raise InvalidInstanceError(message) from error


def _named(
    known: Mapping[str, T], name: object, what: str, more: Iterable[str] = ()
) -> T:
    names = [*more, *known]
    if not isinstance(name, str):
        kind = type(name).__name__
        message = (
            f"expected the name of a {what}, got {kind}; known: {', '.join(names)}"
        )
        raise UnknownNameError(message)
    if name in known:
        return known[name]
    close = get_close_matches(name, names, n=1)
    hint = f'did you mean "{close[0]}"? ' if close else ""
    message = f'no {what} is called "{name}"; {hint}known are {", ".join(names)}'
    raise UnknownNameError(message)
