"""Filling clusters by a maximum flow: r points for every centre, out of its ball.

A point goes to one centre at most, so the network is source -> centre (r) -> point of
its ball (1) -> sink (1). It is filled greedily, then along shortest augmenting paths.
Where no path is left from a centre, the centres that the search reached violate Hall's
condition: their balls hold fewer than r points for each. They stay marked, so that no
part of the network is searched in vain twice.

A centre may have a point that only it may take, its own: with centres that are members
of their clusters. The points that the reached centres could take are then those of
their balls without the own points of others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.compiled.compile import compiled, inlined


@dataclass(frozen=True, eq=False)
class Filling:
    """Which points the centres take, at most r each."""

    home: IntArray  # [point]
    """For every point the index of its centre, -1 for none."""
    deficient: IntArray
    """Centres, by index, that cannot all have r points: with own points O of other
    centres, their balls without O hold fewer than r for each. Empty if all are
    filled."""

    @property
    def complete(self) -> bool:
        """Whether every centre has r points."""
        return len(self.deficient) == 0


def fill(balls: Balls, n: int, r: int, fixed: IntArray | None = None) -> Filling:
    """Give each centre r of the n points, out of its ball, to as many as can be.

    `fixed` is a point of the ball of each centre that it has to take, different ones,
    or -1.
    """
    centres = len(balls)
    own = np.full(centres, -1, dtype=np.int64) if fixed is None else fixed
    taken, paths = Taken.nothing(centres, n, 0), Paths.none(centres)
    taken.ball[:] = np.arange(centres)
    _fill(balls.starts, balls.points, r, own, taken, paths)
    # Whatever was reached in vain is dead for good.
    lacking = (paths.reached > 0) & (paths.vain[paths.root] == paths.reached)
    return Filling(taken.home, lacking.nonzero()[0])


def with_rest(balls: Balls, home: IntArray) -> IntArray:
    """Return homes for all points that lie in the ball of some centre.

    Points without a home go to the first such centre; the others keep theirs.
    """
    all_homes = home.copy()
    free = home[balls.points] < 0
    all_homes[balls.points[free][::-1]] = balls.owners[free][::-1]
    return all_homes


class Taken(NamedTuple):
    """Which points the clusters have taken."""

    ball: IntArray  # [cluster] of which it takes points, -1 if there is no such cluster
    held: IntArray  # [cluster] how many points it has taken
    home: IntArray  # [point] the cluster that has taken it, -1 for none
    pinned: ByteArray  # [point] 1 if it is the own point of its cluster and has to stay
    past: IntArray  # [change, 2] the last points that moved, and what had them before
    counts: IntArray  # [2] points with a cluster; changes, not counted without room

    @classmethod
    def nothing(cls, clusters: int, n: int, room: int) -> Self:
        """Return room for clusters, none of which is there, and for some changes."""
        return cls(
            np.full(clusters, -1, dtype=np.int64),
            np.zeros(clusters, dtype=np.int64),
            np.full(n, -1, dtype=np.int64),
            np.zeros(n, dtype=np.uint8),
            np.empty((room, 2), dtype=np.int64),
            np.zeros(2, dtype=np.int64),
        )


@inlined
def give(taken: Taken, p: int, cluster: int) -> None:
    """Let a cluster have a point, -1 for none, and note which one had it."""
    holder = taken.home[p]
    if len(taken.past) > 0:
        taken.past[taken.counts[1], 0] = p
        taken.past[taken.counts[1], 1] = holder
        taken.counts[1] += 1
    _move(taken, p, holder, cluster)


@inlined
def take_back(taken: Taken) -> None:
    """Undo all changes that were noted, the last one first."""
    while taken.counts[1] > 0:
        taken.counts[1] -= 1
        p, holder = taken.past[taken.counts[1], 0], taken.past[taken.counts[1], 1]
        _move(taken, p, taken.home[p], holder)


@inlined
def _move(taken: Taken, p: int, holder: int, cluster: int) -> None:
    if holder >= 0:
        taken.held[holder] -= 1
        taken.counts[0] -= 1
    if cluster >= 0:
        taken.held[cluster] += 1
        taken.counts[0] += 1
    taken.home[p] = cluster


class Paths(NamedTuple):
    """What breadth-first searches for augmenting paths have reached.

    A cluster is dead if a search that was in vain, and still counts, reached it: then
    it never gets more than it has, and no other search goes on there. Searches whose
    clusters met are of one group; they cease to count together.
    """

    reached: IntArray  # [cluster] the number of the last search that reached it
    root: IntArray  # [cluster] where that began
    vain: IntArray  # [cluster] the number of the search in vain from it, 0 for none
    group: IntArray  # [cluster] that of its search
    over: IntArray  # [cluster] its point that led to it, -1 at the root
    origin: IntArray  # [cluster] whose ball holds that point
    queue: IntArray  # [place] those that were reached, in their order
    lacking: IntArray  # [place] at first clusters that may lack points
    listed: ByteArray  # [cluster] 1 if it is among them, else 0
    counts: IntArray  # [2] the searches; how many may lack points

    @classmethod
    def none(cls, clusters: int) -> Self:
        """Return room for searches that have reached nothing."""
        numbers = (np.zeros(clusters, dtype=np.int64) for _ in range(8))
        listed = np.zeros(clusters, dtype=np.uint8)
        return cls._make((*numbers, listed, np.zeros(2, dtype=np.int64)))


@inlined
def dead(paths: Paths, cluster: int) -> bool:
    """Whether a search in vain that still counts has reached a cluster."""
    number = paths.reached[cluster]
    return bool(number > 0 and paths.vain[paths.root[cluster]] == number)


@inlined
def list_lacking(paths: Paths, cluster: int) -> None:
    """Note that a cluster may lack points."""
    if paths.listed[cluster] == 0:
        paths.listed[cluster], paths.vain[cluster] = 1, 0
        paths.lacking[paths.counts[1]] = cluster
        paths.counts[1] += 1


@inlined
def forget(paths: Paths, group: int, searches: int) -> None:
    """Let searches of a group, and those after the first, not count any more."""
    for i in range(paths.counts[1]):
        s = paths.lacking[i]
        if paths.group[s] == group or paths.vain[s] > searches:
            paths.vain[s] = 0


@compiled
def augmented(
    starts: IntArray,  # [ball + 1]
    points: Int32Array,  # [entry]
    taken: Taken,
    paths: Paths,
    root: int,
) -> bool:
    """Find one more point for a cluster.

    On a shortest path each cluster takes a point of the next one, and the last cluster
    a point that nobody has. If there is none then no cluster that was reached ever
    gets more than it has. O(the size of all balls).
    """
    home, pinned, over, origin = taken.home, taken.pinned, paths.over, paths.origin
    reached, group, queue = paths.reached, paths.group, paths.queue
    paths.counts[0] += 1
    number = paths.counts[0]
    reached[root], paths.root[root], group[root] = number, root, root
    over[root], queue[0] = -1, root
    # All points that the clusters before `first` could take have been reached.
    first, last, cluster, p = 0, 1, root, -1
    while first < last and p < 0:
        cluster = queue[first]
        first += 1
        ball = taken.ball[cluster]
        for e in range(starts[ball], starts[ball + 1]):
            holder = home[points[e]]
            if holder < 0:
                p = points[e]
                break
            if reached[holder] == number or pinned[points[e]] != 0:
                continue
            if dead(paths, holder):
                own, other = group[root], group[paths.root[holder]]
                if own != other:
                    group[root] = other
                    for i in range(paths.counts[1]):
                        if group[paths.lacking[i]] == own:
                            group[paths.lacking[i]] = other
                continue
            reached[holder], paths.root[holder] = number, root
            over[holder], origin[holder] = points[e], cluster
            queue[last] = holder
            last += 1
    if p < 0:
        paths.vain[root] = number
        return False
    # Back along the path, every point goes to the cluster that reached it.
    while p >= 0:
        give(taken, p, cluster)
        p, cluster = over[cluster], origin[cluster]
    return True


@compiled
def _fill(
    starts: IntArray,  # [ball + 1]
    points: Int32Array,  # [entry]
    r: int,
    own: IntArray,  # [cluster]
    taken: Taken,
    paths: Paths,
) -> None:
    """Find a maximum flow; the clusters that cannot be filled are dead.

    O(r x clusters x the size of all balls), in practice little more than linear.
    """
    home, held = taken.home, taken.held
    wanted = np.zeros(len(home), dtype=np.int64)
    for c in range(len(held)):
        if own[c] >= 0:
            give(taken, own[c], c)
            taken.pinned[own[c]] = 1
        for e in range(starts[c], starts[c + 1]):
            wanted[points[e]] += 1
    # Points that nobody else wants are taken first, then any that are free.
    for alone in (True, False):
        for c in range(len(held)):
            for e in range(starts[c], starts[c + 1]):
                if held[c] >= r:
                    break
                p = points[e]
                if home[p] < 0 and (wanted[p] == 1 or not alone):
                    give(taken, p, c)
    # Clusters before c have r points, or are dead.
    for c in range(len(held)):
        while held[c] < r and not dead(paths, c):
            augmented(starts, points, taken, paths, c)
