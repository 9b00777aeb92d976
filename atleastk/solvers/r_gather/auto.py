"""r-gather: the automatic choice of methods; `STAGES`, at the end, lists it.

Where clusters of many points are large or limited, or outliers allowed, local search
and weights, by ascent or linear programs, often meet; decisions at radii close the gap.
Where points are too many for that, local search has the time that is left. Otherwise
decisions come first, by cuts: about balls, or cliques if centres are anywhere.
Every turn has more effort, and the local search another seed.

Same seed, one worker and no time limit: same answer.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from itertools import count
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.certificates.clustering import TOO_FEW, too_few
from atleastk.models.clustering import ClusteringSolution, measured, solution_of
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import (
    Neighbourhoods,
    count_within,
    least_radii,
    least_radii_of,
    nearest,
    neighbourhoods,
)
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.stages import (
    SideBySide,
    Stage,
    Stages,
    always,
    run_stages,
)
from atleastk.solvers.r_gather.ascent import raise_by_ascent
from atleastk.solvers.r_gather.balls import LARGE
from atleastk.solvers.r_gather.bounds import (
    raise_by_lonely_points,
    raise_by_scattered_points,
)
from atleastk.solvers.r_gather.first import begin, first_answers, offer_quickly
from atleastk.solvers.r_gather.local_search import improve
from atleastk.solvers.r_gather.questions import AmongPoints, Anywhere
from atleastk.solvers.r_gather.radius_search import RadiusSearch
from atleastk.solvers.r_gather.weights import raise_by_weights
from atleastk.solvers.search import Search

_MOST_ENTRIES: Final = 6_000_000
"""The most entries of a linear program that fits into memory."""

_MOST_MODELLED: Final = 15_000
"""Neighbours, where outliers are allowed, up to which linear programs and decisions are
better than more local search. With 2,000 points, 100 of them outliers, 34,000 had 58 s
of these for 0.4 % of the bound, and cost 3 % more."""

_MOST_NEIGHBOURS: Final = 20_000_000
"""The most neighbours with which local search is fast enough."""

_LONELY: Final = 20_000
"""Points that are looked at before all if there are twenty times as many: not tuned."""

_ROUNDS: Final = 40_000
"""Rounds of the first of them; each time three times as many: not tuned."""


def solve(search: Search[RGather]) -> None:
    """Gather all points at the least radius, as far as the budget goes."""
    run_stages(search, STAGES, _Work(search))


class _Work:
    """A search, and what its stages know."""

    turn = 0
    searches = False  # whether there are few enough neighbours for local search
    unfinished = False  # whether more effort may help after this turn
    _near: Neighbourhoods | None = None
    _ceiling = FAR
    _ended = False  # whether weights cannot raise the bound any more
    _climbed = False  # whether the ascent had its turn

    def __init__(self, search: Search[RGather]) -> None:
        self.search, self.instance = search, instance = search, search.instance
        # Whether linear programs prove more than clauses: of more than 150 points in
        # large clusters, or with outliers.
        large = instance.limited or instance.r >= LARGE or instance.max_outliers > 0
        self.prefers_programs = large and instance.n > 150
        # Else clauses decide before the turns, after a short local search.
        self.improves_soon = not self.prefers_programs and instance.n <= 500
        # Whether local search and proofs alternate, or run side by side.
        self.takes_turns = search.budget.workers == 1 or self.instance.any_centre
        # Scattered points are tried even without a limit on clusters.
        few_anywhere = self.instance.any_centre and self.instance.n <= 2_000
        self.tries_scattered = self.instance.limited or few_anywhere
        self._efforts = count()
        self._sets: list[IntArray] = []  # of points, for the rows of linear programs

    @property
    def proves(self) -> bool:
        """Whether linear programs and decisions have time, not local search alone.

        Without a limit of time that has one turn only.
        """
        instance = self.instance
        if self.search.cost is None or instance.limited or not instance.max_outliers:
            return True
        endless = self.turn > 0 and self.search.budget.endless
        if endless or instance.any_centre or not self.searches:
            return True
        return self.has_within_cost(_MOST_MODELLED)

    def has_within_cost(self, most: int) -> bool:
        """Whether a cost is known, and at most so many neighbours are within it."""
        cost = self.search.cost
        return cost is not None and count_within(self.instance.space, cost) <= most

    @cached_property
    def nearest_r(self) -> IntArray:
        """The distance of every point to its r-th nearest, itself the first."""
        return nearest(self.instance.space, self.instance.r, self.search.budget)

    @cached_property
    def least(self) -> IntArray:
        """The least radius of a cluster that could hold each point."""
        if self.instance.any_centre:
            return self.nearest_r
        space, r = self.instance.space, self.instance.r
        return least_radii(space, r, self.nearest_r, self.search.budget)

    @cached_property
    def radii(self) -> RadiusSearch:
        """The decisions at radii."""
        if self.instance.any_centre:
            return RadiusSearch(self.search, Anywhere, "cliques")
        among = partial(AmongPoints, self._sets)
        down = self.prefers_programs and not self.instance.limited
        return RadiusSearch(self.search, among, "cuts", down=down)

    def begin(self, _: Budget) -> None:
        """Settle what needs no search, and offer first answers."""
        search, instance = self.search, self.instance
        if instance.least_clustered == 0:
            search.offer(solution_of((), (), range(instance.n)), "outliers only")
            search.raise_bound(0, "outliers only")
        elif too_few(instance):
            search.close_infeasible("count", TOO_FEW)
        else:
            search.raise_bound(0, "distances")
            offer_first(search, first_answers(instance))

    @property
    def can_ascend(self) -> bool:
        """Whether the ascent has still to come."""
        return self.prefers_programs and not (self.instance.limited or self._climbed)

    def find_loneliest(self, _: Budget) -> None:
        """Raise the bound by points of the widest clusters; all of them take long."""
        instance, solution = self.instance, self.search.solution
        most = max(_LONELY, 2 * instance.max_outliers)
        if not isinstance(solution, ClusteringSolution) or instance.n < 20 * most:
            return
        if not (solution.centres or instance.any_centre):  # a start without centres
            return
        held = PackedGroups.of(solution.groups)
        widest = np.argsort(measured(instance, solution))[::-1]
        fit = np.searchsorted(held.sizes[widest].cumsum(), most) + 1
        points = held.taken(widest[:fit]).items
        least = least_radii_of(instance.space, instance.r, points)
        if least is not None:
            every = np.zeros(instance.n, dtype=np.int64)
            every[points] = least
            raise_by_lonely_points(self.search, every)

    def find_lonely(self, part: Budget) -> None:
        least = self.least
        if not part.spent:
            raise_by_lonely_points(self.search, least)

    def scatter(self, _: Budget) -> None:
        raise_by_scattered_points(self.search, self.nearest_r)

    def improve_soon(self, part: Budget) -> None:
        improve(self.search, part, most_rounds=20_000)  # hundredths of a second

    def take_turns(self, _: Budget) -> None:
        """Close the gap between bound and cost, with more effort every turn."""
        for self.turn in count():
            self.searches = self.has_within_cost(_MOST_NEIGHBOURS)
            self.unfinished = False
            alone = not self.proves
            run_stages(self.search, TURN, self)
            if self.search.done or not (self.unfinished or alone):
                return

    def near(self, part: Budget) -> Neighbourhoods | None:
        """Return what is within the cost of all points; None if time ends before."""
        cost, near = self.search.cost, self._near
        if cost is None or part.spent:
            return None
        if near is None:
            near = neighbourhoods(self.instance.space, cost, part)
        elif cost < near.limit:
            near = near.up_to(cost)
        if part.spent:  # rows may be missing
            return None
        self._near = near
        return near

    def improve(self, part: Budget) -> None:
        self._improve(part, _ROUNDS)

    def improve_again(self, part: Budget) -> None:
        """Search locally with more and more rounds."""
        self._improve(part, 250 * _ROUNDS, growing=True)

    def _improve(self, part: Budget, rounds: int, *, growing: bool = False) -> None:
        near = self.near(part)
        if near is not None:
            seeded = replace(part, seed=part.seed + self.turn)
            rounds *= 3**self.turn
            improve(self.search, seeded, rounds, growing=growing, near=near)

    def prove(self, part: Budget) -> None:
        seeded = replace(part, seed=part.seed + self.turn)
        run_stages(self.search, PROOFS, self, budget=seeded)

    def climb(self, part: Budget) -> None:
        """Raise the bound by ascent, once."""
        self._climbed = True
        near = self.near(part) if self.has_within_cost(_MOST_ENTRIES) else None
        if near is not None:
            raise_by_ascent(self.search, near, part)

    def weigh(self, part: Budget) -> None:
        """Raise the bound by weights; note whether they can raise it further."""
        search = self.search
        if self._ended or not self.has_within_cost(_MOST_ENTRIES):
            return
        self.unfinished, near = True, self.near(part)
        if near is None:
            return
        self._ceiling = raise_by_weights(search, near, part, self._ceiling, self._sets)
        bound, highest = search.bound or 0, min(self._ceiling - 1, near.limit)
        self._ended = not len(near.values(bound - 1, highest))
        self.unfinished = not self._ended

    def decide(self, part: Budget) -> None:
        self.unfinished |= self.radii.decide_all(next(self._efforts), part)


STAGES: Final[Stages[_Work]] = (
    Stage("at once", always, None, _Work.begin),
    Stage("widest clusters", always, None, _Work.find_loneliest),
    Stage("lonely points", always, None, _Work.find_lonely),
    Stage("greedy", always, None, lambda w, _: begin(w.search, w.nearest_r, w.least)),
    Stage("approximation", always, 1 / 3, lambda w, p: offer_quickly(w.search, p)),
    Stage("scattered points", lambda w: w.tries_scattered, None, _Work.scatter),
    Stage("local search", lambda w: w.improves_soon, None, _Work.improve_soon),
    Stage("decisions", lambda w: not w.prefers_programs, None, _Work.decide),
    Stage("turns", always, None, _Work.take_turns),
)
"""What is done for more than a few points."""

TURN: Final[Stages[_Work]] = (
    Stage("local search", lambda w: w.searches and w.takes_turns, 0.25, _Work.improve),
    Stage("proofs", lambda w: w.takes_turns or not w.searches, None, _Work.prove),
    SideBySide(
        lambda w: w.searches and not w.takes_turns,
        (
            Stage("proofs", always, None, _Work.prove),
            Stage("local search", always, None, _Work.improve_again),
        ),
        while_first_runs=True,
    ),
)
"""A turn. Shares are not tuned."""

PROOFS: Final[Stages[_Work]] = (
    Stage("ascent", lambda w: w.can_ascend, 0.25, _Work.climb),
    Stage("weights", lambda w: w.proves, 0.25, _Work.weigh),
    Stage(
        "local search",
        lambda w: not w.proves,
        None,
        lambda w, p: w.improve_again(replace(p, seed=p.seed + 1_000)),
    ),
    Stage(
        "decisions",
        lambda w: w.proves,
        lambda w: 0.25 if w.unfinished else None,
        _Work.decide,
    ),
)
"""What a turn proves: weights raise the bound; decisions at radii close the gap."""
