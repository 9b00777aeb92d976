"""Minimising by decisions: whether a solution costs at most a threshold.

The cost is one of the levels. The search asks about low ones first, where models are
small, each time twice as far up, until there is a solution; then it bisects what is
open below. A solution may be better than asked for, and a refusal raises the bound to
the next level: with L levels, at most 2 log2(L) + 2 decisions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import solution_of
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.r_gather import levels
from atleastk.models.solution import Solution
from atleastk.models.status import Status
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import remark
from atleastk.solvers.search import Search

__all__ = ["Decide", "begin", "by_model", "minimise_by_thresholds"]

Decide = Callable[[int, Budget], Solution | Status]
"""Gives a solution that costs at most so much, INFEASIBLE or UNKNOWN."""


def minimise_by_thresholds(
    search: Search[RGather], decide: Decide, source: str
) -> None:
    """Decide about levels until the least that can be kept is known."""
    steps = levels(search.instance)
    while not search.done:
        first, last = _open(search, steps)
        if first > last:
            _close(search, search.cost, source)
            return
        asked = (first + last) // 2
        if search.cost is None:
            asked = min(last, max(search.instance.n, 2 * first))
        answer = decide(int(steps[asked]), search.budget)
        if isinstance(answer, Solution):
            search.offer(answer, source)
        elif answer is Status.UNKNOWN:
            remark(search, source, int(steps[asked]))
            return
        elif asked < last:
            search.raise_bound(int(steps[asked + 1]), source)
        else:
            _close(search, search.cost, source)


def _close(search: Search[RGather], cost: int | None, source: str) -> None:
    """Report that no level is left below the cost, if there is one."""
    if cost is None:
        search.close_infeasible(source)
    else:
        search.raise_bound(cost, source)


def _open(search: Search[RGather], steps: IntArray) -> tuple[int, int]:
    """Return the first and last index of the levels that may be reached or beaten."""
    bound = 0 if search.bound is None else search.bound
    first = int(np.searchsorted(steps, bound))
    if search.cost is None:
        return first, len(steps) - 1
    return first, int(np.searchsorted(steps, search.cost)) - 1


def by_model(
    instance: RGather,
    encode: Callable[[RGather, int], SolutionEncoding],
    backend: Backend,
) -> Decide:
    """Return what decides by the points of a model."""

    def decide(most: int, budget: Budget) -> Solution | Status:
        encoding = encode(instance, most)
        answer = backend.minimise(encoding.model, budget)
        return (
            answer.status if answer.values is None else encoding.decode(answer.values)
        )

    return decide


def begin(search: Search[RGather], source: str) -> bool:
    """Tell whether any point has to be in a cluster; offer none if not."""
    instance = search.instance
    if instance.least_clustered:
        return not search.closed
    search.offer(solution_of((), (), range(instance.n)), source)
    search.raise_bound(0, source)
    return False
