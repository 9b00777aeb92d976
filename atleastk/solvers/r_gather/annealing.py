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
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.r_gather.flow import (
    Paths,
    Taken,
    augmented,
    forget,
    give,
    take_back,
)

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
    now = _OpenClusters(
        Taken.nothing(limits.clusters, n, 0),
        np.zeros(n, dtype=np.int64),
        np.zeros(len(centres), dtype=np.uint8),
        np.full(1, n, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    paths = Paths.none(limits.clusters, n)
    best = np.full(limits.clusters, -1, dtype=np.int64)
    best[: len(opened)] = opened
    for candidate in opened.tolist():
        _open(candidates, now, -1, candidate)
    first = int(_missing(candidates, now, paths, number(-1)))
    # A move frees at most r points and adds at most r and an own one: so many paths.
    room = 2 * (limits.r + 1) * (limits.clusters + 3)
    noted = now.taken._replace(past=np.empty((room, 2), dtype=np.int64))
    now = now._replace(taken=noted)
    with budget.flagging() as flag:
        missing = _anneal(candidates, now, paths, best, first, heat, rounds, rng, flag)
    return int(missing), best[best >= 0]


@compiled
def _anneal(
    candidates: _Candidates,
    now: _OpenClusters,
    paths: Paths,
    best: IntArray,  # [cluster]
    missing: int,
    heat: float,
    rounds: int,
    rng: np.random.Generator,
    flag: ByteArray,  # [1]
) -> int:
    """Improve the best candidates, -1 for none; return their number of missing points.

    A round takes O(the size of all balls), in practice little more than O(clusters).
    """
    taken, least = now.taken, missing
    known = True  # whether what searches reached in vain, in the last state, is marked
    for turn in range(rounds):
        if least == 0 or flag[0] != 0:
            break
        closed, opened = _move(candidates, now, rng)
        if closed < 0 and opened < 0:
            continue
        # Other clusters that lack points find none, unless one is closed that they
        # reached: whoever reaches its points reaches it.
        if (
            not known
            or candidates.limits.member
            or (closed >= 0 and paths.reached[closed] != 0)
        ):
            forget(paths, number(0), number(0))
            known = False
        clusters, points = paths.dead[0], paths.dead[1]
        taken.counts[1] = 0
        before, place = number(-1), closed
        if closed >= 0:
            before = taken.ball[closed]
            _close(candidates, now, closed)
        if opened >= 0:
            place = _open(candidates, now, closed, opened)
        alone = (place if opened >= 0 else number(-2)) if known else number(-1)
        changed = _missing(candidates, now, paths, alone)
        # Accept a move that lacks d points more with probability exp(-d / warmth).
        warmth = heat * (1.0 - turn / rounds) + 1e-9
        if changed > missing and rng.random() >= np.exp((missing - changed) / warmth):
            take_back(taken)
            if opened >= 0:
                _leave(candidates, now, place)
            if before >= 0:
                _enter(candidates, now, closed, before)
            forget(paths, clusters, points)
            if not (known or candidates.limits.member):  # mark once for what follows
                _missing(candidates, now, paths, number(-1))
                known = True
            continue
        missing, known = changed, True
        if missing < least:
            least = missing
            for s in range(len(best)):
                best[s] = taken.ball[s]
    return int(least)


@compiled
def _enter(candidates: _Candidates, now: _OpenClusters, s: int, candidate: int) -> None:
    """Make a candidate the cluster s, without a point but its own, which stays."""
    now.taken.ball[s] = candidate
    now.is_open[candidate] = 1
    now.clusters[0] += 1
    if candidates.limits.member:
        now.taken.pinned[candidates.centres[candidate]] = 1
    for e in range(candidates.starts[candidate], candidates.starts[candidate + 1]):
        p = candidates.points[e]
        if now.cover[p] == 0:
            now.uncovered[0] -= 1
        now.cover[p] += 1


@compiled
def _leave(candidates: _Candidates, now: _OpenClusters, s: int) -> None:
    """Take cluster s away, which has no points any more."""
    candidate = now.taken.ball[s]
    now.taken.ball[s] = -1
    now.is_open[candidate] = 0
    now.clusters[0] -= 1
    if candidates.limits.member:
        now.taken.pinned[candidates.centres[candidate]] = 0
    for e in range(candidates.starts[candidate], candidates.starts[candidate + 1]):
        p = candidates.points[e]
        now.cover[p] -= 1
        if now.cover[p] == 0:
            now.uncovered[0] += 1


@compiled
def _open(candidates: _Candidates, now: _OpenClusters, s: int, candidate: int) -> int:
    """Open a candidate as cluster s, -1 for a new one; it takes free points."""
    taken, limits = now.taken, candidates.limits
    if s < 0:
        s = 0
        while taken.ball[s] >= 0:
            s += 1
    _enter(candidates, now, s, candidate)
    if limits.member:  # it takes itself, from whichever cluster has it
        give(taken, candidates.centres[candidate], s)
    for e in range(candidates.starts[candidate], candidates.starts[candidate + 1]):
        if taken.held[s] == limits.r:
            break
        if taken.home[candidates.points[e]] < 0:
            give(taken, candidates.points[e], s)
    return s


@compiled
def _close(candidates: _Candidates, now: _OpenClusters, s: int) -> None:
    """Close cluster s and free its points."""
    candidate = now.taken.ball[s]
    for e in range(candidates.starts[candidate], candidates.starts[candidate + 1]):
        if now.taken.home[candidates.points[e]] == s:
            give(now.taken, candidates.points[e], -1)
    _leave(candidates, now, s)


@compiled
def _missing(
    candidates: _Candidates, now: _OpenClusters, paths: Paths, alone: int
) -> int:
    """Augment the flow to a maximum one; return how many points are still missing.

    Only a cluster `alone` may find points that it lacks; -1 for any, -2 for none.
    """
    taken, limits = now.taken, candidates.limits
    while alone > -2:
        base, sources = paths.dead[0], number(0)
        first = max(alone, number(0))
        for s in range(first, first + 1 if alone >= 0 else len(taken.ball)):
            if taken.ball[s] >= 0 and taken.held[s] < limits.r:
                paths.queue[base + sources] = s
                sources += 1
        starts, points = candidates.starts, candidates.points
        if sources == 0 or not augmented(starts, points, taken, paths, sources):
            break
    lacking = limits.r * now.clusters[0] - taken.counts[0]
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
