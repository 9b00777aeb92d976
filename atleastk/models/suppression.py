"""The utility-preserving suppression family: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.suppression`.

A solution says which cells are suppressed, and groups the rows into classes of k or
more equal ones. Where both rows and columns are named, it also says which columns
belong to the region; its rows are those with suppressed cells elsewhere. The cost
depends on that choice; the best one is a vertex cover of the suppressed cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, ClassVar, Final

import numpy as np

from atleastk.arrays import BoolArray, Int32Array
from atleastk.instances.suppression import Suppression
from atleastk.models import k_anonymity
from atleastk.models.results.fields import INTEGER, PAIR
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, Verdict, partition_violations
from atleastk.models.wording import counted

_MOST_CHOICES: Final = 20
"""The most columns that may be columns of the region: all their subsets are tried."""


@dataclass(frozen=True, repr=False)
class SuppressionSolution(Solution):
    """Groups of rows that are equal once these cells are suppressed."""

    LISTS: ClassVar = {"suppressed": PAIR, "region_columns": INTEGER}
    ASCENDING = tuple(LISTS)
    FIELDS: ClassVar = {"region_columns": "columns"}

    suppressed: tuple[tuple[int, int], ...] = ()
    """Pairs (row, column), ascending."""
    columns: tuple[int, ...] = ()
    """The columns of the region; only of interest where both rows and columns are
    named."""

    def region(self, instance: Suppression) -> tuple[str, ...] | None:
        """Return the columns of the region by name, if they are part of it."""
        if len(instance.region) < 2:
            return None
        names = instance.columns or range(instance.m)
        return tuple(str(names[j]) for j in self.columns)

    def remarks(self, instance: Any) -> Iterator[str]:
        yield from super().remarks(instance)
        if _outside_table(instance, self):
            return
        found = measures(instance, self)
        rows = counted(found["rows"], "row")
        yield (
            f"lost    {counted(found['entries'], 'cell')}, at most "
            f"{found['per_row']} per row and {found['per_column']} per column; "
            f"{rows}, {counted(found['columns'], 'column')}"
        )
        region = self.region(instance)
        if region is not None:
            yield f"region  {', '.join(region) or 'no column'}; and {rows}"


def check(instance: Suppression, solution: Solution) -> Verdict:
    """Recompute the cost of a solution and list its violations.

    Groups without cells suppress those on which they differ.
    """
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    solution = completed(instance, solution)
    violations = _outside_table(instance, solution)
    if violations:
        return Verdict(None, tuple(violations))
    hidden = mask_of(instance, solution)
    found = measures(instance, solution, hidden)
    violations = [
        *_unlike(instance, solution, hidden),
        *(
            f"{quantity}: {found[quantity]}, above the limit {limit}"
            for quantity, limit in instance.limits.items()
            if found[quantity] > limit
        ),
        *_out_of_order(instance, hidden),
        *_outside_region(instance, solution, hidden),
    ]
    cost = cost_of(instance, found)
    if instance.is_weighted:
        by_row = hidden @ np.array(instance.column_worth, dtype=np.int64)
        cost = int(by_row @ np.array(instance.row_worth, dtype=np.int64))
    return Verdict(cost, tuple(violations))


def cost_of(instance: Suppression, found: Mapping[str, int]) -> int:
    """Return the cost of a solution with these measures."""
    if instance.minimise == "none":
        return 0
    return -found["k"] if instance.minimise == "k" else found[instance.minimise]


def measures(
    instance: Suppression,
    solution: SuppressionSolution,
    hidden: BoolArray | None = None,
) -> dict[str, int]:
    """Return the five quantities of a solution, and the size of its least group.

    Rows and columns are those of the region. If only one of them is named it is all
    of the region, and the other counts whatever is touched. `hidden` is its mask.
    """
    hidden = mask_of(instance, solution) if hidden is None else hidden
    rows, columns = _region(instance, solution, hidden)
    return {
        "rows": len(rows),
        "columns": len(columns),
        "entries": int(hidden.sum()),
        "per_row": int(hidden.sum(axis=1).max(initial=0)),
        "per_column": int(hidden.sum(axis=0).max(initial=0)),
        "k": min(map(len, solution.groups), default=instance.k),
    }


def mask_of(instance: Suppression, solution: SuppressionSolution) -> BoolArray:
    """Return, for every cell of the table, whether the solution suppresses it."""
    return k_anonymity.hiding(instance, solution.suppressed)


def importance_of_rows(instance: Suppression) -> Int32Array:
    """Return the class of importance of every row; 0 without an order of rows."""
    rank = np.zeros(instance.n, dtype=np.int32)
    for c, members in enumerate(instance.row_order or ()):
        rank[list(members)] = c
    return rank


def solution_of_mask(
    instance: Suppression, hidden: BoolArray, columns: Iterable[int] | None = None
) -> SuppressionSolution:
    """Return the solution that suppresses these cells, with the largest groups.

    The columns of the region are the given ones, else a best choice; see `region_of`.
    """
    published = np.where(hidden, -1, instance.records.of_rows)
    alike: dict[bytes, list[int]] = {}
    for row, cells in enumerate(published):
        alike.setdefault(cells.tobytes(), []).append(row)
    chosen = region_of(instance, hidden) if columns is None else columns
    return SuppressionSolution(
        Solution.of(alike.values()).groups,
        k_anonymity.cells_of(hidden),
        tuple(sorted(map(int, chosen))),
    )


def solution_of_groups(
    instance: Suppression, groups: Sequence[Sequence[int]]
) -> SuppressionSolution:
    """Return the solution that suppresses what groups, and deletion, require."""
    hidden = k_anonymity.suppressed(instance, Solution.of(groups))
    if instance.deletion:
        if "columns" in instance.region:
            hidden[:, hidden.any(axis=0)] = True
        else:
            hidden[hidden.any(axis=1)] = True
    cells, columns = k_anonymity.cells_of(hidden), region_of(instance, hidden)
    return SuppressionSolution(Solution.of(groups).groups, cells, columns)


def region_of(instance: Suppression, hidden: BoolArray) -> tuple[int, ...]:
    """Return the columns of a region that holds these cells and fits the limits best.

    All touched columns if rows are not named; none if columns are not named. Otherwise
    the choice of least cost, or of the fewest rows if the cost is another one; with
    more than 20 touched columns, the fullest of them.
    """
    touched = _where(hidden.any(axis=0))
    if "rows" not in instance.region:
        return tuple(touched)
    if "columns" not in instance.region:
        return ()
    eligible = _where(hidden.all(axis=0)) if instance.deletion else touched
    limits = instance.most
    most_columns = min(limits.get("columns", len(eligible)), len(eligible))
    most_rows = limits.get("rows", instance.n)
    if len(eligible) > _MOST_CHOICES:
        fullest = sorted(eligible, key=lambda j: -int(hidden[:, j].sum()))
        return tuple(sorted(fullest[:most_columns]))
    best: tuple[int, tuple[int, ...]] | None = None
    for size in range(most_columns + 1):
        for chosen in combinations(eligible, size):
            rest = [j for j in touched if j not in chosen]
            rows = int(hidden[:, rest].any(axis=1).sum())
            if instance.minimise == "columns" and rows <= most_rows:
                return chosen
            if best is None or rows < best[0]:
                best = rows, chosen
    return () if best is None else best[1]


def _where(flags: Any) -> list[int]:
    found: list[int] = np.flatnonzero(flags).tolist()
    return found


def _region(
    instance: Suppression, solution: SuppressionSolution, hidden: BoolArray
) -> tuple[set[int], set[int]]:
    touched = set(_where(hidden.any(axis=0)))
    if instance.region != ("rows", "columns"):
        return set(_where(hidden.any(axis=1))), touched
    rest = [j for j in range(instance.m) if j not in solution.columns]
    outside = hidden[:, rest].any(axis=1) if rest else np.zeros(instance.n, dtype=bool)
    return set(_where(outside)), set(solution.columns)


def _outside_table(instance: Suppression, solution: SuppressionSolution) -> list[str]:
    n, m = instance.n, instance.m
    cells = [c for c in solution.suppressed if not (0 <= c[0] < n and 0 <= c[1] < m)]
    columns = [j for j in solution.columns if not 0 <= j < m]
    return [
        *(f"suppressed: the table of {n} x {m} has no cell {cell}" for cell in cells),
        *(f"region_columns: the table has no column {column}" for column in columns),
    ]


def _unlike(
    instance: Suppression, solution: SuppressionSolution, hidden: BoolArray
) -> list[str]:
    """List small groups, and those whose rows differ."""
    published = np.where(hidden, -1, instance.records.of_rows)
    held, violations = PackedGroups.of(solution.groups), []
    unlike = {*held.differ(published).nonzero()[0].tolist()} if held else set()
    sizes = held.sizes
    for g in sorted({*np.flatnonzero(sizes < instance.k).tolist(), *unlike}):
        if sizes[g] < instance.k:
            few = f"group {g} has {sizes[g]} rows, below k = {instance.k}"
            violations.append(few)
        if g in unlike:
            violations.append(f"group {g} has rows that do not look the same")
    return violations


def _out_of_order(instance: Suppression, hidden: BoolArray) -> list[str]:
    """List violated importance orders and intact columns."""
    violations = [
        f"column {column} is to stay intact, but has suppressed cells"
        for column in instance.intact
        if hidden[:, column].any()
    ]
    for order, what, axis in (
        (instance.row_order, "row", 1),
        (instance.column_order, "column", 0),
    ):
        stars = hidden.sum(axis=axis)
        for c, (here, after) in enumerate(pairwise(order or ())):
            if stars[list(here)].max() > stars[list(after)].min():
                violations.append(
                    f"{what}_order: a {what} of class {c} has more suppressed cells "
                    f"than one of class {c + 1}"
                )
    return violations


def _outside_region(
    instance: Suppression, solution: SuppressionSolution, hidden: BoolArray
) -> list[str]:
    """List a region that is not deleted as a whole."""
    if not instance.deletion:
        return []
    rows, columns = _region(instance, solution, hidden)
    whole = np.zeros_like(hidden)
    if "rows" in instance.region:
        whole[sorted(rows)] = True
    if "columns" in instance.region:
        whole[:, sorted(columns)] = True
    left = int((whole & ~hidden).sum())
    return [f"deletion: {left} cells of the region are not suppressed"] if left else []


SOLUTION: Final = SuppressionSolution


def completed(instance: Suppression, solution: Solution) -> SuppressionSolution:
    """Return a solution with the cells on which its groups differ."""
    if isinstance(solution, SuppressionSolution):
        return solution
    return solution_of_groups(instance, solution.groups)
