"""Exact answers of the suppression family for small tables, by all their masks.

A mask says which cells are suppressed. All masks of a table are made once, those that
are k-anonymous kept with what they measure; every problem of the family on this table
is then a filter and a minimum. Knows nothing of `atleastk.models` and its solvers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.suppression import Suppression

Array = NDArray[Any]
Cell = tuple[int, int]

FEW_CELLS = 12
"""Up to so many cells masks that are only 1-anonymous are kept too."""

NEVER = 99
"""Stands for: not within the limits, however large."""


class _Eligible(NamedTuple):
    """Masks by their places, their quantities, and their fewest rows beside columns."""

    places: Array
    plain: dict[str, Array]
    beside: Array


class Judge:
    """All masks of a table that are anonymous, and what they measure."""

    def __init__(self, table: Sequence[Sequence[object]]) -> None:
        self.n, self.m = len(table), len(table[0])
        self.cells = self.n * self.m
        self.least_k = 1 if self.cells <= FEW_CELLS else 2
        masks = np.arange(1 << self.cells, dtype=np.int32)
        level = _level(table, masks, self.n, self.m)
        self.masks = masks[level >= self.least_k]
        self.level = level[level >= self.least_k]
        places = np.arange(self.cells, dtype=np.int32)
        bits = (self.masks[:, None] >> places) & 1
        self.hidden = bits.astype(np.int8).reshape(-1, self.n, self.m)
        self.in_row = self.hidden.sum(axis=2, dtype=np.int8)
        self.in_column = self.hidden.sum(axis=1, dtype=np.int8)
        self._chosen: dict[object, _Eligible] = {}

    @cached_property
    def _plain(self) -> dict[str, Array]:
        """The costs of every mask, if rows and columns are not both named."""
        return {
            "rows": (self.in_row > 0).sum(axis=1),
            "columns": (self.in_column > 0).sum(axis=1),
            "entries": self.in_row.sum(axis=1, dtype=np.int16),
            "per_row": self.in_row.max(axis=1),
            "per_column": self.in_column.max(axis=1),
            "none": np.zeros(len(self.masks), dtype=np.int8),
        }

    def _rows_beside(self, deletion: bool) -> Array:
        """For every mask and c: the fewest rows beside c columns or fewer."""
        fewest = np.full((len(self.masks), self.m + 1), NEVER, dtype=np.int8)
        for size in range(self.m + 1):
            for chosen in combinations(range(self.m), size):
                rest = [j for j in range(self.m) if j not in chosen]
                rows = self.hidden[:, :, rest].any(axis=2)
                count = rows.sum(axis=1).astype(np.int8)
                if deletion:
                    whole = self.hidden[:, :, list(chosen)].all(axis=(1, 2))
                    full = (self.in_row == self.m) | ~rows
                    count[~(whole & full.all(axis=1))] = NEVER
                fewest[:, size] = np.minimum(fewest[:, size], count)
        return np.minimum.accumulate(fewest, axis=1)

    @cached_property
    def _rows_beside_columns(self) -> dict[bool, Array]:
        return {deletion: self._rows_beside(deletion) for deletion in (False, True)}

    def _eligible(self, instance: Suppression) -> _Eligible:
        """Keep the masks that are k-anonymous, in order, and whole where asked."""
        whole = instance.region if instance.deletion else ()
        key = instance.k, instance.row_order, instance.column_order, whole
        if key not in self._chosen:
            good = self.level >= instance.k
            for order, stars in (
                (instance.row_order, self.in_row),
                (instance.column_order, self.in_column),
            ):
                for here, after in pairwise(order or ()):
                    most = stars[:, list(here)].max(axis=1)
                    good &= most <= stars[:, list(after)].min(axis=1)
            if whole == ("rows",):
                good &= np.isin(self.in_row, (0, self.m)).all(axis=1)
            if whole == ("columns",):
                good &= np.isin(self.in_column, (0, self.n)).all(axis=1)
            index = np.flatnonzero(good)
            self._chosen[key] = _Eligible(
                index,
                {quantity: found[index] for quantity, found in self._plain.items()},
                self._rows_beside_columns[instance.deletion][index],
            )
        return self._chosen[key]

    def feasible(self, instance: Suppression) -> tuple[Array, Array]:
        """Return the feasible masks, by index, and their costs (0 to decide)."""
        assert instance.k >= self.least_k, "masks that are 1-anonymous are not kept"
        eligible = self._eligible(instance)
        plain, most, minimise = eligible.plain, instance.most, instance.minimise
        union = instance.region == ("rows", "columns")
        good = np.ones(len(eligible.places), dtype=np.bool_)
        for quantity, limit in most.items():
            if not union or quantity not in ("rows", "columns"):
                good &= plain[quantity] <= limit
        cost = plain[minimise]
        if union:
            rows = most.get("rows", NEVER - 1)
            columns = min(most.get("columns", self.m), self.m)
            good &= eligible.beside[:, columns] <= rows
            if minimise == "rows":
                cost = eligible.beside[:, columns]
            elif minimise == "columns":
                cost = (eligible.beside > rows).sum(axis=1)
        return eligible.places[good], cost[good]

    def best(self, instance: Suppression) -> int | None:
        """Return the optimum (0 to decide), or None if nothing is feasible."""
        costs = self.feasible(instance)[1]
        return int(costs.min()) if len(costs) else None

    def cells_of(self, index: int) -> list[Cell]:
        """Return the suppressed cells of a mask."""
        rows, columns = self.hidden[index].nonzero()
        return list(zip(rows.tolist(), columns.tolist(), strict=True))

    def index_of(self, cells: frozenset[Cell]) -> int | None:
        """Return the mask with these cells, or None if it is not anonymous."""
        mask = sum(1 << (i * self.m + j) for i, j in cells)
        place = int(np.searchsorted(self.masks, mask))
        found = place < len(self.masks) and int(self.masks[place]) == mask
        return place if found else None


def _level(table: Sequence[Sequence[object]], masks: Array, n: int, m: int) -> Array:
    """Return the least number of rows that look the same, for every mask."""
    patterns = [(masks >> (i * m)) & ((1 << m) - 1) for i in range(n)]
    alike = np.ones((n, len(masks)), dtype=np.int8)
    for i, j in combinations(range(n), 2):
        pairs = enumerate(zip(table[i], table[j], strict=True))
        unlike = sum(1 << c for c, (a, b) in pairs if a != b)
        same = (patterns[i] == patterns[j]) & ((patterns[i] & unlike) == unlike)
        alike[i] += same
        alike[j] += same
    level: Array = alike.min(axis=0)
    return level
