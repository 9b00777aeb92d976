"""Weights in balance, by subgradient ascent and by multiplicative updates.

Ascent
------
What weights prove less what sets are too heavy by is concave in the weights. Each round
goes on in the direction of before, bent to a supergradient; steps shrink to 0. The end
is close to the best weights, but some sets are too heavy still.

Updates
-------
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
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.solvers.budget import Budget

_KEEP: Final = 0.9
"""The share of the last direction of the ascent in the next one: of 0, 0.7 and 0.9 that
did best on 600 points."""


def climbed(
    start: FloatArray,
    wanted: Callable[[FloatArray], FloatArray],
    step: float,  # the first; they shrink with the rounds, or the time, that are left
    most: FloatArray,
    rounds: int,
    budget: Budget,
    least: float = 0.0,
) -> FloatArray:
    """Return weights, from `least` to `most` of each, after some rounds of ascent.

    A supergradient is `wanted`: of every item 1, or 0, less in how many sets that are
    too heavy it is.
    """
    whole, now, gain = budget.remaining, start, np.zeros(len(start))
    for done in range(rounds):
        if budget.spent:
            break
        left = 1.0 - done / rounds
        if not budget.endless:
            left = min(left, budget.remaining / whole)
        gain = _KEEP * gain + (1.0 - _KEEP) * wanted(now)
        now = np.clip(now + step * left * gain, least, most)
    return now


def balanced(
    start: FloatArray,
    worst_of: Callable[[FloatArray], FloatArray],
    worth: FloatArray,  # [item]: of a weight of 1
    rounds: int,
    budget: Budget,
    most: float = inf,  # weights stay below; if it is finite they are never multiplied
) -> FloatArray:
    """Return the weights worth most that the updates of some rounds meet, at least one.

    `worst_of` says by which factor the worst set of an item is too heavy, 0 for none.
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
