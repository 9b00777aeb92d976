"""The search for the least radius: decisions at distances between bound and cost.

It goes from the bound upwards, and bisects once a radius succeeds; where limits or
large clusters make small radii hopeless, it bisects at once, or goes down from the cost
where many points are in any number of clusters. A decision that takes too long is left
open, and the search goes on around it; when nothing else is left, open ones are resumed
with more effort. Solutions may have a smaller radius than was required.

Distances are those of neighbourhoods, which are extended as the radius grows. The
decision at a radius is one of :mod:`~atleastk.solvers.r_gather.questions`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.certificates.r_gather import Certificate
from atleastk.models.results.status import Status
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import (
    MOST_NEIGHBOURS,
    Neighbourhoods,
    count_within,
    neighbourhoods,
)
from atleastk.solvers.engine.levels import Descent, Walk
from atleastk.solvers.r_gather.balls import LARGE
from atleastk.solvers.r_gather.questions import Question
from atleastk.solvers.search import Search

QuestionAt = Callable[[RGather, Neighbourhoods, int, Budget], Question]
"""Makes the question at a radius, within the limit of the neighbourhoods."""


class RadiusSearch:
    """The neighbourhoods known so far, and the questions that stayed open.

    Parameters
    ----------
    down
        Whether to go down from the cost, once one is known.
    """

    def __init__(
        self,
        search: Search[RGather],
        question_at: QuestionAt,
        source: str,
        *,
        down: bool = False,
    ) -> None:
        instance = search.instance
        self._search = search
        self._question_at = question_at
        self._source = source
        self._near: Neighbourhoods | None = None
        self._open: dict[int, Question] = {}
        self._upwards = not (down or instance.limited) and instance.r < LARGE
        self._down = down

    def decide_all(self, effort: int, budget: Budget) -> bool:
        """Decide until only open questions are left; return whether effort may help.

        It does not if the search is done, or if there are too many neighbours. Other
        threads may improve cost and bound meanwhile.
        """
        search = self._search
        walk = Walk(self._upwards, step=3, growth=4, patience=inf)
        if self._down and search.cost is not None:
            walk = Descent(climbing=False)
        while not search.closed and not budget.spent:
            walk.complete, radii = self._complete, self._radii()
            place = walk.next(radii)
            if place is not None:
                walk.take(radii[place], self._decide(radii, place, effort, budget))
                self._upwards = walk.climbing
            elif not walk.complete:
                if not self._extend(budget):
                    return False
            elif radii:
                left = walk.undecided.intersection(self._open)
                return any(self._open[radius].worthwhile for radius in left)
            elif search.cost is None:
                search.close_infeasible(self._source)
            else:
                search.raise_bound(search.cost, self._source)
        return False

    @property
    def _last(self) -> int:
        """The greatest radius that is of interest."""
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
        """List further neighbours; return whether there was room and time for them."""
        search, instance = self._search, self._search.instance
        few = instance.n**2 <= MOST_NEIGHBOURS
        known = search.bound or 0 if self._near is None else self._near.limit + 1
        further = min(self._last, known + known // (2 if instance.squared else 4))
        all_at_once = not self._upwards or (few and search.cost is None)
        limits = (self._last, further) if all_at_once else (further,)
        for limit in limits:
            if few or count_within(instance.space, limit) <= MOST_NEIGHBOURS:
                near = neighbourhoods(instance.space, limit, budget)
                if budget.spent:  # rows may be missing: a later turn lists them
                    return False
                self._near = near
                return True
        return False

    def _decide(
        self, radii: Sequence[int], place: int, effort: int, budget: Budget
    ) -> Status:
        """Decide about a radius, and report and return the outcome."""
        search, near, radius = self._search, self._near, radii[place]
        if near is None:
            return Status.UNKNOWN
        if radius not in self._open:
            question = self._question_at(search.instance, near, radius, budget)
            self._open[radius] = question
        decision = self._open[radius].decide(effort, budget)
        if decision.status is Status.INFEASIBLE:
            self._refuted(radii, place, decision.proof)
        elif decision.found is not None:
            search.offer(decision.found, self._source)
        bound, last = search.bound or 0, self._last
        for old in [R for R in self._open if not bound <= R <= last]:
            del self._open[old]
        return decision.status

    def _refuted(
        self, radii: Sequence[int], place: int, proof: Certificate | None
    ) -> None:
        """Report that the cost is above a radius."""
        search = self._search
        if place + 1 < len(radii):
            search.raise_bound(radii[place + 1], self._source, proof)
        elif not self._complete:
            search.raise_bound(radii[place] + 1, self._source, proof)
        elif search.cost is not None:
            search.raise_bound(search.cost, self._source, proof)
        else:
            search.close_infeasible(self._source)
