"""The search for the least radius: decisions at distances between bound and cost.

From the bound upwards, at first in small steps, which grow; once a radius succeeds, by
bisection below it. Where limits or large clusters make small radii hopeless, bisection
begins at once. A decision that takes too long is left open, and the search goes on
above it, then below; when nothing is left, the open ones are asked again with more
effort. Whatever succeeds may have a smaller radius than was asked for.

Distances are those of neighbourhoods, which are extended as the search climbs. What is
asked at a radius - about balls of it, or about cliques of that diameter - is a
:class:`Question`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.metric_spaces import FAR
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.status import Status
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import (
    MOST_NEIGHBOURS,
    Neighbourhoods,
    count_within,
    neighbourhoods,
)
from atleastk.solvers.r_gather.decision import LARGE
from atleastk.solvers.search import Search

__all__ = ["Climb", "Question", "Questions"]


_GROWTH: Final = 4


class Question(Protocol):
    """Whether all points can be gathered at a radius, or diameter."""

    @property
    def worthwhile(self) -> bool:
        """Whether more effort may help."""

    def ask(self, effort: int, budget: Budget) -> ClusteringSolution | Status:
        """Return a solution, INFEASIBLE or UNKNOWN, at effort 0, 1, .."""


Questions = Callable[[RGather, Neighbourhoods, int, Budget], Question]
"""Gives the question at a radius, within the limit of the neighbourhoods."""


class Climb:
    """What is known around the points, and the questions that stayed open."""

    def __init__(
        self, search: Search[RGather], questions: Questions, source: str
    ) -> None:
        instance = search.instance
        self._search = search
        self._questions = questions
        self._source = source
        self._near: Neighbourhoods | None = None
        self._asked: dict[int, Question] = {}
        limited = instance.most_clusters < instance.n // instance.r
        self._bisecting = limited or instance.r >= LARGE

    def ask_all(self, effort: int, budget: Budget) -> bool:
        """Ask until all that is left stayed open; tell whether to try harder.

        That is not so if the search is done, or if there are too many neighbours.
        Meanwhile others may better cost and bound.
        """
        search, step = self._search, 1
        open_radii: set[int] = set()
        while not search.closed and not budget.spent:
            radii = self._radii()
            place = self._next(radii, open_radii, step)
            if place is not None:
                if not self._ask(radii, place, effort, budget):
                    open_radii.add(int(radii[place]))
                step *= _GROWTH
            elif not self._complete:
                if not self._extend(budget):
                    return False
            elif len(radii):
                left = open_radii.intersection(self._asked)
                return any(self._asked[radius].worthwhile for radius in left)
            elif search.cost is None:
                search.close_infeasible(self._source)
            else:
                search.raise_bound(search.cost, self._source)
        return False

    @property
    def _last(self) -> int:
        """The greatest radius that is worth asking about."""
        cost = self._search.cost
        return FAR - 1 if cost is None else cost - 1

    @property
    def _complete(self) -> bool:
        """Whether all radii that are left are known."""
        return self._near is not None and self._near.limit >= self._last

    def _radii(self) -> IntArray:
        """Return the distances from the bound to below the cost that are known."""
        if self._near is None:
            return np.empty(0, dtype=np.int64)
        return self._near.values((self._search.bound or 0) - 1, self._last)

    def _next(self, radii: IntArray, open_radii: set[int], step: int) -> int | None:
        """Return the place of the radius to ask about next, None if there is none."""
        stayed = np.flatnonzero(np.isin(radii, list(open_radii)))
        above = int(stayed[-1]) + 1 if len(stayed) else 0
        if above < len(radii):
            if self._bisecting and self._complete:
                return (above + len(radii) - 1) // 2
            return min(above + step - 1, len(radii) - 1)
        if self._complete and len(stayed) and stayed[0]:
            return int(stayed[0]) // 2
        return None

    def _extend(self, budget: Budget) -> bool:
        """List further neighbours; tell whether there was room and time for them."""
        search, instance = self._search, self._search.instance
        few = instance.n**2 <= MOST_NEIGHBOURS
        known = search.bound or 0 if self._near is None else self._near.limit + 1
        further = min(self._last, known + known // (2 if instance.squared else 4))
        all_at_once = self._bisecting or (few and search.cost is None)
        limits = (self._last, further) if all_at_once else (further,)
        for limit in limits:
            if few or count_within(instance.space, limit) <= MOST_NEIGHBOURS:
                near = neighbourhoods(instance.space, limit, budget)
                if budget.spent:  # rows may be missing: a later turn lists them
                    return False
                self._near = near
                return True
        return False

    def _ask(self, radii: IntArray, place: int, effort: int, budget: Budget) -> bool:
        """Ask about a radius and report the answer; tell whether there was one."""
        search, near, radius = self._search, self._near, int(radii[place])
        if near is None:
            return False
        if radius not in self._asked:
            question = self._questions(search.instance, near, radius, budget)
            self._asked[radius] = question
        answer = self._asked[radius].ask(effort, budget)
        if answer is Status.INFEASIBLE:
            self._refuted(radii, place)
        elif isinstance(answer, ClusteringSolution):
            search.offer(answer, self._source)
            self._bisecting = True
        else:
            return False
        bound, last = search.bound or 0, self._last
        for old in [R for R in self._asked if not bound <= R <= last]:
            del self._asked[old]
        return True

    def _refuted(self, radii: IntArray, place: int) -> None:
        """Report that the cost is above a radius."""
        search = self._search
        if place + 1 < len(radii):
            search.raise_bound(int(radii[place + 1]), self._source)
        elif not self._complete:
            search.raise_bound(int(radii[place]) + 1, self._source)
        elif search.cost is not None:
            search.raise_bound(search.cost, self._source)
        else:
            search.close_infeasible(self._source)
