"""The judges of the sweeps: the optimum of a small instance, what a solution costs.

The optimum is found by enumeration, as `atleastk.solvers.brute_force` does for the
tests. What a solution costs is computed by the second checker, which shares no line
with the package; the enumeration gets the instance as the second checker reads it, with
the distances that it measures and the names of problems that it spells out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

import atleastk
from scripts import second_checker

Document = Mapping[str, Any]


class Judge(NamedTuple):
    """What is true of an instance."""

    best: int | None
    """The least cost; None if there is no solution."""
    cost: Callable[[Document], int | None]
    """What the solution in a result's JSON object costs; None if it is none."""


def judge_of(document: Document) -> Judge:
    """Return what is true of an instance.

    Raise `UnknownError` of the second checker if it cannot tell a distance, and
    `ValueError` if the instance is too large to be enumerated.
    """
    return _judge_of(json.dumps(document, sort_keys=True))


@lru_cache(maxsize=64)
def _judge_of(text: str) -> Judge:
    document = json.loads(text)
    return Judge(_optimum(document), cost_of(document))


def cost_of(document: Document) -> Callable[[Document], int | None]:
    """Return what computes the costs of solutions; None for what is no solution."""
    instance = second_checker.read_instance(json.loads(json.dumps(document)))

    def cost(solution: Document) -> int | None:
        second_checker.WORK.steps = 0
        try:
            return second_checker.cost_of(instance, dict(solution))
        except second_checker.ERRORS:
            return None

    return cost


def _optimum(document: dict[str, Any]) -> int | None:
    """Return the least cost of an instance, by enumeration; None if infeasible."""
    name = document["problem"].replace("-", "_")
    judge = import_module(f"atleastk.solvers.brute_force.{name}")
    try:
        found = judge.optimum(atleastk.from_dict(_spelled_out(document)))
    except atleastk.NotApplicableError as error:  # a run may be refused, no judge
        raise ValueError(f"it cannot be judged: {error}") from error
    cost: int | None = found[0] if isinstance(found, tuple) else found
    return cost


def _spelled_out(document: dict[str, Any]) -> dict[str, Any]:
    """Return an instance with the fields of its variant, and with all distances."""
    fields = second_checker.by_variant(document)
    if document["problem"] not in ("r-gather", "cellular-clustering"):
        return fields
    points = fields.pop("points", None)
    if points is None:
        return fields
    second_checker.WORK.steps = 0
    between = second_checker.read_instance(document)["between"]
    every = range(len(points))
    matrix = [[between(i, j) for j in every] for i in every]
    return {
        **{key: held for key, held in fields.items() if key not in ("metric", "scale")},
        "distances": matrix,
    }
