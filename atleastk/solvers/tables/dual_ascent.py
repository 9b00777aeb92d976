"""Dual ascent to the best multipliers: bounds for tables with millions of pairs.

The Lagrangian bound L(u) of :mod:`atleastk.solvers.tables.multipliers` is concave;
a supergradient has copies_t less the copies of t that the best sets take. The ascent
follows it with momentum, and every record has a step of its own, scaled by its earlier
gradients: this is Adam [Kingma15]. Steps shrink when they no longer pay. Averages of
the best sets approach an optimum of the linear program.

Every bound on the way is exact, see :mod:`atleastk.solvers.tables.valuation`; only
the steps are in floating point.

References
----------
[Kingma15] D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.precision import NOTHING
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers
from atleastk.solvers.tables.valuation import Valuation

_FIRST_STEP: Final = 0.05
"""By how much the weight of a record changes in a step if its gradient persists, in
stars."""

_LATER_STEP: Final = _FIRST_STEP / 10
"""The same for starts near the optimum."""

_LAST_STEP: Final = 0.001
"""A phase ends when its step has shrunk to this part of its first."""

_SHRINK: Final = 0.8
"""What a step is multiplied by if it does not pay: not tuned."""

_LOOKOUT: Final = 50
"""The number of steps after which their length is judged."""

_PAY: Final = 0.01
"""The relative gain, per unit of step, that pays in the first phase."""

_PATIENCE: Final = 3.0
"""Every further phase asks for this many times less gain."""

_MOMENTUM: Final = 0.98
"""The share of the old mean in the mean gradient, as in Adam."""

_MEMORY: Final = 0.999
"""The share of the old mean in the mean square of gradients, as in Adam."""

_LEAST_GRADIENT: Final = 0.001
"""Added to the usual gradient, so that small ones do not make long steps."""


def improve(
    table: ListedTable,
    budget: Budget,
    start: Multipliers | None = None,
    enough: int | None = None,
    *,
    primal: bool = False,
) -> Multipliers:
    """Return the best multipliers found until the budget is spent, or nearly the best.

    It starts from multipliers of the same records, and ends when `enough` is proved.
    With `primal` they have the rows of every pattern in an approximate optimum, too.
    """
    ascent = Ascent(table, start, primal=primal)
    ascent.climb(budget, enough=enough)
    return ascent.best(primal=primal)


class Ascent:
    """An ascent that may be interrupted and continued.

    Attributes
    ----------
    total
        The greatest L so far, in units of 1 / scale.
    over
        Whether further steps no longer pay: then it does not go on.

    Weights are at most `most` times the worth of a row, if that is given.
    """

    def __init__(
        self,
        table: ListedTable,
        start: Multipliers | None = None,
        *,
        primal: bool = False,
        most: float = inf,
    ) -> None:
        records = table.records
        self._scale = scale = table.scale
        self._most = min(most, float(table.greatest_weight))
        self._copies, self._worth = records.copies, records.worth
        self._primal = primal
        self._valuation = Valuation(table, scale, primal=primal)
        if start is None:
            point = table.least_stars.astype(np.float64)
        else:
            point = start.weights / (start.scale * self._worth)
        self._point = np.clip(point, -self._most, self._most)
        self._moments = np.zeros((2, records.distinct))
        self._weights = np.rint(self._point * scale * self._worth).astype(np.int64)
        self._best = self._weights.copy()
        self._steps = 0
        self._amounts = 0.0
        self.total = self._evaluate(0, 0)
        self.over = False
        self._first = _FIRST_STEP if start is None else _LATER_STEP
        self._step, self._pay = self._first, _PAY
        self._before = self.total
        self._reported = -1

    def climb(
        self,
        budget: Budget,
        on_bound: Callable[[Multipliers], object] | None = None,
        enough: int | None = None,
    ) -> None:
        """Go on until the budget is spent, `enough` is proved, or it is over.

        Multipliers that prove a greater (rounded) bound are reported, not at every
        step.
        """
        while not self.over and not budget.spent:
            if self._step <= self._first * _LAST_STEP:
                self._begin_phase()
                continue
            reached = self.total
            whole = self._advance(self._step, budget)
            found = self.best()
            if found.bound > self._reported and on_bound is not None:
                on_bound(found)
            self._reported = found.bound
            if enough is not None and found.bound >= enough:
                return
            gained = self.total - reached
            if whole and gained <= self._pay * self._step * max(0, self.total):
                self._step *= _SHRINK

    def _begin_phase(self) -> None:
        """Begin a phase of more patience at the best point, if the last one gained.

        It begins without momentum.
        """
        if self.total - self._before <= NOTHING * max(0, self.total):
            self.over = True
            return
        self._point = self._best / (self._scale * self._worth)
        self._moments[0] = 0.0
        self._first, self._pay = _LATER_STEP, self._pay / _PATIENCE
        self._step, self._before = self._first, self.total

    def _advance(self, length: float, budget: Budget) -> bool:
        """Take steps of this length; tell whether the budget sufficed for all."""
        for _ in range(_LOOKOUT):
            if budget.spent:
                return False
            self._steps += 1
            rise, fall = _step(
                self._copies,
                self._worth,
                self._valuation.taken,
                self._point,
                self._moments,
                self._weights,
                self._steps,
                length,
                self._scale,
                self._most,
            )
            total = self._evaluate(rise, fall)
            if total > self.total:
                self.total = total
                self._best[:] = self._weights
        return True

    def best(self, *, primal: bool = False) -> Multipliers:
        """Return the best weights so far."""
        rows = self._valuation.rows / max(1.0, self._amounts) if primal else None
        return Multipliers(self._best.copy(), self._scale, self.total, rows)

    def _evaluate(self, rise: int, fall: int) -> int:
        """Return L of the weights; later best sets count for more in the averages."""
        amount = float(self._steps) if self._primal else 0.0
        self._amounts += amount
        values = self._valuation(self._weights, rise, fall, amount)
        return int(self._copies @ self._weights) - values


@compiled
def _step(
    copies: IntArray,
    worth: IntArray,
    taken: IntArray,
    point: FloatArray,
    moments: FloatArray,
    weights: IntArray,
    steps: int,
    length: float,
    scale: int,
    most: float,
) -> tuple[int, int]:
    """Take a step; return the greatest rise and fall of a weight.

    Points are what a row pays, weights that many times in units of 1 / scale.
    """
    rise = fall = 0
    unbias = 1.0 / (1.0 - _MOMENTUM**steps)
    unbias_squares = 1.0 / (1.0 - _MEMORY**steps)
    for t in range(len(point)):
        # Adam: a step along the mean gradient, relative to its usual size.
        gradient = 1.0 - taken[t] / copies[t]
        moments[0, t] += (1.0 - _MOMENTUM) * (gradient - moments[0, t])
        moments[1, t] += (1.0 - _MEMORY) * (gradient**2 - moments[1, t])
        usual = np.sqrt(moments[1, t] * unbias_squares) + _LEAST_GRADIENT
        moved = point[t] + length * moments[0, t] * unbias / usual
        point[t] = min(most, max(-most, moved))
        # The weight in integers, and its change.
        weight = np.int64(np.rint(point[t] * scale * worth[t]))
        rise = max(rise, weight - weights[t])
        fall = max(fall, weights[t] - weight)
        weights[t] = weight
    return rise, fall
