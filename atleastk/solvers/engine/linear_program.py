"""A linear program that grows by columns, solved by HiGHS with warm starts.

minimise  costs . x   subject to   row_lower <= A x <= row_upper,  x >= 0.

Floating point: what follows from an answer must be re-checked in integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.packages import highspy
from atleastk.solvers.budget import Budget

__all__ = ["GrowingLp", "LpOptimum"]


@dataclass(frozen=True, slots=True)
class LpOptimum:
    """A point, the duals of the rows, and the value."""

    primal: FloatArray
    duals: FloatArray
    value: float


class GrowingLp:
    """A linear program with fixed rows, to which columns are added between solves."""

    def __init__(
        self, row_lower: Sequence[int], row_upper: Sequence[int], seed: int = 0
    ) -> None:
        self._solver = highspy.Highs()
        self._solver.setOptionValue("output_flag", False)
        self._solver.setOptionValue("threads", 1)
        self._solver.setOptionValue("random_seed", seed)
        nothing = np.zeros(0, dtype=np.int32), np.zeros(0)
        for lower, upper in zip(row_lower, row_upper, strict=True):
            self._solver.addRow(float(lower), float(upper), 0, *nothing)

    def add(self, cost: float, rows: Sequence[int], factors: Sequence[int]) -> int:
        """Add a column with these entries and return its index."""
        self._solver.addCol(
            float(cost),
            0.0,
            highspy.kHighsInf,
            len(rows),
            np.array(rows, dtype=np.int32),
            np.array(factors, dtype=np.float64),
        )
        return int(self._solver.getNumCol()) - 1

    def price(self, column: int, cost: float) -> None:
        """Change the cost of a column."""
        self._solver.changeColCost(column, float(cost))

    def forbid(self, column: int) -> None:
        """Fix a column at 0."""
        self._solver.changeColBounds(column, 0.0, 0.0)

    def solve(self, budget: Budget) -> LpOptimum | None:
        """Return an optimum, or None if there is none or the budget is spent.

        A run that ends in numerical trouble is repeated once without the warm start.
        """
        decided = (
            highspy.HighsModelStatus.kOptimal,
            highspy.HighsModelStatus.kInfeasible,
            highspy.HighsModelStatus.kUnboundedOrInfeasible,
        )
        status = self._run(budget)
        if status not in decided and not budget.spent:
            self._solver.clearSolver()
            status = self._run(budget)
        if status != highspy.HighsModelStatus.kOptimal:
            return None
        point = self._solver.getSolution()
        return LpOptimum(
            np.array(point.col_value),
            np.array(point.row_dual),
            float(self._solver.getObjectiveValue()),
        )

    def _run(self, budget: Budget) -> highspy.HighsModelStatus:
        clock = self._solver.getRunTime()
        limit = min(clock + budget.remaining, highspy.kHighsInf)
        self._solver.setOptionValue("time_limit", limit)
        self._solver.run()
        return self._solver.getModelStatus()
