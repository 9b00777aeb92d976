"""The search for the least radius: decisions at distances between bound and cost.

From the bound upwards, and once a radius succeeds by bisection below it; where limits
or large clusters make small radii hopeless, bisection begins at once. A decision that
takes too long is left open, and the search goes on around it; when nothing is left, the
open ones are asked again with more effort. Whatever succeeds may have a smaller radius
than was asked for.

Distances are those of neighbourhoods, which are extended as the search climbs. What is
asked at a radius - about balls of it, or about cliques of that diameter - is a
:class:`Question`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final, Protocol

from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.results.status import Status
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import (
    MOST_NEIGHBOURS,
    Neighbourhoods,
    count_within,
    neighbourhoods,
)
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.levels import Walk
from atleastk.solvers.r_gather.decision import LARGE
from atleastk.solvers.search import Search

_STEP: Final = 3
"""The first step up, in distances: not tuned."""

_GROWTH: Final = 4
"""How many times as long every further step is: not tuned."""


class Question(Protocol):
    """Whether all points can be gathered at a radius, or diameter."""

    @property
    def worthwhile(self) -> bool:
        """Whether more effort may help."""

    def ask(self, effort: int, budget: Budget) -> Decision[ClusteringSolution]:
        """Work on the question, at effort 0, 1, .."""


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
        self._climbing = not limited and instance.r < LARGE

    def ask_all(self, effort: int, budget: Budget) -> bool:
        """Ask until all that is left stayed open; tell whether to try harder.

        That is not so if the search is done, or if there are too many neighbours.
        Meanwhile others may better cost and bound.
        """
        search = self._search
        walk = Walk(self._climbing, _STEP, _GROWTH, patience=inf)
        while not search.closed and not budget.spent:
            complete, radii = self._complete, self._radii()
            place = walk.next(radii, complete=complete)
            if place is not None:
                walk.take(radii[place], self._ask(radii, place, effort, budget))
                self._climbing = walk.climbing
            elif not complete:
                if not self._extend(budget):
                    return False
            elif radii:
                left = walk.undecided.intersection(self._asked)
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

    def _radii(self) -> list[int]:
        """Return the distances from the bound to below the cost that are known."""
        if self._near is None:
            return []
        values = self._near.values((self._search.bound or 0) - 1, self._last)
        return [*map(int, values)]

    def _extend(self, budget: Budget) -> bool:
        """List further neighbours; tell whether there was room and time for them."""
        search, instance = self._search, self._search.instance
        few = instance.n**2 <= MOST_NEIGHBOURS
        known = search.bound or 0 if self._near is None else self._near.limit + 1
        further = min(self._last, known + known // (2 if instance.squared else 4))
        all_at_once = not self._climbing or (few and search.cost is None)
        limits = (self._last, further) if all_at_once else (further,)
        for limit in limits:
            if few or count_within(instance.space, limit) <= MOST_NEIGHBOURS:
                near = neighbourhoods(instance.space, limit, budget)
                if budget.spent:  # rows may be missing: a later turn lists them
                    return False
                self._near = near
                return True
        return False

    def _ask(
        self, radii: Sequence[int], place: int, effort: int, budget: Budget
    ) -> Status:
        """Ask about a radius, and report and return what that came to."""
        search, near, radius = self._search, self._near, radii[place]
        if near is None:
            return Status.UNKNOWN
        if radius not in self._asked:
            question = self._questions(search.instance, near, radius, budget)
            self._asked[radius] = question
        decision = self._asked[radius].ask(effort, budget)
        if decision.status is Status.INFEASIBLE:
            self._refuted(radii, place)
        elif decision.found is not None:
            search.offer(decision.found, self._source)
        bound, last = search.bound or 0, self._last
        for old in [R for R in self._asked if not bound <= R <= last]:
            del self._asked[old]
        return decision.status

    def _refuted(self, radii: Sequence[int], place: int) -> None:
        """Report that the cost is above a radius."""
        search = self._search
        if place + 1 < len(radii):
            search.raise_bound(radii[place + 1], self._source)
        elif not self._complete:
            search.raise_bound(radii[place] + 1, self._source)
        elif search.cost is not None:
            search.raise_bound(search.cost, self._source)
        else:
            search.close_infeasible(self._source)
