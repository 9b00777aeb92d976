"""A CP-SAT model of non-overlapping boxes (no_overlap_2d), for both tiling problems.

Every box has its four lines as variables, and its weight from a table of prefix sums.
No two overlap, and together they hold all cells of the plane, or all points. That
shares nothing with models that list boxes.

Boxes come in the order of their first cells, those that are not used last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from atleastk.arrays import IntArray
from atleastk.models.rectangles import Box, prefix_sums
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status
from atleastk.packages import cp_model
from atleastk.solvers.backends.cp_sat import solve_cp_model
from atleastk.solvers.search import Search

_MOST_WEIGHT: Final = 2**31
"""Weights up to this one are safe from overflow."""
_MOST_ENTRIES: Final = 200_000
"""Boxes times cells in one model: not tuned."""


@dataclass(frozen=True, eq=False)
class Placing:
    """The problem: boxes whose heaviest is as light as possible.

    Attributes
    ----------
    grid
        The weight of every cell.
    held
        Units that boxes must hold, by cell: 1 for the plane, or the number of points.
    least
        The least weight of a box.
    fewest, most
        How many boxes there may be.
    """

    grid: IntArray
    held: IntArray
    least: int
    fewest: int
    most: int

    @cached_property
    def total(self) -> int:
        """The weight of the grid."""
        return int(self.grid.sum())

    @property
    def refusal(self) -> str | None:
        """Why CP-SAT should not be asked, or None."""
        if self.total > _MOST_WEIGHT:
            return f"it takes a weight of 2**31 in all, got {self.total}"
        if self.most * (self.grid.size + 1) > _MOST_ENTRIES:
            return (
                f"{self.most} boxes in {self.grid.size} cells are too many to be "
                "placed one by one"
            )
        return None


def minimise_no_overlap(
    search: Search[Any],
    placing: Placing,
    solution_of: Callable[[list[Box]], Solution],
    source: str,
) -> None:
    """Minimise the weight of the heaviest box; the grid is not empty."""
    model = _Model(placing)

    def offer(values: IntArray) -> None:
        search.offer(solution_of(model.boxes(values)), source)

    answer = solve_cp_model(
        model.model,
        search.budget,
        on_answer=offer,
        on_bound=lambda bound: search.raise_bound(bound, source),
    )
    if answer.status is Status.INFEASIBLE:
        search.close_infeasible(source)
    if answer.values is not None:
        offer(answer.values)
    if answer.bound is not None and answer.status is not Status.INFEASIBLE:
        search.raise_bound(answer.bound, source)


@dataclass(frozen=True, eq=False)
class _Placed:
    """The variables of a box: whether it is used, its lines, the number of its corner.

    Then its intervals of rows and columns, its weight, and the units that it holds.
    """

    used: cp_model.IntVar
    lines: tuple[cp_model.IntVar, ...]
    first: cp_model.IntVar
    across: cp_model.IntervalVar
    along: cp_model.IntervalVar
    weight: cp_model.IntVar
    held: cp_model.IntVar


class _Model:
    """The model, and the boxes of its points."""

    def __init__(self, placing: Placing) -> None:
        self.model = model = cp_model.CpModel()
        self._placing = placing
        self._tables = [
            prefix_sums(array).ravel().tolist()
            for array in (placing.grid, placing.held)
        ]
        heaviest = model.new_int_var(0, placing.total, "")
        self._placed = [self._box(i, heaviest) for i in range(placing.most)]
        for former, latter in pairwise(self._placed):
            model.add_implication(latter.used, former.used)
            later = model.add(former.first < latter.first)
            later.only_enforce_if(latter.used)
        model.add_no_overlap_2d(
            [placed.across for placed in self._placed],
            [placed.along for placed in self._placed],
        )
        model.add(sum(placed.weight for placed in self._placed) == placing.total)
        held = int(placing.held.sum())
        model.add(sum(placed.held for placed in self._placed) == held)
        model.minimize(heaviest)

    def boxes(self, values: IntArray) -> list[Box]:
        """Return the boxes that are used."""
        found = []
        for placed in self._placed:
            if values[placed.used.index]:
                a, c, b, d = (int(values[line.index]) for line in placed.lines)
                found.append((a, c, b, d))
        return found

    def _box(self, i: int, heaviest: cp_model.IntVar) -> _Placed:
        """Add a box, its weight, and the units that it holds."""
        placing, model = self._placing, self.model
        rows, columns = placing.grid.shape
        width = columns + 1
        used = model.new_int_var(int(i < placing.fewest), 1, "")
        a, c = model.new_int_var(0, rows - 1, ""), model.new_int_var(0, columns - 1, "")
        b, d = model.new_int_var(1, rows, ""), model.new_int_var(1, columns, "")
        height = model.new_int_var(1, rows, "")
        length = model.new_int_var(1, columns, "")
        across = model.new_optional_interval_var(a, height, b, used, "")
        along = model.new_optional_interval_var(c, length, d, used, "")
        corners = []
        for row, column in ((a, c), (a, d), (b, c), (b, d)):
            corner = model.new_int_var(0, width * (rows + 1) - 1, "")
            model.add(corner == row * width + column)
            corners.append(corner)
        weight, held = (self._sum(table, corners, used) for table in self._tables)
        model.add(weight >= placing.least).only_enforce_if(used)
        model.add(weight <= heaviest)
        lines = (a, c, b, d)
        return _Placed(used, lines, corners[0], across, along, weight, held)

    def _sum(
        self,
        table: Sequence[int],
        corners: Sequence[cp_model.IntVar],
        used: cp_model.IntVar,
    ) -> cp_model.IntVar:
        """Return the sum over a box, by a table of prefix sums; 0 if it is not used."""
        model, whole = self.model, table[-1]
        parts = []
        for corner in corners:
            part = model.new_int_var(0, whole, "")
            model.add_element(corner, table, part)
            parts.append(part)
        found = model.new_int_var(0, whole, "")
        both, right, left, neither = parts[3], parts[1], parts[2], parts[0]
        inside = model.add(found == both - right - left + neither)
        inside.only_enforce_if(used)
        model.add(found == 0).only_enforce_if(~used)
        return found
