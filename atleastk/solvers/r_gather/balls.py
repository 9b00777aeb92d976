"""The covering problem at a radius, reduced by dominance and split into parts.

The candidates are the balls with at least r points; only some of them matter.

- *Dominance*: if the ball of b lies in that of a then a can take the place of b, also
  with limits on clusters and outliers: the two clusters are merged if both are there.
- Where *centres are members* this fails, for a may be needed where it is. Of equal
  balls one suffices all the same: whatever cluster holds a could hold b, so they change
  places.
- *Rows*: a point is redundant if all the balls that hold some other point hold it, too,
  unless outliers are allowed.
- *Parts*: without limits on clusters and outliers, the connected components of balls
  with common points are independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.instances.clustering import Clustering
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls, Neighbourhoods
from atleastk.solvers.compiled.compile import compiled

LARGE: Final = 20
"""The size from which on clusters are large: clauses count badly then."""


@dataclass(frozen=True, eq=False)
class CoveringProblem:
    """Choose candidate clusters that cover all rows, and give each of them r points."""

    r: int  # the least size of a cluster
    points: IntArray  # [point] by their index in the instance; here they are 0..n-1
    centres: IntArray  # [candidate] likewise
    balls: Balls  # [candidate]
    holders: Balls  # [point] the candidates whose balls hold it
    rows: IntArray  # [row] points that have to be in a ball: the others follow
    own: IntArray  # [candidate] the point it has to take, its own, or -1
    most: int  # the most candidates that may be chosen
    outliers: int  # the most rows that may stay uncovered

    @property
    def n(self) -> int:
        """The number of points."""
        return len(self.points)

    @property
    def limited(self) -> bool:
        """Whether the number of clusters is limited further than by their size."""
        return self.most < self.n // self.r

    @property
    def counts(self) -> bool:
        """Whether much is to be counted: clusters or outliers, or many points."""
        return self.limited or self.outliers > 0 or self.r >= LARGE

    @property
    def hopeless(self) -> bool:
        """Whether more points than may be outliers are in no ball at all."""
        return int((self.holders.sizes[self.rows] == 0).sum()) > self.outliers


def covering_problem(
    instance: Clustering, near: Neighbourhoods, radius: int, budget: Budget
) -> CoveringProblem:
    """Return the covering problem at a radius, which is within the limit of `near`.

    It is not fully reduced if the budget is spent meanwhile.
    """
    n = instance.n
    member = instance.centres == "member"
    centres = np.flatnonzero(near.within(radius) >= instance.r)
    balls = near.balls(radius, centres)
    maximal = _kept(balls, n, budget, equal_only=member)
    centres, balls = centres[maximal], balls.chosen(maximal)
    holders = balls.turned(n)
    points = np.arange(n, dtype=np.int64)
    rows = points
    if not instance.max_outliers and holders.sizes.all():
        rows = _kept(holders, len(centres), budget, inner=False)
    return CoveringProblem(
        r=instance.r,
        points=points,
        centres=centres,
        balls=balls,
        holders=holders,
        rows=rows,
        own=centres if member else np.full(len(centres), -1, dtype=np.int64),
        most=instance.most_clusters,
        outliers=instance.max_outliers,
    )


def parts(whole: CoveringProblem) -> list[CoveringProblem]:
    """Return the independent parts of a problem, small ones first."""
    if whole.limited or whole.outliers:
        return [whole]
    of_centre, of_point = whole.balls.components(whole.n)
    count = 1 + int(of_point.max(initial=-1))
    if count == 1:
        return [whole]
    local = np.empty(whole.n, dtype=np.int64)
    found = []
    of_points = _by_label(of_point, count)
    of_rows = _by_label(of_point[whole.rows], count)
    for label, which in enumerate(_by_label(of_centre, count)):
        points = of_points[label]
        local[points] = np.arange(len(points))
        balls = whole.balls.chosen(which)
        balls = Balls(balls.starts, local[balls.points].astype(np.int32))
        own = whole.own[which]
        part = CoveringProblem(
            r=whole.r,
            points=whole.points[points],
            centres=whole.centres[which],
            balls=balls,
            holders=balls.turned(len(points)),
            rows=local[whole.rows[of_rows[label]]],
            own=np.where(own < 0, own, local[own]),
            most=len(points) // whole.r,
            outliers=0,
        )
        found.append(part)
    return sorted(found, key=lambda part: len(part.centres))


def conflicts(problem: CoveringProblem) -> IntArray:
    """Return the pairs [a, b] of candidates that cannot both have r points.

    Their balls hold fewer than 2 r points together or, if centres are members, one
    takes a point that the other one needs.
    """
    balls, holders, r, own = problem.balls, problem.holders, problem.r, problem.own
    arguments = balls.starts, balls.points, holders.starts, holders.points, r, own
    count = _conflicts(*arguments, np.empty((0, 2), dtype=np.int64))
    pairs = np.empty((count, 2), dtype=np.int64)
    _conflicts(*arguments, pairs)
    return pairs


def _by_label(labels: Int32Array, count: int) -> list[IntArray]:
    """Return the places of every label, ascending."""
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=count))
    return np.split(order, ends[:-1])


def _kept(
    sets: Balls, n: int, budget: Budget, *, equal_only: bool = False, inner: bool = True
) -> IntArray:
    """Return the sets that are in no other one, and of equal ones only the first.

    With `equal_only`, only sets that equal an earlier one are dropped; without `inner`,
    those that hold another one.
    """
    remaining = np.ones(len(sets), dtype=np.int64)
    pivots = _pivots(sets, sets.turned(n))
    arguments = sets.starts, sets.points, pivots.starts, pivots.points
    with budget.flagging() as flag:
        _drop(*arguments, equal_only, int(inner), flag, remaining)
    return remaining.nonzero()[0]


def _pivots(sets: Balls, turned: Balls) -> Balls:
    """Return for every element the sets of which it is the rarest."""
    rarity = turned.sizes[sets.points]
    least = np.minimum.reduceat(rarity, sets.starts[:-1]) if len(sets) else rarity
    first = np.flatnonzero(rarity == np.repeat(least, sets.sizes))
    owners = sets.owners[first]
    _, places = np.unique(owners, return_index=True)
    rarest = sets.points[first[places]]
    every = np.arange(len(sets) + 1, dtype=np.int64)
    return Balls(every, rarest).turned(len(turned))


@compiled
def _drop(
    starts: IntArray,  # [set + 1]
    points: Int32Array,  # [entry]
    pivot_starts: IntArray,  # [element + 1]
    pivots: Int32Array,  # [set]
    equal_only: bool,
    inner: int,
    flag: ByteArray,  # [1]
    remaining: IntArray,  # [set]
) -> None:
    """Drop the inner ones of nested sets, or the outer ones; 0 stands for dropped.

    A set inside another one has its rarest element, its pivot, there.
    """
    many = len(starts) - 1
    stamp = np.full(len(pivot_starts) - 1, -1, dtype=np.int64)
    for a in range(many):
        if flag[0] != 0:
            return
        if remaining[a] == 0:
            continue
        # The points of a are stamped with a.
        size = starts[a + 1] - starts[a]
        for e in range(starts[a], starts[a + 1]):
            stamp[points[e]] = a
        # Every set within a has its rarest point among those of a.
        for e in range(starts[a], starts[a + 1]):
            p = points[e]
            for f in range(pivot_starts[p], pivot_starts[p + 1]):
                b = pivots[f]
                if b == a or remaining[b] == 0:
                    continue
                smaller = starts[b + 1] - starts[b]
                if smaller > size or (equal_only and smaller != size):
                    continue
                inside = True
                for g in range(starts[b + 1] - 1, starts[b] - 1, -1):
                    if stamp[points[g]] != a:
                        inside = False
                        break
                if not inside:
                    continue
                if smaller == size:
                    remaining[max(a, b)] = 0
                elif inner == 1:
                    remaining[b] = 0
                else:
                    remaining[a] = 0
            if remaining[a] == 0:
                break


@compiled
def _conflicts(
    starts: IntArray,  # [ball + 1]
    points: Int32Array,  # [entry]
    holder_starts: IntArray,  # [point + 1]
    holders: Int32Array,  # [entry]
    r: int,
    own: IntArray,  # [ball]
    pairs: IntArray,  # [pair, 2]
) -> int:
    """Fill in the conflicting pairs as far as there is room, and count them."""
    many = len(starts) - 1
    common = np.zeros(many, dtype=np.int64)
    touched = np.empty(many, dtype=np.int64)
    count = 0
    for a in range(many):
        size = starts[a + 1] - starts[a]
        if size >= 2 * r:
            continue
        # `common` counts the points that any other one shares with a.
        seen = 0
        for e in range(starts[a], starts[a + 1]):
            p = points[e]
            for f in range(holder_starts[p], holder_starts[p + 1]):
                b = holders[f]
                if common[b] == 0:
                    touched[seen] = b
                    seen += 1
                common[b] += 1
        for i in range(seen):
            b = touched[i]
            other = starts[b + 1] - starts[b]
            # Both balls are too small together, or a needs the own point of b.
            hit = size + other - common[b] < 2 * r and a < b
            if own[a] >= 0 and size == r and a != b and not hit:
                for e in range(starts[a], starts[a + 1]):
                    hit = hit or points[e] == own[b]
                # If the other one is as tight, it reports the pair.
                hit = hit and (other > r or a < b)
            if hit:
                if count < len(pairs):
                    pairs[count, 0] = a
                    pairs[count, 1] = b
                count += 1
            common[b] = 0
    return count
