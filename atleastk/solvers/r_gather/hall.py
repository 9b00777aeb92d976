"""Cuts: chosen balls hold enough points only if they satisfy Hall's condition.

Theorem
-------
Let y_c be 1 for chosen centres, 0 for others, and let U be any set of points. Centre c
takes at least w_c = max(0, r - |N(c) - U|) points of U, and at least one if c itself is
in U and has to be its own. So

    sum of w_c y_c  <=  |U|,   and with S = {c: N(c) within U}:
    sum of y_c over S  <=  floor(|U| / r).

The second is a cardinality, which clauses can say. U is the union of balls that were
chosen together in vain; the fewer the better, so those are left out that are not needed
to be in vain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.r_gather.balls import Ground
from atleastk.solvers.r_gather.flow import fill


@dataclass(frozen=True, eq=False)
class Cut:
    """At most so many of some candidates; see the theorem.

    Attributes
    ----------
    inside, most
        The candidates whose balls are within U, and how many of them may be chosen.
    touching, weights, points
        Candidates that take points of U, how many at least, and the size of U.
    """

    inside: IntArray
    most: int
    touching: IntArray
    weights: IntArray
    points: int


def violations(of: Ground, chosen: IntArray) -> list[Cut]:
    """Return cuts that the chosen candidates violate; none if all can be filled."""
    return [cut_of(of, part) for part in deficient(of, chosen)]


def deficient(of: Ground, chosen: IntArray) -> list[IntArray]:
    """Return sets of chosen candidates whose balls hold too few points for them."""
    balls = of.balls.chosen(chosen)
    own = of.own[chosen]
    found = fill(balls.starts, balls.points, of.n, of.r, own).deficient
    return [_shrunk(of, part) for part in _split(of, chosen[found])]


def cut_of(of: Ground, centres: IntArray) -> Cut:
    """Return the cut of the points in the balls of some candidates."""
    points = np.unique(of.balls.chosen(centres).points)
    return cut_within(of, points.astype(np.int64))


def cut_within(of: Ground, points: IntArray) -> Cut:
    """Return the cut of a set of points, different ones."""
    inside = np.zeros(of.n, dtype=np.bool_)
    inside[points] = True
    touching = np.unique(of.holders.chosen(points).points).astype(np.int64)
    balls = of.balls.chosen(touching)
    outside = np.add.reduceat(~inside[balls.points], balls.starts[:-1], dtype=np.int64)
    own = of.own[touching]
    weights = np.maximum(of.r - outside, (own >= 0) & inside[own])
    used = weights > 0
    return Cut(
        inside=touching[outside == 0],
        most=len(points) // of.r,
        touching=touching[used],
        weights=weights[used],
        points=len(points),
    )


def _split(of: Ground, centres: IntArray) -> list[IntArray]:
    """Return deficient parts whose balls have no point in common."""
    if not len(centres):
        return []
    of_centres, _ = of.balls.chosen(centres).components(of.n)
    return [centres[of_centres == label] for label in np.unique(of_centres)]


def _shrunk(of: Ground, centres: IntArray) -> IntArray:
    """Leave out candidates as long as too few points are left for the others."""
    counts = np.zeros(of.n, dtype=np.int64)
    np.add.at(counts, of.balls.chosen(centres).points, 1)
    lack = of.r * len(centres) - int((counts > 0).sum())
    kept = []
    for c in centres.tolist():
        ball = of.balls.of(c)
        alone = int((counts[ball] == 1).sum())
        if lack - of.r + alone > 0:
            lack += alone - of.r
            counts[ball] -= 1
        else:
            kept.append(c)
    return np.array(kept, dtype=np.int64)
