"""Trials that many claims share: promises kept, ways there and back."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from typing import Any, TypeVar

from atleastk import api, registry
from atleastk.claims.claim import Attempt, Trial
from atleastk.instances.instance import Instance
from atleastk.instances.reductions.reduction import Reduction
from atleastk.models.solution import Solution
from atleastk.models.status import Status

__all__ = [
    "always",
    "compared",
    "example",
    "leads_back",
    "optimum_of",
    "promise_kept",
    "solved",
]

I_co = TypeVar("I_co", bound=Instance, covariant=True)
S = TypeVar("S")
Draw = Callable[[Random], Any]
"""Draws a case."""


def optimum_of(instance: Instance) -> int | None:
    """Return the least cost, proved by the package; None if nothing is feasible."""
    cost, _solution = solved(instance)
    return cost


def solved(instance: Instance) -> tuple[int, Solution] | tuple[None, None]:
    """Return the least cost and a best solution; Nones if nothing is feasible."""
    result = api.solve(instance, workers=1)
    if result.status is Status.INFEASIBLE:
        return None, None
    if result.status is not Status.OPTIMAL or result.cost is None:
        message = f"{instance.to_dict()}: {result.status}, without any limit"
        raise RuntimeError(message)
    assert result.solution is not None
    return result.cost, result.solution


def always(draw: Callable[[Random], S], wrong: Callable[[S], str | None]) -> Attempt:
    """Return a trial of what should hold of everything that is drawn."""

    def attempt(rng: Random) -> str | None:
        case = draw(rng)
        why = wrong(case)
        return None if why is None else f"{_shown(case)}: {why}"

    return attempt


def promise_kept(draw: Draw, names: Collection[str]) -> Attempt:
    """Return a trial of what algorithms promise: every cost is within its ceiling."""

    def wrong(instance: Any) -> str | None:
        optimum = optimum_of(instance)
        if optimum is None:
            return None
        problem = registry.problem_of(instance)
        for name in names:
            algorithm = registry.algorithm_named(problem, name)
            promise = algorithm.guarantee
            assert promise is not None
            if algorithm.refuses(instance) is not None:
                continue
            cost = api.approximate(instance, name).cost
            if cost is not None and not promise.holds(instance, cost, optimum):
                return f"{name} costs {cost}, the optimum {optimum}: not {promise}"
        return None

    return always(draw, wrong)


def example(compute: Callable[[], object], told: object) -> Trial:
    """Return the trial of a worked example: what it comes to is what is told."""

    def attempt(_rng: Random) -> str | None:
        found = compute()
        return None if found == told else f"{found}, not {told}"

    return Trial("the one case of the text", attempt)


def compared(draw: Draw, foreseen: Callable[[Any], tuple[Any, Any]]) -> Attempt:
    """Return a trial that two numbers are equal."""

    def wrong(case: Any) -> str | None:
        one, other = foreseen(case)
        return None if one == other else f"{one}, not {other}"

    return always(draw, wrong)


def leads_back(
    reduction: Reduction,
    draw: Draw,
    optimum: Callable[[Any], Any],
    is_best: Callable[[Any, Any], bool],
) -> Attempt:
    """Return a trial of a formula for the optimum of the source, and of the way back.

    `optimum` solves the source apart from the package, and `is_best` tells whether what
    the way back makes of a best solution of the image is a best one there.
    """
    assert reduction.cost is not None

    def wrong(source: Any) -> str | None:
        cost, solution = solved(reduction.forward(source))
        best = optimum(source)
        if cost is None or solution is None:
            return f"its image is infeasible, its optimum {best}"
        assert reduction.cost is not None
        claimed = reduction.cost(source, cost)
        if claimed != best:
            return f"its optimum is {best}, not {claimed}, as the image's {cost} has it"
        back = reduction.back(source, solution.groups)
        return None if is_best(source, back) else f"the way back gives {back}"

    return always(draw, wrong)


def _shown(case: object) -> str:
    return str(case.to_dict()) if isinstance(case, Instance) else str(case)
