"""The registry of all problems: the only place that lists their names.

Adding one means adding its files on every floor, and its name here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Final, TypeVar, cast

from atleastk.instances.family import Family
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    UnknownNameError,
    known_are,
)
from atleastk.instances.fields.spelling import usual
from atleastk.instances.instance import Instance
from atleastk.solvers.method import Algorithm, Method
from atleastk.solvers.problem import Problem

T = TypeVar("T")

NAMES: Final = (
    "bin-covering",
    "interval-covering",
    "k-anonymity",
    "suppression",
    "generalization",
    "diversity",
    "k-ambiguity",
    "r-gather",
    "cellular-clustering",
    "connected-partition",
    "rectangle-tiling",
    "rectangle-tiling-grid",
    "pair-partition",
)
"""Every problem, in the order of lists; its files have this name, with underscores."""


def _registered(name: str) -> Problem[Any]:
    file = name.replace("-", "_")
    return cast(Problem[Any], import_module(f"atleastk.solvers.{file}.problem").PROBLEM)


PROBLEMS: Mapping[str, Problem[Any]] = {name: _registered(name) for name in NAMES}
"""Every problem by its name."""


def problem_named(name: str) -> Problem[Any]:
    """Return the problem of this name."""
    return _named(PROBLEMS, name, "problem")


def problem_of(instance: object) -> Problem[Any]:
    """Return the problem that an instance belongs to."""
    if not isinstance(instance, Instance):
        raise TypeError(f"expected an instance, got {type(instance).__name__}")
    if instance.problem not in PROBLEMS:
        raise UnknownNameError(f'no problem is called "{instance.problem}"')
    return PROBLEMS[instance.problem]


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
        raise InvalidInstanceError(
            f"expected an object with fields, got {type(data).__name__}"
        )
    if "problem" not in data:
        raise InvalidInstanceError(f"problem: missing; known are {', '.join(PROBLEMS)}")
    name = data["problem"]
    if not isinstance(name, str):
        raise InvalidInstanceError(
            f"problem: expected a name, got {type(name).__name__}"
        )
    try:
        kind: type[Instance] = problem_named(name).instance
        return kind.from_dict(data)
    except UnknownNameError as error:
        raise InvalidInstanceError(f"problem: {error}") from error
    except RecursionError as error:
        raise InvalidInstanceError("nested too deeply") from error


def _named(
    known: Mapping[str, T], name: object, what: str, more: Iterable[str] = ()
) -> T:
    names = [*more, *known]
    if not isinstance(name, str):
        kind = type(name).__name__
        raise UnknownNameError(
            f"expected the name of a {what}, got {kind}; known: {', '.join(names)}"
        )
    name = usual(name, known)
    if name in known:
        return known[name]
    raise UnknownNameError(f'no {what} is called "{name}"; {known_are(name, names)}')
