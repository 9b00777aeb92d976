"""Simulated annealing over sets of centres, at a radius.

A set of centres has a solution at a radius iff their balls hold all points but the
outliers, and r points for each centre can be found in its ball, no point twice; see
:mod:`atleastk.solvers.r_gather.opening_lp`. The objective is the number of missing
points: those in no ball, beyond the outliers, and those that centres lack. Moves open,
close and replace centres. The points taken by clusters are always a maximum flow,
repaired along augmenting paths.

A move that changes the objective by d is accepted with probability exp(-d / t), where
the temperature t falls linearly from `heat` to 0.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.instances.clustering import Clustering
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.compiled.arrays import copy_into
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.r_gather.flow import Paths, Taken, augmented

_CLOSING: Final = 0.05
"""The share of moves that only close a cluster: not tuned."""

_COVERING: Final = 0.5
"""The share of moves that cover a point in no ball, while too many are: not tuned."""

_REPLACING: Final = 0.9
"""The share of moves to a nearby centre that replace the cluster near it: not tuned."""

_ADDING: Final = 0.2
"""The share of other moves that only open, if another cluster is allowed: not tuned."""


class Limits(NamedTuple):
    """The numbers of an instance."""

    r: int  # the least number of points of a cluster
    clusters: int  # the greatest number of clusters
    outliers: int  # the greatest number of points in no ball
    member: bool  # whether centres are members of their clusters

    @classmethod
    def of(cls, instance: Clustering) -> Self:
        member = instance.centres == "member"
        return cls(instance.r, instance.most_clusters, instance.max_outliers, member)


class _Candidates(NamedTuple):
    """The candidate centres."""

    limits: Limits
    starts: IntArray  # [candidate + 1] that of c is points[starts[c]:starts[c + 1]],
    points: Int32Array  # [entry] nearest first
    holder_starts: IntArray  # [point + 1] likewise,
    holders: Int32Array  # [entry] the candidates whose balls hold a point
    centres: IntArray  # [candidate] the point where it is
    at: IntArray  # [point] the candidate that is there, -1 for none

    @classmethod
    def of(cls, balls: Balls, centres: IntArray, n: int, limits: Limits) -> Self:
        """Return the candidates at these centres, of n points."""
        turned = balls.turned(n)
        at = np.full(n, -1, dtype=np.int64)
        at[centres] = np.arange(len(centres))
        return cls(
            limits,
            balls.starts,
            balls.points,
            turned.starts,
            turned.points,
            centres,
            at,
        )


class _OpenClusters(NamedTuple):
    """Clusters about some candidates, with a greatest flow of points into them."""

    taken: Taken  # the ball of a cluster is its candidate
    cover: IntArray  # [point] the number of clusters whose balls hold it
    is_open: ByteArray  # [candidate] 1 if there is a cluster about it, else 0
    uncovered: IntArray  # [1] how many points are in no ball
    clusters: IntArray  # [1] how many there are

    @classmethod
    def none(cls, candidates: int, n: int, limits: Limits) -> Self:
        """Return room for clusters, none of which is there."""
        return cls(
            Taken.nothing(limits.clusters, n),
            np.zeros(n, dtype=np.int64),
            np.zeros(candidates, dtype=np.uint8),
            np.full(1, n, dtype=np.int64),
            np.zeros(1, dtype=np.int64),
        )


def annealed(
    balls: Balls,
    centres: IntArray,
    opened: IntArray,
    n: int,
    limits: Limits,
    heat: float,
    rounds: int,
    rng: np.random.Generator,
    budget: Budget,
) -> tuple[int, IntArray]:
    """Return the best set of centres found, after its number of missing points.

    Parameters
    ----------
    balls, centres
        Of the candidates; every ball has at least r points.
    opened
        The indices of the first centres.
    n
        The number of points.
    heat
        The first temperature, in missing points.
    """
    if len(centres) == 0:
        return max(0, n - limits.outliers), opened
    candidates = _Candidates.of(balls, centres, n, limits)
    now, accepted = (_OpenClusters.none(len(centres), n, limits) for _ in range(2))
    paths = Paths.none(limits.clusters, n, lasting=False)
    best = np.full(limits.clusters, -1, dtype=np.int64)
    best[: len(opened)] = opened
    with budget.flagging() as flag:
        missing = _anneal(
            candidates, now, accepted, paths, best, heat, rounds, rng, flag
        )
    return int(missing), best[best >= 0]


@compiled
def _anneal(
    candidates: _Candidates,
    now: _OpenClusters,
    accepted: _OpenClusters,
    paths: Paths,
    best: IntArray,  # [cluster]
    heat: float,
    rounds: int,
    rng: np.random.Generator,
    flag: ByteArray,  # [1]
) -> int:
    """Improve the best candidates, -1 for none; return their number of missing points.

    A round takes O(n + the size of all balls), in practice little more than O(n).
    """
    for s in range(len(best)):
        if best[s] >= 0:
            _open(candidates, now, s, best[s])
    missing = _missing(candidates, now, paths)
    least = missing
    _copy(now, accepted)
    for turn in range(rounds):
        # `now` equals the accepted state, for which `missing` points are missing.
        if least == 0 or flag[0] != 0:
            break
        closed, opened = _move(candidates, now, rng)
        if closed < 0 and opened < 0:
            continue
        if closed >= 0:
            _close(candidates, now, closed)
        if opened >= 0:
            _open(candidates, now, closed, opened)
        changed = _missing(candidates, now, paths)
        # Accept a move that lacks d points more with probability exp(-d / warmth).
        warmth = heat * (1.0 - turn / rounds) + 1e-9
        if changed > missing and rng.random() >= np.exp((missing - changed) / warmth):
            _copy(accepted, now)
            continue
        _copy(now, accepted)
        missing = changed
        if missing < least:
            least = missing
            for s in range(len(best)):
                best[s] = now.taken.ball[s]
    return int(least)


@compiled
def _copy(source: _OpenClusters, target: _OpenClusters) -> None:
    copy_into(target.taken.ball, source.taken.ball)
    copy_into(target.taken.held, source.taken.held)
    copy_into(target.taken.home, source.taken.home)
    copy_into(target.taken.pinned, source.taken.pinned)
    copy_into(target.cover, source.cover)
    copy_into(target.is_open, source.is_open)
    copy_into(target.uncovered, source.uncovered)
    copy_into(target.clusters, source.clusters)


@compiled
def _open(candidates: _Candidates, now: _OpenClusters, s: int, candidate: int) -> None:
    """Open a candidate as cluster s, -1 for a new one; it takes free points."""
    taken, limits = now.taken, candidates.limits
    if s < 0:
        s = 0
        while taken.ball[s] >= 0:
            s += 1
    taken.ball[s] = candidate
    taken.held[s] = 0
    now.is_open[candidate] = 1
    now.clusters[0] += 1
    if limits.member:
        # A member takes itself, from whichever cluster has it.
        p = candidates.centres[candidate]
        if taken.home[p] >= 0:
            taken.held[taken.home[p]] -= 1
        taken.home[p] = s
        taken.pinned[p] = 1
        taken.held[s] = 1
    for e in range(candidates.starts[candidate], candidates.starts[candidate + 1]):
        p = candidates.points[e]
        if now.cover[p] == 0:
            now.uncovered[0] -= 1
        now.cover[p] += 1
        if taken.home[p] < 0 and taken.held[s] < limits.r:
            taken.home[p] = s
            taken.held[s] += 1


@compiled
def _close(candidates: _Candidates, now: _OpenClusters, s: int) -> None:
    """Close cluster s and free its points."""
    taken = now.taken
    candidate = taken.ball[s]
    taken.ball[s] = -1
    taken.held[s] = 0
    now.is_open[candidate] = 0
    now.clusters[0] -= 1
    if candidates.limits.member:
        taken.pinned[candidates.centres[candidate]] = 0
    for e in range(candidates.starts[candidate], candidates.starts[candidate + 1]):
        p = candidates.points[e]
        now.cover[p] -= 1
        if now.cover[p] == 0:
            now.uncovered[0] += 1
        if taken.home[p] == s:
            taken.home[p] = -1


@compiled
def _missing(candidates: _Candidates, now: _OpenClusters, paths: Paths) -> int:
    """Augment the flow to a maximum one; return how many points are still missing."""
    taken, limits = now.taken, candidates.limits
    while True:
        lacking, sources = 0, number(0)
        for s in range(len(taken.ball)):
            if taken.ball[s] >= 0 and taken.held[s] < limits.r:
                lacking += limits.r - taken.held[s]
                paths.queue[sources] = s
                sources += 1
        starts, points = candidates.starts, candidates.points
        if not augmented(starts, points, taken, paths, sources):
            return int(lacking + max(0, now.uncovered[0] - limits.outliers))


@compiled
def _move(
    candidates: _Candidates, now: _OpenClusters, rng: np.random.Generator
) -> tuple[int, int]:
    """Choose a cluster to close and a candidate to open, -1 for none."""
    taken, limits = now.taken, candidates.limits
    starts, points = candidates.starts, candidates.points
    clusters, n = len(taken.ball), len(now.cover)
    chance = rng.random()
    some = -1
    if now.clusters[0] > 0:
        some = int(rng.random() * clusters)
        while taken.ball[some] < 0:
            some = (some + 1) % clusters
    if chance < _CLOSING and some >= 0:
        # Close a cluster, preferably one that lacks points.
        for _ in range(clusters):
            if taken.ball[some] >= 0 and taken.held[some] < limits.r:
                break
            some = (some + 1) % clusters
        while taken.ball[some] < 0:
            some = (some + 1) % clusters
        return some, -1
    if some < 0 or (chance < _COVERING and now.uncovered[0] > limits.outliers):
        # Open a candidate whose ball holds a point that no ball holds yet.
        p = int(rng.random() * n)
        for _ in range(n):
            if now.cover[p] == 0:
                break
            p = (p + 1) % n
        first = candidates.holder_starts[p]
        width = candidates.holder_starts[p + 1] - first
        if width == 0:
            return -1, -1
        opened = int(candidates.holders[first + int(rng.random() * width)])
    else:
        # Open a candidate in the ball of a cluster, rather near than far.
        first = starts[taken.ball[some]]
        width = starts[taken.ball[some] + 1] - first
        opened = candidates.at[points[first + int(rng.random() ** 2 * width)]]
        if opened < 0:
            return -1, -1
        if now.is_open[opened] == 0 and chance < _REPLACING:
            return some, opened
    if now.is_open[opened] != 0:
        return -1, -1
    if now.clusters[0] < clusters and rng.random() < _ADDING:
        return -1, opened
    # Close the cluster that has some point of the ball, if any has it.
    width = starts[opened + 1] - starts[opened]
    holder = taken.home[points[starts[opened] + int(rng.random() * width)]]
    return holder if holder >= 0 else some, opened
