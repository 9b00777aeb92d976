"""The search for the least radius: decisions at distances between bound and cost.

From the bound upwards, at first in small steps, which grow; once a radius succeeds, by
bisection below it. Where limits or large clusters make small radii hopeless, bisection
begins at once. A decision that takes too long is left open, and the search goes on
above it, then below; when nothing is left, the open ones are asked again with more
effort. Whatever succeeds may have a smaller radius than was asked for.

Distances are those of neighbourhoods, which are extended as the search climbs.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.errors import WrongAnswerError
from atleastk.instances.metric_spaces import FAR
from atleastk.instances.r_gather import RGather
from atleastk.solvers.gather.balls import ground, parts
from atleastk.solvers.gather.beginnings import gathered
from atleastk.solvers.gather.decision import LARGE, Decision
from atleastk.solvers.gather.neighbourhoods import (
    MOST_NEIGHBOURS,
    Neighbourhoods,
    count_within,
    neighbourhoods,
)
from atleastk.solvers.search import Search

__all__ = ["Climb"]

IntArray = NDArray[np.int64]

_SOURCE: Final = "cuts"
_GROWTH: Final = 4


class Climb:
    """What is known around the points, and the decisions that stayed open."""

    def __init__(self, search: Search[RGather]) -> None:
        instance = search.instance
        self._search = search
        self._near: Neighbourhoods | None = None
        self._decisions: dict[int, list[Decision]] = {}
        limited = instance.most_clusters < instance.n // instance.r
        self._bisecting = limited or instance.r >= LARGE

    def ask_all(self, effort: int) -> bool:
        """Ask until all that is left stayed open; tell whether to try harder.

        That is not so if the search is done, or if there are too many neighbours.
        """
        search, step = self._search, 1
        open_radii: set[int] = set()
        while not search.done:
            radii = self._radii()
            place = self._next(radii, open_radii, step)
            if place is not None:
                if not self._ask(radii, place, effort):
                    open_radii.add(int(radii[place]))
                step *= _GROWTH
            elif not self._complete:
                if not self._extend():
                    return False
            elif len(radii):
                return True
            elif search.cost is None:
                search.close_infeasible(_SOURCE)
            else:
                search.raise_bound(search.cost, _SOURCE)
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

    def _extend(self) -> bool:
        """List further neighbours; tell whether there is room for them."""
        search, instance = self._search, self._search.instance
        few = instance.n**2 <= MOST_NEIGHBOURS
        limit = self._last
        if not (few and search.cost is None) and not self._bisecting:
            known = search.bound or 0 if self._near is None else self._near.limit + 1
            limit = min(limit, known + known // (2 if instance.squared else 4))
        if not few and count_within(instance.space, limit) > MOST_NEIGHBOURS:
            return False
        self._near = neighbourhoods(instance.space, limit)
        return True

    def _ask(self, radii: IntArray, place: int, effort: int) -> bool:
        """Ask about a radius and report the answer; tell whether there was one."""
        search, radius = self._search, int(radii[place])
        if radius not in self._decisions:
            self._decisions[radius] = self._decisions_at(radius)
        decisions = self._decisions[radius]
        answers = []
        for decision in decisions:
            answers.append(decision.ask(effort, search.budget))
            if answers[-1] is not None and answers[-1].candidates is None:
                self._refuted(radii, place)
                return True
        if any(answer is None for answer in answers):
            return False
        self._succeeded(radius, decisions)
        return True

    def _decisions_at(self, radius: int) -> list[Decision]:
        """Return what is to be decided at a radius."""
        if self._near is None:
            return []
        whole = ground(self._search.instance, self._near, radius)
        separate = [whole] if whole.hopeless else parts(whole)
        return [Decision(part) for part in separate]

    def _refuted(self, radii: IntArray, place: int) -> None:
        """Report that the cost is above a radius."""
        search = self._search
        if place + 1 < len(radii):
            search.raise_bound(int(radii[place + 1]), _SOURCE)
        elif not self._complete:
            search.raise_bound(int(radii[place]) + 1, _SOURCE)
        elif search.cost is not None:
            search.raise_bound(search.cost, _SOURCE)
        else:
            search.close_infeasible(_SOURCE)
        self._forget()

    def _succeeded(self, radius: int, decisions: list[Decision]) -> None:
        """Report a solution: that of all decisions at a radius."""
        search, near = self._search, self._near
        chosen = [
            decision.ground.centres[decision.answer.candidates]
            for decision in decisions
            if decision.answer is not None and decision.answer.candidates is not None
        ]
        if near is None:
            return
        centres = np.sort(np.concatenate(chosen))
        balls = near.balls(radius, centres)
        solution = gathered(search.instance, centres, balls)
        if solution is None:
            message = f"{_SOURCE}: the centres chosen at {radius} cannot be filled"
            raise WrongAnswerError(message)
        search.offer(solution, _SOURCE)
        self._bisecting = True
        self._forget()

    def _forget(self) -> None:
        """Drop what was asked about radii that are out of the question now."""
        bound, last = self._search.bound or 0, self._last
        for radius in [R for R in self._decisions if not bound <= R <= last]:
            del self._decisions[radius]
