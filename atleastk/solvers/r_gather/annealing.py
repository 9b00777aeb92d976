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
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.r_gather.covering import exchange
from atleastk.solvers.r_gather.flow import (
    Paths,
    Taken,
    augmented,
    dead,
    forget,
    give,
    list_lacking,
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
        held, holding = (balls.starts, balls.points), (turned.starts, turned.points)
        return cls(limits, *held, *holding, centres, at)


class _OpenClusters(NamedTuple):
    """Clusters about some candidates, with a greatest flow of points into them."""

    taken: Taken  # the ball of a cluster is its candidate
    cover: IntArray  # [point] the number of clusters whose balls hold it
    is_open: ByteArray  # [candidate] 1 if there is a cluster about it, else 0
    bare: IntArray  # [place] points; those in no ball come first
    at: IntArray  # [point] its place among these
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
    elsewhere: IntArray | None = None,
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
    elsewhere
        For every point how many other balls hold it, which stay.
    """
    if len(centres) == 0:
        return max(0, n - limits.outliers), opened
    candidates = _Candidates.of(balls, centres, n, limits)
    cover = np.zeros(n, dtype=np.int64) if elsewhere is None else elsewhere.copy()
    bare = np.argsort(cover > 0, kind="stable")
    now = _OpenClusters(
        Taken.nothing(limits.clusters, n, 0),
        cover,
        np.zeros(len(centres), dtype=np.uint8),
        bare,
        np.argsort(bare),
        np.array([np.count_nonzero(cover == 0)]),
        np.zeros(1, dtype=np.int64),
    )
    paths = Paths.none(limits.clusters)
    best = np.full(limits.clusters, -1, dtype=np.int64)
    best[: len(opened)] = opened
    for candidate in opened.tolist():
        place = _enter(candidates, now, -1, candidate)
        _take(candidates, now.taken, paths, place)
    first = int(_missing(candidates, now, paths, np.inf))
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

    A round takes O(the size of all balls), in practice of some near each other.
    """
    taken, limits, least = now.taken, candidates.limits, missing
    for turn in range(rounds):
        if least == 0 or flag[0] != 0:
            break
        closed, opened = _move(candidates, now, paths, rng)
        if closed < 0 and opened < 0:
            continue
        # Accept a move that lacks d points more with probability exp(-d / warmth).
        warmth = heat * (1.0 - turn / rounds) + 1e-9
        most = missing - warmth * np.log(1.0 - rng.random())
        # Clusters that lack points find none, unless one is closed that they reached:
        # whoever reaches its points reaches it.
        searches = paths.counts[0]
        stays = not limits.member and (closed < 0 or not dead(paths, closed))
        lacking = limits.r * now.clusters[0] - taken.counts[0] if stays else 0
        before, place = -1, closed
        if closed >= 0:
            before = taken.ball[closed]
            _leave(candidates, now, closed)
        if opened >= 0:
            place = _enter(candidates, now, closed, opened)
        tried = lacking + _excess(candidates, now) <= most
        if tried:
            if limits.member:
                forget(paths, -1, 0)
            elif not stays:
                forget(paths, paths.group[paths.root[closed]], searches)
            taken.counts[1] = 0
            if closed >= 0:
                _free(candidates, taken, closed, before)
            if opened >= 0:
                _take(candidates, taken, paths, place)
            changed = _missing(candidates, now, paths, most)
            if changed <= most:
                missing = changed
                if missing < least:
                    least = missing
                    for s in range(len(best)):
                        best[s] = taken.ball[s]
                continue
            take_back(taken)
        if opened >= 0:
            _leave(candidates, now, place)
        if closed >= 0:
            _enter(candidates, now, closed, before)
        if tried:
            forget(paths, -1, searches)
            if closed >= 0:
                list_lacking(paths, closed)
            if not limits.member:  # search once for what follows
                _missing(candidates, now, paths, np.inf)
    return int(least)


@compiled
def _enter(candidates: _Candidates, now: _OpenClusters, s: int, candidate: int) -> int:
    """Make a candidate the cluster s, -1 for a new one; it has no points yet."""
    taken = now.taken
    if s < 0:
        s = now.clusters[0]
        while taken.ball[s] >= 0:
            s = (s + 1) % len(taken.ball)
    taken.ball[s] = candidate
    now.is_open[candidate] = 1
    now.clusters[0] += 1
    if candidates.limits.member:
        taken.pinned[candidates.centres[candidate]] = 1
    for e in range(candidates.starts[candidate], candidates.starts[candidate + 1]):
        p = candidates.points[e]
        if now.cover[p] == 0:
            now.uncovered[0] -= 1
            exchange(now.bare, now.at, p, now.uncovered[0])
        now.cover[p] += 1
    return s


@compiled
def _leave(candidates: _Candidates, now: _OpenClusters, s: int) -> None:
    """Take cluster s away, not its points."""
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
            exchange(now.bare, now.at, p, now.uncovered[0])
            now.uncovered[0] += 1


@compiled
def _free(candidates: _Candidates, taken: Taken, s: int, candidate: int) -> None:
    """Free the points of cluster s, which was about a candidate."""
    for e in range(candidates.starts[candidate], candidates.starts[candidate + 1]):
        if taken.home[candidates.points[e]] == s:
            give(taken, candidates.points[e], -1)


@compiled
def _take(candidates: _Candidates, taken: Taken, paths: Paths, s: int) -> None:
    """Let cluster s take free points."""
    limits, candidate = candidates.limits, taken.ball[s]
    list_lacking(paths, s)
    if limits.member:  # it takes itself, from whichever cluster has it
        holder = taken.home[candidates.centres[candidate]]
        if holder >= 0:
            list_lacking(paths, holder)
        give(taken, candidates.centres[candidate], s)
    for e in range(candidates.starts[candidate], candidates.starts[candidate + 1]):
        if taken.held[s] == limits.r:
            break
        if taken.home[candidates.points[e]] < 0:
            give(taken, candidates.points[e], s)


@inlined
def _excess(candidates: _Candidates, now: _OpenClusters) -> int:
    """Return how many points more than the outliers are in no ball."""
    return int(max(0, now.uncovered[0] - candidates.limits.outliers))


@compiled
def _missing(
    candidates: _Candidates, now: _OpenClusters, paths: Paths, most: float
) -> int:
    """Augment the flow to a maximum one; return how many points are still missing.

    Only as long as these may be at most `most`: else there are as many at least.
    """
    taken, limits = now.taken, candidates.limits
    missing = _excess(candidates, now)
    i = 0
    while i < paths.counts[1] and missing <= most:
        s = paths.lacking[i]
        if taken.ball[s] < 0 or taken.held[s] >= limits.r:
            paths.counts[1] -= 1
            paths.lacking[i] = paths.lacking[paths.counts[1]]
            paths.listed[s] = 0
            continue
        while paths.vain[s] == 0 and taken.held[s] < limits.r:
            augmented(candidates.starts, candidates.points, taken, paths, s)
        missing += limits.r - taken.held[s]
        i += 1
    return int(missing)


@compiled
def _move(
    candidates: _Candidates,
    now: _OpenClusters,
    paths: Paths,
    rng: np.random.Generator,
) -> tuple[int, int]:
    """Choose a cluster to close and a candidate to open, -1 for none."""
    taken, limits = now.taken, candidates.limits
    starts, points = candidates.starts, candidates.points
    clusters = len(taken.ball)
    chance = rng.random()
    some = -1
    if now.clusters[0] > 0:
        some = int(rng.random() * clusters)
        while taken.ball[some] < 0:
            some = (some + 1) % clusters
    if chance < _CLOSING and some >= 0:
        # Close a cluster, preferably one that lacks points.
        if paths.counts[1] > 0:
            lacking = paths.lacking[int(rng.random() * paths.counts[1])]
            if taken.ball[lacking] >= 0 and taken.held[lacking] < limits.r:
                some = lacking
        return some, -1
    if some < 0 or (chance < _COVERING and now.uncovered[0] > limits.outliers):
        # Open a candidate whose ball holds a point that no ball holds yet.
        p = now.bare[int(rng.random() * max(1, now.uncovered[0]))]
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
