"""The registry: every problem that atleastk knows, and the only place that names them.

Adding one means adding its files on every floor, and its name and question here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, TypeVar, cast

from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    UnknownNameError,
    meant,
)
from atleastk.instances.fields.spelling import usual
from atleastk.instances.instance import Instance
from atleastk.plots.drawing import Draw
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.method import Algorithm, Family, Method, Problem

T = TypeVar("T")

_PARTS: Final = {
    "instance": "instances.{file}.{kind}",
    "check": "models.{file}.check",
    "check_certificate": "models.certificates.{file}.check_certificate",
    "first": "solvers.{file}.first.first_answers",
    "solve": "solvers.{file}.methods.solve",
    "methods": "solvers.{file}.methods.METHODS",
    "algorithms": "solvers.{file}.algorithms.catalogue.ALGORITHMS",
    "families": "instances.generators.{file}.FAMILIES",
    "certify": "solvers.{file}.certify.certify",
    "certify_less": "solvers.{file}.certify.certify_less",
}
"""Where the parts of a problem stand, by its name as a file and as a class."""


_LACKING: Final = ("certify", "certify_less")
"""Parts that some problems lack."""


class _Registered(Problem[Any]):
    """A problem whose parts are imported when they are first asked for.

    So no solver is loaded to read or check an instance.
    """

    def __init__(self, **parts: Any) -> None:
        vars(self).update(parts)

    def __getattr__(self, part: str) -> Any:
        """Import a part that has not been asked for before."""
        if part not in _PARTS:
            raise AttributeError(f"a problem has no {part!r}")
        file, kind = self.name.replace("-", "_"), self.name.title().replace("-", "")
        place, _, name = _PARTS[part].format(file=file, kind=kind).rpartition(".")
        place = f"atleastk.{place}"
        default = (None,) if part == "certify_less" else ()
        with CLOCK.standing():
            if part in _LACKING and find_spec(place) is None:
                found = None
            else:
                found = getattr(import_module(place), name, *default)
        vars(self)[part] = found
        return found


PROBLEMS: Mapping[str, Problem[Any]] = {
    name: _Registered(name=name, question=question)
    for name, question in (
        (
            "bin-covering",
            "Partition sizes into bins of level >= k; minimise the fullest bin",
        ),
        (
            "interval-covering",
            "Partition a row of sizes into intervals of level >= k; minimise likewise",
        ),
        (
            "k-anonymity",
            "Suppress the fewest cells so that every row equals k - 1 others",
        ),
        (
            "suppression",
            "Suppress within limits on cells, rows, columns; lose the least",
        ),
        (
            "generalization",
            "Generalise cells so that every row equals k - 1 others; lose the least",
        ),
        (
            "diversity",
            "Generalise cells so that no class tells a sensitive value; lose the least",
        ),
        (
            "k-ambiguity",
            "Suppress the fewest cells so that every row matches k - 1 others",
        ),
        (
            "r-gather",
            "Cluster points, at least r together; minimise the greatest radius",
        ),
        (
            "cellular-clustering",
            "Cluster points; minimise the sum of size times radius",
        ),
        (
            "connected-partition",
            "Partition a graph into connected parts >= k; minimise the heaviest part",
        ),
        (
            "rectangle-tiling",
            "Tile the plane with rectangles >= k; minimise the heaviest",
        ),
        (
            "rectangle-tiling-grid",
            "Tile a grid with at most p rectangles; minimise the heaviest",
        ),
    )
}
"""Every problem by its name, which its files have on each floor, with underscores."""


def problem_named(name: str) -> Problem[Any]:
    """Return the problem of this name."""
    return _named(PROBLEMS, name, "problem")


def problem_of(instance: object) -> Problem[Any]:
    """Return the problem that an instance belongs to."""
    if not isinstance(instance, Instance):
        raise TypeError(f"expected an instance, got {type(instance).__name__}")
    return problem_named(instance.problem)


def drawing_of(instance: Instance) -> Draw:
    """Return how solutions of an instance are drawn."""
    file = instance.problem.replace("-", "_")
    return cast(Draw, import_module(f"atleastk.plots.{file}").draw)


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
    known_are = f"{meant(name, names)}known are {', '.join(names)}"
    raise UnknownNameError(f'no {what} is called "{name}"; {known_are}')
