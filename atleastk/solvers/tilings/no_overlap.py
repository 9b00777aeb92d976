"""A CP-SAT model of non-overlapping boxes (no_overlap_2d), for both tiling problems.

Every box has its four lines as variables, and its weight from a table of prefix sums.
No two overlap, and together they hold all cells that have to be covered. That shares
nothing with models that list boxes.

Boxes come in the order of their first cells, those that are not used last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.in_time import look_up
from atleastk.models.rectangles import Box, prefix_sums
from atleastk.models.results.status import Status
from atleastk.models.tilings import Tiling
from atleastk.packages import cp_model
from atleastk.solvers.backends.cp_sat import solve_cp_model
from atleastk.solvers.search import Search

_MOST_WEIGHT: Final = 2**31
"""Weights up to this one are safe from overflow."""
_MOST_ENTRIES: Final = 200_000
"""Boxes times cells in one model: not tuned."""


def refuses(tiling: Tiling) -> str | None:
    """Say why CP-SAT should not be asked, or None."""
    if tiling.total > _MOST_WEIGHT:
        return f"it takes a weight of 2**31 in all, got {tiling.total}"
    if tiling.most * (tiling.cells + 1) > _MOST_ENTRIES:
        return (
            f"{tiling.most} boxes in {tiling.cells} cells are too many to be "
            "placed one by one"
        )
    return None


def minimise_no_overlap(search: Search[Any], tiling: Tiling, source: str) -> None:
    """Minimise the weight of the heaviest box; the grid is not empty."""
    model = _Model(tiling)

    def offer(values: IntArray) -> None:
        search.offer(tiling.solution(model.boxes(values)), source)

    def proved(bound: int) -> None:
        search.raise_bound(bound, source)

    answer = solve_cp_model(
        model.model,
        search.budget,
        on_answer=offer,
        on_bound=proved,
    )
    if answer.status is Status.INFEASIBLE:
        search.close_infeasible(source)
    answer.tell(offer, proved)


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

    def __init__(self, tiling: Tiling) -> None:
        self.model = model = cp_model.CpModel()
        self._tiling = tiling
        held = tiling.covered
        self._tables = [
            prefix_sums(array).ravel().tolist()
            for array in (tiling.grid, held.astype(np.int64))
        ]
        heaviest = model.new_int_var(0, tiling.total, "")
        self._placed = [self._box(i, heaviest) for i in range(tiling.most)]
        for former, latter in pairwise(self._placed):
            model.add_implication(latter.used, former.used)
            later = model.add(former.first < latter.first)
            later.only_enforce_if(latter.used)
        model.add_no_overlap_2d(
            [placed.across for placed in self._placed],
            [placed.along for placed in self._placed],
        )
        model.add(sum(placed.weight for placed in self._placed) == tiling.total)
        model.add(sum(placed.held for placed in self._placed) == int(held.sum()))
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
        look_up()
        model, (rows, columns) = self.model, self._tiling.shape
        width = columns + 1
        used = model.new_int_var(int(i < self._tiling.fewest), 1, "")
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
        model.add(weight >= self._tiling.k).only_enforce_if(used)
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
