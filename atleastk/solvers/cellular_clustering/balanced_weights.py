"""Lower bounds of cellular clustering by weights in balance, for many points.

Let weights y >= 0 be such that y(S) <= |S| d for every set S of at least r points
within d of some point c. A cluster is such a set and costs |S| d or more - about its
centre, or about any of its points if the centre may be anywhere and d is the diameter -
so any solution costs at least the sum of y, less the max_outliers greatest. Of the sets
of s points the heaviest has the s greatest weights of a ball, and s = r is the worst:
further weights are no greater than the mean of these.

They are found by subgradient ascent (:mod:`~atleastk.solvers.engine.balanced`) of

    sum of y - sum over the points c of max over the sets S about c of y(S) - |S| d,

which has the optimum of the linear program where no point is the centre of more than
one cluster: mostly within 1 % of it after some hundred rounds. Then multiplicative
updates see to it that no set is too heavy.
Weights are at most the limit of the neighbourhoods, so sets that reach further never
are. A round takes O(r) steps for every neighbour.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.balanced import balanced, climbed
from atleastk.solvers.precision import SCALE, SURE

_GREATEST: Final = 2.0**62
"""Of a weight at the common scale: greater ones are lowered, which proves less."""

_ASCENT: Final = 300
"""Rounds of the ascent; three times as many gain less than 0.05 %."""

_STEP: Final = 0.05
"""The first step, in mean weights: of four from 0.02 to 0.4 best on 600 points."""

_MOST_CLIMBED: Final = 2_000_000
"""Neighbours for which a round takes less than a tenth of a second: not tuned."""


def balanced_weights(
    near: Neighbourhoods, r: int, start: IntArray, outliers: int, budget: Budget
) -> IntArray:
    """Return weights of the points at the common scale, from feasible ones.

    Where these are 0, as of points that have r equals, weights stay 0.
    """
    rows = near.starts, near.points, near.distances
    most = np.where(start > 0, float(near.limit), 0.0)
    weights = np.minimum(start, near.limit).astype(np.float64)

    def wanted(weights: FloatArray) -> FloatArray:
        asked = np.ones(len(weights))
        if outliers:
            asked[np.argpartition(weights, -outliers)[-outliers:]] = 0.0
        return asked - _worst_sets(*rows, r, weights, False)

    rounds = _ASCENT if len(near.points) <= _MOST_CLIMBED else 0
    step, part = _STEP * float(weights.mean()), budget.share(2 / 3)
    weights = climbed(weights, wanted, step, most, rounds, part)

    def worst_of(weights: FloatArray) -> FloatArray:
        return _worst_sets(*rows, r, weights, True)

    worth = np.ones(len(weights))
    found = balanced(weights, worst_of, worth, 30, budget, near.limit)
    scaled = np.floor(found * (SURE * SCALE))
    return np.minimum(scaled, _GREATEST).astype(np.int64)


@compiled
def _worst_sets(
    starts: IntArray,  # [point + 1]
    points: Int32Array,  # [entry]
    distances: IntArray,  # [entry]
    r: int,
    weights: FloatArray,  # [point]
    by_factor: bool,
) -> FloatArray:
    """Return by which factor the worst set of every point is too heavy.

    Or else how many of the sets that are too heavy by most, one about each centre, have
    the point.
    """
    heaviest, chosen = np.empty(r, dtype=np.int64), np.empty(r, dtype=np.int64)
    found = np.zeros(len(weights))
    for c in range(len(weights)):
        size, total, most = 0, 0.0, 0.0
        for e in range(starts[c], starts[c + 1]):
            # The r heaviest points of the ball so far, in falling order.
            p = points[e]
            place = size
            if size < r:
                size += 1
            elif weights[p] > weights[heaviest[r - 1]]:
                place = r - 1
                total -= weights[heaviest[place]]
            else:
                continue
            total += weights[p]
            while place > 0 and weights[heaviest[place - 1]] < weights[p]:
                heaviest[place] = heaviest[place - 1]
                place -= 1
            heaviest[place] = p
            excess = total - r * distances[e]
            if size < r:
                continue
            if not by_factor and excess > most:
                most = excess
                for i in range(r):
                    chosen[i] = heaviest[i]
            if by_factor and distances[e] > 0:
                factor = total / (r * distances[e])
                for i in range(r):
                    found[heaviest[i]] = max(found[heaviest[i]], factor)
        if most > 0.0:
            for i in range(r):
                found[chosen[i]] += 1.0
    return found
