"""r-gather: the automatic choice of methods.

1. What needs no search: everything an outlier, too few points.
2. Bounds by lonely points, and by scattered ones where clusters are limited; a greedy
   solution.
3. Where clusters of many points are large or limited, or outliers allowed: a local
   search from there, and weights by linear programs. Together they often meet. If not,
   integer programs decide just below the cost and between.
4. Decisions at radii between, by cuts: about balls, or cliques if centres are anywhere.

Every turn, open decisions get more effort, the local search another seed and more
rounds, and the weights continue where they ended. With two workers the local search
runs beside the rest.

Same seed, one worker and no time limit: same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Final

from atleastk.instances.r_gather import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.certificates.clustering import TOO_FEW, too_few
from atleastk.models.clustering import solution_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import (
    Neighbourhoods,
    count_within,
    nearest,
    neighbourhoods,
)
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.race import beside
from atleastk.solvers.r_gather.among_points import AmongPoints
from atleastk.solvers.r_gather.anywhere import Anywhere
from atleastk.solvers.r_gather.bounds import (
    raise_by_lonely_points,
    raise_by_scattered_points,
)
from atleastk.solvers.r_gather.decision import LARGE
from atleastk.solvers.r_gather.first import begin, first_answers, offer_quickly
from atleastk.solvers.r_gather.local_search import improve
from atleastk.solvers.r_gather.opening_mip import OpeningMip
from atleastk.solvers.r_gather.radius_search import RadiusSearch
from atleastk.solvers.r_gather.weights import raise_by_weights
from atleastk.solvers.search import Search

_FEW: Final = 150
"""Up to this number of points, decisions come first: not tuned."""

_FEW_ANYWHERE: Final = 2_000
"""Up to this number of points, the bound by scattered points is tried even without a
limit on clusters: not tuned."""

_MOST_ENTRIES: Final = 6_000_000
"""The most entries of a linear program that fits into memory."""

_MOST_NEIGHBOURS: Final = 20_000_000
"""The most neighbours with which local search is fast enough."""

_SHARE: Final = 0.25
"""The share of the time left for the local search, and for the weights: not tuned."""

_SOON: Final = 500
"""Up to this number of points, local search comes before decisions: not tuned."""

_SOON_ROUNDS: Final = 20_000
"""Its rounds: hundredths of a second."""

_SHARE_WHOLE: Final = 0.5
"""The share of the time left for integer programs: not tuned."""

_REPETITIONS: Final = 6
"""Local searches in a turn: the last has 3^5 times the rounds of the first."""

_ROUNDS: Final = 40_000
"""Rounds of the first of them; each time three times as many: not tuned."""


def solve(search: Search[RGather]) -> None:
    """Gather all points at the least radius, as far as the budget goes."""
    instance = search.instance
    if instance.least_clustered == 0:
        search.offer(solution_of((), (), range(instance.n)), "outliers only")
        search.raise_bound(0, "outliers only")
    elif too_few(instance):
        search.close_infeasible("count", TOO_FEW)
    else:
        search.raise_bound(0, "distances")
        offer_first(search, first_answers(instance))
        offer_quickly(search)
        if not search.closed:
            _start(search)
        if not search.done:
            _take_turns(search)


def _start(search: Search[RGather]) -> None:
    """Bound the cost without a search, and offer a greedy solution."""
    instance = search.instance
    nearest_r = nearest(instance.space, instance.r, search.budget)
    if search.budget.spent:
        return
    raise_by_lonely_points(search, nearest_r)
    if not search.done:
        begin(search, nearest_r)
    few_anywhere = instance.any_centre and instance.n <= _FEW_ANYWHERE
    scattering = _limited(instance) or few_anywhere
    if scattering and not search.done:
        raise_by_scattered_points(search, nearest_r)


def _take_turns(search: Search[RGather]) -> None:
    """Close the gap between bound and cost, with more effort every turn."""
    instance, budget = search.instance, search.budget
    if instance.any_centre:
        radii = RadiusSearch(search, Anywhere, "cliques")
    else:
        radii = RadiusSearch(search, AmongPoints, "cuts")
    proving = _Proving(search)
    efforts = count()
    if not _counting(instance):
        if instance.n <= _SOON:
            improve(search, budget, _SOON_ROUNDS)
        radii.decide_all(next(efforts), budget)

    def work(turn: int, rest: Budget) -> bool:
        unfinished = proving.take_turn(rest, turn)
        part = rest.share(_SHARE) if unfinished else rest
        return radii.decide_all(next(efforts), part) or unfinished

    for turn in count():
        if search.done or not _improving(search, turn, partial(work, turn)):
            return


def _improving(
    search: Search[RGather], turn: int, work: Callable[[Budget], bool]
) -> bool:
    """Run local search before `work`, or beside it if there are workers for both."""
    budget = replace(search.budget, seed=search.budget.seed + turn)
    instance, cost = search.instance, search.cost
    if cost is None or count_within(instance.space, cost) > _MOST_NEIGHBOURS:
        return work(budget)
    if budget.workers == 1 or instance.any_centre:
        improve(search, budget.share(_SHARE), _ROUNDS * 3**turn)
        return work(budget)
    improving = partial(_improve_again, search, turn)
    race = replace(budget, workers=budget.workers - 1)
    return beside(improving, work, race, lambda: search.closed)


def _improve_again(search: Search[RGather], turn: int, budget: Budget) -> None:
    """Improve the solution again and again, with more and more rounds."""
    for again in range(_REPETITIONS):
        if search.closed or budget.spent:
            return
        seeded = replace(budget, seed=budget.seed + 1_000 * again)
        improve(search, seeded, _ROUNDS * 3 ** (turn + again))


def _limited(instance: RGather) -> bool:
    """Whether the number of clusters is limited further than by their size."""
    return instance.most_clusters < instance.n // instance.r


def _counting(instance: RGather) -> bool:
    """Whether local search and linear programs do better than clauses."""
    counting = _limited(instance) or instance.r >= LARGE or instance.max_outliers > 0
    return counting and instance.n > _FEW


class _Proving:
    """Weights that raise the bound, and integer programs, turn by turn."""

    def __init__(self, search: Search[RGather]) -> None:
        self._search = search
        self._near: Neighbourhoods | None = None
        self._mip: OpeningMip | None = None
        self._ceiling = FAR
        self._ended = False

    def take_turn(self, budget: Budget, effort: int) -> bool:
        """Prove for a share of the time; return whether there is more to prove."""
        search = self._search
        space, cost = search.instance.space, search.cost
        if cost is None or search.closed or (self._ended and self._mip is None):
            return False
        part = budget.share(_SHARE)
        if self._near is None:
            if count_within(space, cost) > _MOST_ENTRIES:
                return False
            near = neighbourhoods(space, cost, part)
            if part.spent:
                return True
            self._near = near
            if _counting(search.instance) and not search.instance.any_centre:
                self._mip = OpeningMip(search.instance, near)
        if not self._ended:
            self._weigh(self._near, part)
        if self._mip is not None and not search.done:
            part = budget.share(_SHARE_WHOLE)
            self._mip.decide_all(search, effort, part)
            return True
        return not self._ended

    def _weigh(self, near: Neighbourhoods, budget: Budget) -> None:
        """Raise the bound by weights; note whether they can raise it further."""
        search = self._search
        known = () if self._mip is None else self._mip.sets
        self._ceiling, sets = raise_by_weights(
            search, near, budget, self._ceiling, known
        )
        if self._mip is not None:
            self._mip.sets = sets
        bound, highest = search.bound or 0, min(self._ceiling - 1, near.limit)
        self._ended = not len(near.values(bound - 1, highest))
