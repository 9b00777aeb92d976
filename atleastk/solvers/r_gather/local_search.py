"""Local search for r-gather: the radius is reduced step by step.

At a radius below that of the best solution known, centres are found by simulated
annealing (:mod:`atleastk.solvers.r_gather.annealing`), in turn from those of the best
solution, from those that missed points last, and from none. With a limit on clusters
and no outliers swaps by weights (:mod:`~atleastk.solvers.r_gather.covering`) look for
covers first, to be filled. The step grows with success and shrinks with failure; once
it is the shortest, searches become slower. The points are then assigned at the least
radius that the centres allow, which may be below the best even where they missed some,
and every cluster gets its best centre unless there are many points.

Of many points windows are annealed (:mod:`~atleastk.solvers.r_gather.windows`): at
first after all from none, then in place of all. They go on from what missed points
until nothing is missing, in short steps.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution, completed
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods, neighbourhoods
from atleastk.solvers.r_gather.annealing import Limits, annealed
from atleastk.solvers.r_gather.covering import covered
from atleastk.solvers.r_gather.first import gathered, recentred
from atleastk.solvers.r_gather.windows import Windows
from atleastk.solvers.search import Search

SOURCE: Final = "local search"

_ROUNDS: Final = 20_000
"""Rounds of the first annealing, at least: hundredths of a second."""

_HEATS: Final = (0.5, 0.5, 1.0)
"""First temperatures, in missing points, of the three starts. With 2,000 points and 100
outliers 200,000 rounds leave 3 and 5 points at the least radius that 1.0 and 0.5 reach,
4,000,000 rounds 5 and 1; higher ones leave more."""

_SLOWER: Final = 4
"""How many rounds of annealing a round of swaps stands for; it takes ten times as long.
On 1,000 points in 20 clusters swaps reach in 1 s what annealing misses by up to 2 %
after 8 s."""

_GROWTH: Final = 8.0
_PART: Final = 1 / 4
"""By which factor rounds of more than a few points grow at most, if they are to grow to
the end, and the share of the time left that one annealing then has: not tuned."""

_SEVERAL: Final = 100
"""The least number of clusters of which windows are searched: not tuned."""

_FEW: Final = 6_000
"""Up to this number of points, clusters of better solutions get their best centres, for
which all distances are computed, and rounds grow slowly. Above it that is worse: 20,000
points cost 409 after 60 s, and 397 after 37 s if they grow soon."""


def improve(
    search: Search[RGather],
    budget: Budget,
    most_rounds: int = 1_000_000,
    *,
    growing: bool = False,
    near: Neighbourhoods | None = None,
) -> None:
    """Offer better solutions until `most_rounds` rounds bring none.

    The first annealing has a quarter of them, or few if they are `growing`; of more
    than 200 clusters all have more, in proportion. Nothing is done without a solution,
    nor for centres that are anywhere. `near` has all that are nearer than the cost, if
    they are known.
    """
    instance = search.instance
    if search.cost is None or instance.any_centre or search.done or budget.spent:
        return
    rng = np.random.default_rng(budget.seed)
    if near is None:
        near = neighbourhoods(instance.space, search.cost - 1, budget)
    known = missed = _centres(search)
    covers = instance.limited and not instance.max_outliers
    # Whether rounds grow as soon as time allows, and windows are annealed.
    soon = growing and instance.n > _FEW and instance.most_clusters >= _SEVERAL
    # Whether to begin with no centres: others are better only once they come from here.
    anew = soon and not (search.found_by or "").endswith(SOURCE)
    fraction = 0.125 if soon and not anew else 0.5
    cost, failures = search.cost, 0
    limits = Limits.of(instance)
    few, most = (
        each * max(200, instance.n // instance.r) // 200
        for each in (_ROUNDS, most_rounds)
    )
    rounds = few if growing else max(few, most // 4)
    while not search.done and not budget.spent and rounds <= most:
        if search.cost < cost:
            cost, known = search.cost, _centres(search)
        levels = near.values((search.bound or 0) - 1, cost - 1)
        if not len(levels):
            return
        radius = int(levels[len(levels) - 1 - int(fraction * len(levels))])
        left = budget.remaining
        centres, balls = near.candidates(radius, instance.r)
        turn = failures % len(_HEATS)
        if anew:  # what was found from none at a small radius serves at greater ones
            turn = len(_HEATS) - 1 - turn
        elif soon:
            turn = min(failures, 1)
        begun = (known, missed, known[:0])[turn]
        opened = np.flatnonzero(np.isin(centres, begun))
        if covers:
            start = np.flatnonzero(np.isin(centres, known))
            asked = instance.n, instance.most_clusters, rounds // _SLOWER
            found = covered(balls, start, *asked, rng, budget)
            opened = opened if found is None else found
        if not (soon and len(opened)):
            missing, opened = annealed(
                balls,
                centres,
                opened,
                instance.n,
                limits,
                _HEATS[turn],
                rounds,
                rng,
                budget,
            )
        if soon:
            windows = Windows(instance.space, balls, centres, opened, limits)
            left_over = windows.repair(rounds, rng, budget)
            missing, opened = windows.missing, windows.opened
        missed = centres[opened]
        shared = _shared_out(instance, near, missed, levels.tolist())
        if shared is not None:
            search.offer(shared, SOURCE)
        elif missing == 0:
            raise AssertionError(f"{missed.tolist()} do not serve at {radius}")
        if missing == 0:
            if not soon or 3 * left_over > rounds:
                fraction = min(0.5, 1.5 * fraction)
            failures, anew = 0, False
            continue
        failures += 1
        shortest = fraction * len(levels) < 1
        if not shortest:
            fraction /= 2
        if failures % len(_HEATS) == 0 and (growing or shortest):
            more = 2.0
            if soon and not budget.endless:
                more = min(_GROWTH, _PART * left / max(1e-3, left - budget.remaining))
            if more >= 2.0:
                rounds = int(more * rounds)
                fraction = 0.5 if anew or (shortest and not soon) else fraction


def _centres(search: Search[RGather]) -> IntArray:
    """Return the centres of the best solution."""
    solution = search.solution
    if solution is None:
        return np.zeros(0, dtype=np.int64)
    centres = completed(search.instance, solution).centres
    return np.unique(np.array(centres, dtype=np.int64))


def _shared_out(
    instance: RGather, near: Neighbourhoods, centres: IntArray, levels: list[int]
) -> ClusteringSolution | None:
    """Return the best solution with given centres, None if no level serves."""
    about = near.about(centres)

    @cache
    def served(level: int) -> ClusteringSolution | None:
        return gathered(instance, centres, about.balls(level))

    if served(levels[-1]) is None:
        return None
    last, serves = len(levels) - 1, lambda level: served(level) is not None
    solution = served(levels[bisect_left(levels, True, hi=last, key=serves)])
    assert solution is not None  # the last level serves
    better = None if instance.n > _FEW else recentred(instance, solution)
    return better or solution
