"""Trials of many claims: promises of algorithms, examples of the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Any, TypeVar

from atleastk.instances.instance import Instance
from atleastk.instances.reductions.checked import state_of
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status
from atleastk.research.claims.claim import Trial
from atleastk.research.reducing import REDUCTIONS
from atleastk.runs import api, registry

S = TypeVar("S")


def optimum_of(instance: Instance) -> int | None:
    """Return the least cost, proved by the package; None if nothing is feasible."""
    cost, _solution = solved(instance)
    return cost


def least_cost(instance: Instance) -> int:
    """Return the least cost of an instance that has a solution."""
    cost = optimum_of(instance)
    assert cost is not None, f"{instance.to_dict()} has a solution"
    return cost


def solved(instance: Instance) -> tuple[int, Solution] | tuple[None, None]:
    """Return the least cost and a best solution; Nones if nothing is feasible."""
    result = api.solve(instance, workers=1)
    if result.status is Status.INFEASIBLE:
        return None, None
    if result.interrupted:
        raise KeyboardInterrupt
    if result.status is not Status.OPTIMAL or result.cost is None:
        raise RuntimeError(f"{instance.to_dict()}: {result.status}, without any limit")
    assert result.solution is not None
    return result.cost, result.solution


def cases(
    family: str, draw: Callable[[Random], S], wrong: Callable[[S], str | None]
) -> Trial:
    """Return the trial that draws cases of a family and says what is wrong with one."""

    def attempt(rng: Random) -> str | None:
        case = draw(rng)
        why = wrong(case)
        shown = case.to_dict() if isinstance(case, Instance) else case
        return None if why is None else f"{shown}: {why}"

    return Trial(family, attempt)


def promise(family: str, draw: Callable[[Random], Any], *names: str) -> Trial:
    """Return the trial of the promises of algorithms on instances of a family."""

    def wrong(instance: Any) -> str | None:
        optimum = optimum_of(instance)
        if optimum is None:
            return None
        problem = registry.problem_of(instance)
        for name in names:
            algorithm = registry.algorithm_named(problem, name)
            promised = algorithm.guarantee
            assert promised is not None
            if algorithm.refuses(instance) is not None:
                continue
            cost = api.approximate(instance, name).cost
            if cost is not None and not promised.holds(instance, cost, optimum):
                return f"{name} costs {cost}, the optimum {optimum}: not {promised}"
        return None

    return cases(family, draw, wrong)


def example(compute: Callable[[], object], expected: object) -> Trial:
    """Return the trial of a worked example, which has an expected value."""

    def attempt(_rng: Random) -> str | None:
        found = compute()
        return None if found == expected else f"{found}, not {expected}"

    return Trial("the one case of the text", attempt)


def fared(reference: str) -> str:
    """Say how the reductions of a place of a text were verified, with replacements."""
    places = (reference, f"instead of {reference}")
    names = [
        f"{reduction.name} ({state_of(reduction)})"
        for reduction in REDUCTIONS
        if reduction.reference in places
    ]
    made = "scripts/reductions/check_sources.py, recorded in reduction_sources.json"
    return f"By {made}: {', '.join(names)}."


def partitions(
    items: tuple[int, ...], least: int, most: int
) -> Iterator[list[frozenset[int]]]:
    """Yield all partitions of items into groups of `least` to `most` items."""
    if not items:
        yield []
        return
    first, *others = items
    for size in range(least, min(most, len(items)) + 1):
        for more in combinations(others, size - 1):
            left = tuple(item for item in others if item not in more)
            for groups in partitions(left, least, most):
                yield [frozenset((first, *more)), *groups]
