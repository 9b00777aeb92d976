"""Groups of near rows that keep a condition on sensitive values, and repairs.

The moves are those of :mod:`~atleastk.solvers.tables.near_moves`. Groups that break the
condition are repaired before: they are freed with near ones, and what is built of their
rows is accepted up to a price for each group that is right now. Groups of more rows
than a move can free stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.diversity import failing
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.diversity.kind_patterns import sensitive_of
from atleastk.solvers.tables.conditions import Condition, clear_numbers
from atleastk.solvers.tables.near_moves import anneal, commit, free_near, rebuild
from atleastk.solvers.tables.near_state import (
    Groups,
    Table,
    Workspace,
    grouped,
    room_of,
    table_of,
    workspace_of,
)
from atleastk.solvers.tables.nearness import near_records

_WIDEST: Final = 8
"""The most rows of a group that is freed, as a multiple of the fewest."""

_ROUNDS: Final = 3
_TRIES: Final = 10
"""Lists of near records, and draws of near groups with each, to repair a group; with
each list every row may cost one more column. Beyond that, merging costs less."""

_NEAR: Final = 32
_WINDOW: Final = 400
"""Near records, at least, and those compared with each: more than for moves, since the
nearest often have the same sensitive values."""


class Rearrangement:
    """Groups of near rows while moves change them; some may break the condition.

    They are those of some rows with labels; `plain` are the records of the expanded
    table. Groups of too many rows are left out.
    """

    def __init__(
        self, instance: Diversity, plain: Records, rows: IntArray, labels: IntArray
    ) -> None:
        k, widest = instance.least_rows, _WIDEST * instance.least_rows
        self._labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        small = np.flatnonzero(np.bincount(self._labels)[self._labels] <= widest)
        self._records = records = plain.only(rows[small])
        self._place = small[records.rows]
        self._rows = rows[self._place]
        self._table = table_of(records, k)
        _, home = np.unique(self._labels[self._place], return_inverse=True)
        self._state = grouped(self._table, home.astype(np.int64), widest)
        values = np.ascontiguousarray(instance.values[self._rows])
        asked = sensitive_of(instance, values)
        self._condition = asked.of_free_rows(widest, *room_of(k, widest))
        self._instance = instance
        self.few = home.max(initial=0) < 1 or not instance.totals

    @property
    def labels(self) -> IntArray:
        """The group of each of the rows as it is now."""
        return self._whole(self._state.home)

    def repair(self, budget: Budget) -> None:
        """Rearrange groups that break the condition, if near ones can help."""
        if self.few:
            return
        records, count = self._records, max(_NEAR, 2 * self._table.k)
        wrong = np.zeros(len(self._state.size), dtype=np.bool_)
        broken = failing(self._instance, self._state.home, self._rows)
        wrong[: len(broken)] = broken
        rng = np.random.default_rng(budget.seed)
        work = workspace_of(self._table, _WIDEST * self._table.k)
        parts = self._table, self._state, work, self._condition
        with budget.flagging() as flag:
            for dear in range(1, _ROUNDS + 1):
                order = rng.permutation(records.m)
                near = near_records(records, count, _WINDOW, order, budget)
                price = int(self._table.k * dear * records.cell)
                seed = int(rng.integers(2**31))
                _repair(*parts, near, wrong, price, seed, flag)

    def anneal(self, budget: Budget, on_better: Callable[[IntArray], object]) -> None:
        """Anneal groups that satisfy the condition; report better labels."""
        if self.few:
            return
        records = self._records
        anneal(
            records,
            self._table,
            self._state,
            budget,
            lambda labels: on_better(self._whole(labels[records.rows])),
            self._condition,
        )

    def _whole(self, home: IntArray) -> IntArray:
        """Return labels of all rows, those left out included."""
        labels = self._labels.copy()
        labels[self._place] = labels.max(initial=0) + 1 + home
        return labels


@compiled
def _repair(
    table: Table,
    groups: Groups,
    work: Workspace,
    condition: Condition,
    near: Int32Array,  # [record, rank]
    wrong: BoolArray,  # [group]
    price: int,
    seed: int,
    flag: ByteArray,
) -> None:
    """Free failing groups and near ones; accept repairs up to a price for each."""
    np.random.seed(seed)
    for g in range(len(wrong)):
        for _ in range(_TRIES):
            if not wrong[g] or flag[0] != 0:
                break
            u = groups.rows[g, int(np.random.random() * groups.size[g])]
            freed, free, old = free_near(u, table, groups, work, near)
            found, new = rebuild(free, table, work, condition)
            righted = 0
            for i in range(freed):
                righted += wrong[work.freed[i]]
            if new - old <= price * righted:
                for i in range(freed):
                    wrong[work.freed[i]] = False
                commit(freed, free, found, groups, work)
            clear_numbers(free, work.row, condition)
