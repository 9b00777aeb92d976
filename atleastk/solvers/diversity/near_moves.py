"""Groups that break a condition on sensitive values, repaired with near rows.

They are freed with near groups, and what is built of their rows by
:mod:`~atleastk.solvers.tables.near_moves` is accepted up to a price for each group that
is right now. Groups of more rows than a move can free stay as they are.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.diversity import failing_kinds
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.tables.conditions import Condition, Sensitive, clear_numbers
from atleastk.solvers.tables.near_moves import (
    are_small,
    commit,
    free_near,
    rebuild,
    state_of,
)
from atleastk.solvers.tables.near_state import Groups, Table, Workspace, workspace_of
from atleastk.solvers.tables.nearness import near_records

_ROUNDS: Final = 3
_TRIES: Final = 10
"""Lists of near records, and draws of near groups with each, to repair a group; with
each list every row may cost one more column. Beyond that, merging costs less."""

_NEAR: Final = 32
_WINDOW: Final = 400
"""Near kinds of rows, at least, and those compared with each: more than for moves."""


def repaired(
    instance: Diversity,
    kinds: Records,
    asked: Sensitive,
    labels: IntArray,
    budget: Budget,
) -> IntArray:
    """Return labels after groups that break the condition were rearranged."""
    k = instance.least_rows
    small = np.flatnonzero(are_small(labels, k))
    few, asked = kinds.only(small), asked.only(np.unique(kinds.record_of[small]))
    table, groups, condition = state_of(few, k, labels[small], asked)
    if groups.home.max(initial=0) < 1 or condition is None:
        return labels
    rows = small[few.rows]
    wrong = np.zeros(len(groups.size), dtype=np.bool_)
    kind = kinds.record_of[rows]
    broken = failing_kinds(instance, groups.home, kind, np.ones_like(kind))
    wrong[: len(broken)] = broken
    rng = np.random.default_rng(budget.seed)
    work = workspace_of(table, groups.rows.shape[1])
    parts = table, groups, work, condition
    with budget.flagging() as flag:
        for dear in range(1, _ROUNDS + 1):
            order = rng.permutation(few.m)
            near = near_records(few, max(_NEAR, 2 * k), _WINDOW, order, budget)
            price = int(k * dear * few.cell)
            _repair(*parts, near, wrong, price, int(rng.integers(2**31)), flag)
    labels = labels.copy()
    labels[rows] = len(labels) + groups.home
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
