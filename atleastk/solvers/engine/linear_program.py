"""A linear program for column and row generation, solved by HiGHS with warm starts.

minimise  costs . x   subject to   row_lower <= A x <= row_upper,  0 <= x <= upper.

Floating point: what follows from an answer must be re-checked in integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from atleastk.arrays import FloatArray, Int32Array, IntArray
from atleastk.packages import highspy, sparse
from atleastk.solvers.backends.highs import run_stoppably
from atleastk.solvers.budget import Budget

if TYPE_CHECKING:
    Sparse = sparse.csr_array[Any] | sparse.csc_array[Any] | sparse.dia_array[Any]
    Matrix = Sparse | NDArray[Any]

Basis = Any
"""A simplex basis, as HiGHS describes it."""

SCALES: Final = (1, 2, 3, 4, 6, 12, 60, 840, 10_000, 1_000_000)
"""Scales that are tried for short integer weights: many duals become whole at the first
ones."""

_TYPICAL: Final = 100.0
"""What an item costs in a linear program over groups of items, about."""

_UNLIMITED: Final = 2**31 - 1
"""Steps of the simplex method."""


@dataclass(frozen=True, slots=True)
class LpOptimum:
    """A point, the duals of the rows, and the value."""

    primal: FloatArray
    duals: FloatArray
    value: float

    @classmethod
    def of(cls, solver: Any) -> LpOptimum:
        point, value = solver.getSolution(), float(solver.getObjectiveValue())
        return cls(np.array(point.col_value), np.array(point.row_dual), value)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Integer weights y of items that refute, and the greatest weight Y of a group.

    By Farkas there are shares of groups that cover every item once and add up to p, or
    such with y(S) <= Y for all groups and y(all) > p Y.
    """

    values: IntArray
    most: int


@dataclass(frozen=True, slots=True, eq=False)
class Relaxed:
    """What a linear program says of p groups: one of both, or nothing in time."""

    refuted: Weights | None = None  # that there is a partition into such groups
    shares: FloatArray | None = None  # of every listed group in a fractional partition


class GrowingLp:
    """A linear program, to which columns and rows are added between solves.

    Parameters
    ----------
    row_lower, row_upper
        The sides of the first rows, which have no entries yet.
    options
        Further options of HiGHS, by name.
    """

    def __init__(
        self,
        row_lower: ArrayLike,
        row_upper: ArrayLike,
        seed: int = 0,
        **options: str,
    ) -> None:
        self._solver = highspy.Highs()
        silent = {"output_flag": False, "threads": 1, "random_seed": seed % 2**31}
        for name, value in {**silent, **options}.items():
            self._solver.setOptionValue(name, value)
        self._warm = False
        self.add_rows(np.zeros((np.size(row_lower), 0)), row_lower, row_upper)

    def add(self, cost: float, rows: Sequence[int], factors: Sequence[int]) -> int:
        """Add a column with these entries and return its index."""
        self._solver.addCol(
            float(cost),
            0.0,
            inf,
            len(rows),
            np.array(rows, dtype=np.int32),
            np.array(factors, dtype=np.float64),
        )
        return int(self._solver.getNumCol()) - 1

    def add_columns(
        self, entries: Matrix, costs: ArrayLike, upper: ArrayLike = inf
    ) -> None:
        """Add a column for every row of a matrix, which has its entries."""
        count, *listed = _listed(entries)
        costs, upper = _each(costs, count), _each(upper, count)
        self._solver.addCols(count, costs, np.zeros(count), upper, *listed)

    def add_rows(self, entries: Matrix, lower: ArrayLike, upper: ArrayLike) -> None:
        """Add the rows of a matrix."""
        count, *listed = _listed(entries)
        self._solver.addRows(count, _each(lower, count), _each(upper, count), *listed)

    def cap(self, first: int, upper: NDArray[Any]) -> None:
        """Change the upper bounds of columns from the first on."""
        count = len(upper)
        columns = np.arange(first, first + count, dtype=np.int32)
        self._solver.changeColsBounds(
            count, columns, np.zeros(count), upper.astype(np.float64)
        )

    def bound_row(self, row: int, lower: float, upper: float) -> None:
        """Change the sides of a row."""
        self._solver.changeRowBounds(row, lower, upper)

    @property
    def basis(self) -> Basis:
        """The basis at the end of the last run."""
        return self._solver.getBasis()

    def start_from(self, basis: Basis) -> None:
        """Let the next run start from a basis of the same rows, new columns at 0."""
        new = self._solver.getNumCol() - len(basis.col_status)
        at_zero = [highspy.HighsBasisStatus.kLower] * new
        basis.col_status = [*basis.col_status, *at_zero]
        self._solver.setBasis(basis)

    @property
    def pivots(self) -> int:
        """The number of steps of the simplex method in the last run."""
        return int(self._solver.getInfo().simplex_iteration_count)

    def solve(self, budget: Budget, *, apart: bool = False) -> LpOptimum | None:
        """Return an optimum, or None if there is none or the budget is spent.

        A warm start that ends in numerical trouble is repeated without. Apart, it runs
        in a thread of its own, which is asked to stop when the budget is spent and left
        behind if it does not; a program left behind is not used again.
        """
        ends = highspy.HighsModelStatus
        decided = ends.kOptimal, ends.kInfeasible, ends.kUnboundedOrInfeasible
        status = self._run(budget, apart)
        if self._warm and status not in decided and not budget.spent:
            self._solver.clearSolver()
            status = self._run(budget, apart)
        self._warm = True
        return LpOptimum.of(self._solver) if status == ends.kOptimal else None

    def value_after(self, pivots: int) -> float:
        """Return roughly the value: after at most this many steps from the basis."""
        self._solver.setOptionValue("simplex_iteration_limit", pivots)
        self._solver.run()
        value = float(self._solver.getObjectiveValue())
        self._solver.setOptionValue("simplex_iteration_limit", _UNLIMITED)
        return value

    def _run(self, budget: Budget, apart: bool) -> Any:
        """Run, and return the status; None if there is none in time."""
        if budget.spent:
            return None
        limit = min(self._solver.getRunTime() + budget.on_the_wall, inf)
        self._solver.setOptionValue("time_limit", limit)
        if not apart:
            self._solver.run()
        elif not run_stoppably(self._solver, budget):
            return None
        return self._solver.getModelStatus()


def are_basic(statuses: Iterable[Any]) -> list[bool]:
    """Tell of columns or rows of a basis whether they are basic."""
    return [of == highspy.HighsBasisStatus.kBasic for of in statuses]


def start_of(columns: Iterable[Any], rows: Sequence[Any]) -> Basis:
    """Return a start from statuses of columns, at 0 for None, and of rows."""
    start, at_zero = highspy.HighsBasis(), highspy.HighsBasisStatus.kLower
    start.col_status = [at_zero if of is None else of for of in columns]
    start.row_status = rows
    start.valid = start.alien = True
    return start


def unit_for(cost: float, items: int) -> float:
    """Return the unit in which a program is written whose optimum is about that."""
    return max(1.0, cost / max(1, items) / _TYPICAL)


def _each(values: ArrayLike, count: int) -> FloatArray:
    """Return as many numbers, all the same if one is given."""
    return np.array(np.broadcast_to(values, count), dtype=np.float64)


def _listed(
    matrix: Matrix,
) -> tuple[int, int, Int32Array, Int32Array, FloatArray]:
    """Return how many rows and entries there are, where rows start, and the entries."""
    rows = sparse.csr_array(matrix)
    starts, places = rows.indptr[:-1].astype(np.int32), rows.indices.astype(np.int32)
    return rows.shape[0], rows.nnz, starts, places, rows.data.astype(np.float64)
