"""Filling clusters: r points for every chosen centre, out of its ball.

A point goes to one centre at most, so this is a flow: source -> centre (r) -> point of
its ball (1) -> sink (1). It is filled greedily, then along augmenting paths, found
breadth first. Where none is left from a centre, the centres that were reached are a
violation of Hall's condition: their balls hold fewer than r points for each. They stay
reached, so that no part of the network is searched in vain twice.

A centre may have a point that only it may take, its own: with centres that are members
of their clusters. The points that the reached centres could take are then those of
their balls without the own points of others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.compiled.compile import compiled

__all__ = ["Filling", "fill", "with_rest"]


@dataclass(frozen=True, eq=False)
class Filling:
    """Which points the centres take, at most r each.

    Attributes
    ----------
    home
        For every point the index of its centre, -1 for none.
    deficient
        Centres, by index, that cannot all have r points: with own points O of other
        centres, their balls without O hold fewer than r for each. Empty if all are
        filled.
    """

    home: IntArray
    deficient: IntArray

    @property
    def complete(self) -> bool:
        """Whether every centre has r points."""
        return len(self.deficient) == 0


def fill(
    starts: IntArray,
    points: Int32Array,
    n: int,
    r: int,
    fixed: IntArray | None = None,
) -> Filling:
    """Give each centre r of the points of its ball, to as many as can be.

    Parameters
    ----------
    starts, points
        The ball of centre c is ``points[starts[c]:starts[c + 1]]``; points are below n.
    fixed
        A point of the ball of each centre that it has to take, different ones, or -1.
    """
    centres = len(starts) - 1
    home = np.full(n, -1, dtype=np.int64)
    own = np.full(centres, -1, dtype=np.int64) if fixed is None else fixed
    reached = np.zeros(centres, dtype=np.uint8)
    _fill(starts, points, r, own, home, reached)
    return Filling(home, reached.nonzero()[0])


def with_rest(balls: Balls, home: IntArray) -> IntArray:
    """Return homes for all points that lie in the ball of some centre.

    Points without a home go to the first such centre; the others keep theirs.
    """
    all_homes = home.copy()
    owners = np.repeat(np.arange(len(balls), dtype=np.int64), balls.sizes)
    free = home[balls.points] < 0
    all_homes[balls.points[free][::-1]] = owners[free][::-1]
    return all_homes


@compiled
def _fill(
    starts: IntArray,
    points: Int32Array,
    r: int,
    own: IntArray,
    home: IntArray,
    reached: ByteArray,
) -> None:
    centres = len(starts) - 1
    n = len(home)
    held = np.zeros(centres, dtype=np.int64)
    stuck = np.zeros(n, dtype=np.uint8)
    wanted = np.zeros(n, dtype=np.int64)
    for c in range(centres):
        if own[c] >= 0:
            home[own[c]] = c
            stuck[own[c]] = 1
            held[c] = 1
        for e in range(starts[c], starts[c + 1]):
            wanted[points[e]] += 1
    # Points that nobody else wants come first, then any.
    for alone in (True, False):
        for c in range(centres):
            for e in range(starts[c], starts[c + 1]):
                if held[c] >= r:
                    break
                p = points[e]
                if home[p] < 0 and (wanted[p] == 1 or not alone):
                    home[p] = c
                    held[c] += 1
    parent = np.full(centres, -1, dtype=np.int64)  # the point that leads back
    origin = np.full(n, -1, dtype=np.int64)  # the centre from which it was reached
    queue = np.empty(centres, dtype=np.int64)
    seen_points = np.empty(n, dtype=np.int64)
    for c in range(centres):
        while held[c] < r and reached[c] == 0:
            reached[c] = 1
            queue[0] = c
            first, last, seen, end = 0, 1, 0, -1
            while first < last and end < 0:
                b = queue[first]
                first += 1
                for e in range(starts[b], starts[b + 1]):
                    p = points[e]
                    if origin[p] >= 0 or home[p] == b or stuck[p] != 0:
                        continue
                    origin[p] = b
                    seen_points[seen] = p
                    seen += 1
                    h = home[p]
                    if h < 0:
                        end = p
                        break
                    if reached[h] == 0:
                        reached[h] = 1
                        parent[h] = p
                        queue[last] = h
                        last += 1
            if end < 0:
                break  # all that was reached stays so
            for i in range(last):
                reached[queue[i]] = 0
            p = end
            while True:
                b = origin[p]
                home[p] = b
                if b == c:
                    break
                p = parent[b]
            held[c] += 1
            for i in range(seen):
                origin[seen_points[i]] = -1
