"""Lower bounds of cellular clustering by weights in balance, for many points.

Let weights y >= 0 be such that y(S) <= |S| d for every set S of at least r points
within d of some point c. A cluster is such a set and costs |S| d or more - about its
centre, or about any of its points if the centre may be anywhere and d is the diameter -
so any solution costs at least the sum of y, less the max_outliers greatest. Of the sets
of s points the heaviest has the s greatest weights of a ball, and s = r is the worst:
further weights are no greater than the mean of these.

They are found by multiplicative updates (:mod:`~atleastk.solvers.engine.balanced`).
Weights are at most the limit of the neighbourhoods, so sets that reach further are
never too heavy. A round takes O(r) steps for every neighbour.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Neighbourhoods
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.engine.balanced import balanced

SCALE: Final = 2**20
"""Weights are rounded down to integers at this scale."""

_MARGIN: Final = 1 - 1e-9
"""The factor of weights against rounding of sums of doubles."""

_ROUNDS: Final = 100
"""Rounds of updates; three times as many gain less than 0.05 %."""


def balanced_weights(
    near: Neighbourhoods, r: int, start: IntArray, budget: Budget
) -> IntArray:
    """Return weights of the points at the common scale, from feasible ones."""

    def worst_of(weights: FloatArray) -> FloatArray:
        return _weigh(near.starts, near.points, near.distances, r, weights)

    weights = np.minimum(start, near.limit).astype(np.float64)
    worth = np.ones(len(weights))
    found = balanced(weights, worst_of, worth, _ROUNDS, budget, near.limit)
    scaled: IntArray = np.floor(found * (_MARGIN * SCALE)).astype(np.int64)
    return scaled


@compiled
def _weigh(
    starts: IntArray,  # [point + 1]
    points: Int32Array,  # [entry]
    distances: IntArray,  # [entry]
    r: int,
    weights: FloatArray,  # [point]
) -> FloatArray:
    """Return by which factor the worst set of every point is too heavy."""
    heaviest, worst = np.empty(r, dtype=np.int64), np.zeros(len(weights))
    for c in range(len(weights)):
        size, total = 0, 0.0
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
            if size == r and distances[e] > 0:
                factor = total / (r * distances[e])
                for i in range(r):
                    worst[heaviest[i]] = max(worst[heaviest[i]], factor)
    return worst
