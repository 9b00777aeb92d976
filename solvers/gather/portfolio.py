"""r-gather: the automatic choice of methods.

1. What needs no search: everything an outlier, too few points, pairs.
2. Bounds by lonely points, and by scattered ones where clusters are limited; a greedy
   solution.
3. Where clusters of many points are large or limited, or outliers allowed: a local
   search from there, and weights by linear programs. Together they often meet.
4. Decisions at radii between, by cuts. What stays open is asked with more effort, and
   the local search gets other random numbers, turn by turn.

Centres that are anywhere: :mod:`atleastk.solvers.gather.anywhere`.

Same seed, one worker and no time limit: same answer.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Final

from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import solution_of
from atleastk.solvers.gather.anywhere import solve_anywhere
from atleastk.solvers.gather.beginnings import begin
from atleastk.solvers.gather.bounds import (
    INFEASIBLE,
    raise_by_lonely_points,
    raise_by_scattered_points,
)
from atleastk.solvers.gather.climb import Climb
from atleastk.solvers.gather.decision import LARGE
from atleastk.solvers.gather.local_search import improve
from atleastk.solvers.gather.neighbourhoods import (
    MOST_NEIGHBOURS,
    count_within,
    nearest,
    neighbourhoods,
)
from atleastk.solvers.gather.pairs import stars
from atleastk.solvers.gather.weights import raise_by_weights
from atleastk.solvers.search import Search

__all__ = ["solve"]

_FEW: Final = 150
"""So many points are decided about at once."""

_SHARE: Final = 0.25
"""Of the time that is left, for the local search, and for the weights."""


def solve(search: Search[RGather]) -> None:
    """Gather all points at the least radius, as far as the budget goes."""
    instance = search.instance
    if instance.least_clustered == 0:
        search.offer(solution_of((), (), range(instance.n)), "outliers only")
        search.raise_bound(0, "outliers only")
    elif instance.n < instance.r:
        search.close_infeasible("count", INFEASIBLE)
    elif instance.any_centre:
        solve_anywhere(search)
    else:
        search.raise_bound(0, "distances")
        _solve_among_points(search)


def _solve_among_points(search: Search[RGather]) -> None:
    """Solve an instance whose centres are points."""
    instance = search.instance
    nearest_r = nearest(instance.space, instance.r)
    raise_by_lonely_points(search, nearest_r)
    limited = instance.most_clusters < instance.n // instance.r
    if instance.r == 2 and not limited and not search.done:
        near = neighbourhoods(instance.space, search.bound or 0)
        search.offer(stars(near), "pairs")
    if limited and not search.done:
        raise_by_scattered_points(search, nearest_r)
    if not search.done:
        begin(search, nearest_r)
    climb = Climb(search)
    if not search.done and not _counting(instance):
        climb.ask_all(0)
    for turn in count():
        if search.done:
            return
        _meet(search, turn)
        if not search.done and not climb.ask_all(turn):
            return


def _counting(instance: RGather) -> bool:
    """Whether local search and linear programs do better than clauses."""
    limited = instance.most_clusters < instance.n // instance.r
    counting = limited or instance.r >= LARGE or instance.max_outliers > 0
    return counting and instance.n > _FEW


def _meet(search: Search[RGather], turn: int) -> None:
    """Bring cost and bound together by local search and, at first, by weights."""
    space, budget = search.instance.space, search.budget
    if search.cost is None or count_within(space, search.cost) > MOST_NEIGHBOURS:
        return
    share = replace(budget, seed=budget.seed + turn).slice(_SHARE * budget.remaining)
    improve(search, share)
    if turn == 0 and not search.done:
        near = neighbourhoods(space, search.cost)
        raise_by_weights(search, near, budget.slice(_SHARE * budget.remaining))
