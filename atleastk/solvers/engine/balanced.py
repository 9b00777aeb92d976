"""Weights in balance, by multiplicative updates.

Sets of items must not weigh more than they may. Again and again every item is divided
by a power of the factor by which the worst of its sets is too heavy; the power falls
from 1 to 0. After some ten rounds every item is in a set that is just heavy enough.
What the weights of a round prove is what they are worth once divided by the greatest of
all these factors. Fast, and mostly close to the best weights, which are the duals of a
linear program. Floating point: whoever rounds the weights leaves a margin.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.solvers.budget import Budget


def balanced(
    start: FloatArray,
    worst_of: Callable[[FloatArray], FloatArray],
    worth: FloatArray,
    rounds: int,
    budget: Budget,
    most: float = inf,
) -> FloatArray:
    """Return the weights worth most that the updates of some rounds meet, at least one.

    Parameters
    ----------
    worst_of
        Returns by which factor the worst set of every item is too heavy, 0 for none.
    worth
        What a weight of 1 of each item is worth.
    most
        Weights stay below; if it is finite they are never multiplied.
    """
    best, reached, now = start, -inf, start
    for done in range(rounds):
        if done and budget.spent:
            break
        worst = worst_of(now)
        greatest = float(worst.max(initial=0.0 if most == inf else 1.0))
        value = float(worth @ now) / greatest
        if value > reached:
            best, reached = now / greatest, value
        factors = np.where(worst > 0.0, worst, 1.0) ** (1.0 - done / rounds)
        now = np.minimum(most, now / factors)
    return best
