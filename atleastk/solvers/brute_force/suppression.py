"""The utility-preserving suppression family: brute force, twice.

- *Masks*: every set of at most 14 cells is suppressed, once per table; the outcomes
  answer every problem of the family on the table.
- *Groupings*: every partition of at most 7 rows, and for every group every set of
  columns whose suppression makes its rows equal.

Both work by definition on the cells of the table, without merged rows, patterns,
bounds, or any other code of the solvers. They measure in ways of their own, and
share only the comparison of these measures with limits and orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import prod
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import BoolArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.suppression import Suppression
from atleastk.solvers.brute_force.bin_covering import partitions

CELLS: Final = 14
"""The most cells of masks, and the most columns of both methods."""
ROWS: Final = 7
"""The most rows of groupings."""
CHOICES: Final = 2**22
"""The most sets of columns, of groups and region, that it tries for one grouping."""

Ints = NDArray[np.integer[Any]]
Rows = Sequence[Sequence[str | int]]

_NEVER: Final = 2**30
"""More than any cost: stands for what cannot be."""


def optimum(instance: Suppression) -> int | None:
    """Return the least cost; None if infeasible.

    Raises
    ------
    NotApplicableError
        If neither method can take the instance.
    """
    if max(instance.n * instance.m, instance.n, instance.m) <= CELLS:
        return Outcomes.of(instance.table, instance.m).best(instance)
    return best_grouping(instance)


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The outcome of suppression in a table, for every set of cells.

    Mask 0, 1, .. suppresses the cells of its bits, counted row after row.
    """

    table: Rows
    masks: Ints  # [mask] ascending
    least: Ints  # [mask] the size of the least class of equal rows
    in_row: Ints  # [mask, row] how many cells are suppressed
    in_column: Ints  # [mask, column] likewise
    touched: Ints  # [mask, c] the fewest rows that hold the cells beside c columns

    @classmethod
    def of(
        cls, table: Rows, columns: int = 0, least: int = 0, most_cells: int = CELLS
    ) -> Self:
        """Suppress every set of cells; `columns` tells their number without rows.

        Masks with a class of less than `least` equal rows are left out.
        """
        n = len(table)
        m = len(table[0]) if table else columns
        if max(n * m, n, m) > most_cells:
            raise NotApplicableError(
                f"masks are tried for at most {most_cells} cells, got {n} x {m}"
            )
        every = np.arange(2 ** (n * m), dtype=np.int32)
        rows = [every >> (i * m) & (2**m - 1) for i in range(n)]
        equal = np.ones((n, len(every)), dtype=np.int8)
        for i, j in combinations(range(n), 2):
            cells = enumerate(zip(table[i], table[j], strict=True))
            differ = sum(1 << c for c, (a, b) in cells if a != b)
            same = (rows[i] == rows[j]) & (rows[i] & differ == differ)
            equal[i] += same
            equal[j] += same
        classes: Ints = equal.min(axis=0, initial=n)
        masks = every[classes >= least]
        hidden = (masks[:, None] >> np.arange(n * m) & 1 == 1).reshape(len(masks), n, m)
        return cls(
            table,
            masks,
            classes[masks],
            hidden.sum(axis=2, dtype=np.int8),
            hidden.sum(axis=1, dtype=np.int8),
            _touched(hidden),
        )

    @cached_property
    def deleted(self) -> Ints:
        """As `touched`, of the masks that are all of these rows and columns."""
        n, m = self.in_row.shape[1], self.in_column.shape[1]
        cells = 1 << np.arange(n * m).reshape(n, m)
        rows, columns = _bits(n), _bits(m)
        masks = (rows @ cells.sum(axis=1))[:, None] | (columns @ cells.sum(axis=0))
        fewest = np.full((2 ** (n * m), m + 1), _NEVER, dtype=np.int32)
        chosen = (masks, np.broadcast_to(columns.sum(axis=1), masks.shape))
        np.minimum.at(fewest, chosen, rows.sum(axis=1)[:, None])
        return fewest[self.masks]

    def best(self, instance: Suppression) -> int | None:
        """Return the least cost of a problem on this table; None if infeasible."""
        return min(self.feasible(instance)[1].tolist(), default=None)

    def feasible(self, instance: Suppression) -> tuple[Ints, Ints]:
        """Return the masks that are solutions, in ascending order, and their costs."""
        if instance.table != self.table:
            raise ValueError("the outcomes are those of another table")
        chosen = np.flatnonzero(
            self.least >= instance.k if instance.n else self.masks + 1
        )
        rows = (self.deleted if instance.deletion else self.touched)[chosen]
        columns = np.broadcast_to(np.arange(rows.shape[1]), rows.shape)
        least = self.least[chosen] if instance.n else np.array([instance.k])
        lines = self.in_row[chosen], self.in_column[chosen]
        costs = _costs(instance, _Measures(rows, columns, *lines, least))
        fits = costs < _NEVER
        return self.masks[chosen[fits]], costs[fits]


def _touched(hidden: BoolArray) -> Ints:
    """Return the fewest rows beside any number of columns; tries the shorter side."""
    count, n, m = hidden.shape
    fewest = np.full((count, m + 1), _NEVER, dtype=np.int32)
    for inside in _bits(min(n, m)):
        if m <= n:
            rows = hidden[:, :, ~inside].any(axis=2).sum(axis=1)
            columns = np.full(count, inside.sum())
        else:
            rows = np.full(count, inside.sum())
            columns = hidden[:, ~inside].any(axis=1).sum(axis=1)
        np.minimum.at(fewest, (np.arange(count), columns), rows)
    return fewest


def best_grouping(instance: Suppression) -> int | None:
    """Return the least cost over all groupings; None if infeasible.

    A group suppresses the columns in which its rows differ, and any others. A deletion
    leaves every group the columns of the region, or all.
    """
    n, m = instance.n, instance.m
    if n > ROWS or m > CELLS:
        most = f"{ROWS} rows and {CELLS} columns"
        raise NotApplicableError(
            f"groupings are tried for at most {most}, got {n} x {m}"
        )
    regions = np.arange(2**m if "columns" in instance.region else 1)
    best: int | None = None
    for groups in partitions(n):
        if any(len(group) < instance.k for group in groups):
            continue
        options = [_sets(instance.table, group) for group in groups]
        count = prod(map(len, options)) * len(regions)
        if count > CHOICES:
            raise NotApplicableError(f"{count} choices of columns are too many to try")
        costs = _costs(instance, _measured(instance, groups, options, regions))
        least = int(costs.min(initial=_NEVER))
        if least < _NEVER and (best is None or least < best):
            best = least
    return best


def _sets(table: Rows, group: Sequence[int]) -> Ints:
    """Return, as bits, the sets of columns that make these rows equal if suppressed."""
    columns = zip(*(table[row] for row in group), strict=True)
    differ = sum(1 << j for j, cells in enumerate(columns) if len({*cells}) > 1)
    sets = np.arange(2 ** len(table[0]))
    fitting: Ints = sets[sets & differ == differ]
    return fitting


def _measured(
    instance: Suppression,
    groups: Sequence[Sequence[int]],
    options: Sequence[Ints],
    regions: Ints,
) -> _Measures:
    """Measure all choices of a set for every group, beside any columns of a region."""
    n, m = instance.n, instance.m
    count = prod(map(len, options))
    grid = np.indices([len(sets) for sets in options]).reshape(len(groups), count)
    bits = _bits(m)
    rows = np.zeros((count, len(regions)), dtype=np.int32)
    torn = np.zeros(rows.shape, dtype=np.bool_)
    in_row = np.zeros((count, n), dtype=np.int8)
    in_column = np.zeros((count, m), dtype=np.int8)
    for group, sets, choice in zip(groups, options, grid, strict=True):
        chosen = sets[choice]
        beyond = chosen[:, None] & ~regions
        rows += len(group) * (beyond != 0)
        torn |= (chosen[:, None] != regions) & (chosen != 2**m - 1)[:, None]
        in_row[:, list(group)] = bits[chosen].sum(axis=1)[:, None]
        in_column += len(group) * bits[chosen]
    if instance.deletion:
        rows[torn] = _NEVER
    columns = np.broadcast_to(bits[regions].sum(axis=1), rows.shape)
    least = min(map(len, groups), default=instance.k)
    return _Measures(rows, columns, in_row, in_column, np.full(count, least))


@dataclass(frozen=True, slots=True, eq=False)
class _Measures:
    """The measures of choices of suppressed cells, one per line."""

    rows: Ints  # [choice, region] of the region; very many if it cannot be
    columns: Ints  # [choice, region]
    in_row: Ints
    in_column: Ints
    least: Ints


def _costs(instance: Suppression, found: _Measures) -> Ints:
    """Return the cost of every choice, the least over all regions; large if none."""
    measures = {
        "rows": found.rows,
        "columns": found.columns,
        "entries": found.in_row.sum(axis=1, dtype=np.int32)[:, None],
        "per_row": found.in_row.max(axis=1, initial=0)[:, None],
        "per_column": found.in_column.max(axis=1, initial=0)[:, None],
        "none": np.zeros((len(found.least), 1), dtype=np.int8),
        "k": -found.least[:, None],
    }
    fits = np.ones(found.rows.shape, dtype=np.bool_)
    if instance.region:
        fits &= found.rows < _NEVER
        for quantity in {"rows", "columns"}.difference(instance.region):
            fits &= measures[quantity] == 0
    for quantity, limit in instance.limits.items():
        fits &= measures[quantity] <= limit
    admitted = found.in_column[:, list(instance.intact)].sum(axis=1) == 0
    for counts, order in (
        (found.in_row, instance.row_order),
        (found.in_column, instance.column_order),
    ):
        for here, after in pairwise(order or ()):
            admitted &= counts[:, list(here)].max(axis=1) <= (
                counts[:, list(after)].min(axis=1)
            )
    fits &= admitted[:, None]
    costs = measures[instance.minimise]
    least: Ints = np.where(fits, costs, np.int32(_NEVER)).min(axis=1)
    return least


def _bits(width: int) -> BoolArray:
    """Return all numbers of `bits` bits, one per line, the lowest bit first."""
    numbers = np.arange(2**width)[:, None] >> np.arange(width)
    bits: BoolArray = numbers & 1 == 1
    return bits
