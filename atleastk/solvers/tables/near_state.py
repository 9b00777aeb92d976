"""The state of moves among near rows: rows, groups, and room to build new groups.

Equal rows follow one another, by their distinct record. What a move frees gets slots,
whose codes lie side by side by column, so that a machine compares many rows at once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.solvers.compiled.compile import compiled, inlined

MOST_FREED: Final = 4
"""Groups that a move frees."""


class Table(NamedTuple):
    """The rows by record: those of record t are first[t] to first[t + 1] - 1.

    A row pays its `worth` times the prices of the columns on which its group is not
    constant.
    """

    codes: Int32Array  # [record, column]
    prices: Int32Array  # [column]
    record: IntArray  # [row]
    first: IntArray  # [record + 1]
    worth: IntArray  # [row]
    k: int


class Groups(NamedTuple):
    """The group of every row (`home`), and the rows of every group.

    A group has `size` rows, which are `worth` so much together; each of them `pays` so
    much per unit of its own worth. The `spare` groups, `spares` of them, are not in
    use.
    """

    home: IntArray  # [row]
    rows: IntArray  # [group, place]
    size: IntArray  # [group]
    worth: IntArray  # [group]
    pays: IntArray  # [group]
    spare: IntArray  # [place]
    spares: IntArray  # [1]


class Workspace(NamedTuple):
    """The groups that one move frees, and the groups that it builds of their rows.

    Slot i holds a free row: its codes are ``seen[:, i]``, its new group is
    ``target[i]``, and it would add ``added[i]`` to what each row of the group that is
    being built pays. A new group has the codes `value` in the columns in which it is
    `constant`.
    """

    freed: IntArray  # [place]
    row: IntArray  # [slot]
    target: IntArray  # [slot]
    seen: Int32Array  # [column, slot]
    added: Int32Array  # [slot]
    size: IntArray  # [new group]
    worth: IntArray  # [new group]
    paid: IntArray  # [new group]
    value: Int32Array  # [new group, column]
    constant: BoolArray  # [new group, column]


def table_of(records: Records, k: int) -> Table:
    """Return the rows of a table in the order of its records."""
    record = records.record_of[records.rows]
    return Table(
        records.codes,
        records.price.astype(np.int32),
        record,
        np.concatenate(([0], np.cumsum(records.copies))).astype(np.int64),
        records.worth[record],
        k,
    )


def split(group: IntArray, k: int) -> IntArray:
    """Split groups into groups of k to 2k - 1 rows, numbered without gaps, in order."""
    order = np.argsort(group, kind="stable")
    _, opened, sizes = np.unique(group[order], return_index=True, return_counts=True)
    parts = np.maximum(1, sizes // k)
    size, part = np.repeat(sizes, sizes), np.repeat(parts, sizes)
    place = np.arange(len(group)) - np.repeat(opened, sizes)
    number = np.repeat(np.cumsum(parts) - parts, sizes) + place * part // size
    split = np.empty_like(group)
    split[order] = number
    return split


def grouped(table: Table, home: IntArray, widest: int) -> Groups:
    """Return groups of k to `widest` rows from labels without gaps."""
    n, k = len(home), table.k
    most = n // k
    sizes = np.bincount(home, minlength=most).astype(np.int64)
    worth = np.zeros(most, dtype=np.int64)
    np.add.at(worth, home, table.worth)
    order = np.argsort(home, kind="stable")
    starts = np.cumsum(sizes) - sizes
    place = np.arange(n) - starts[home[order]]
    rows = np.full((most, widest), -1, dtype=np.int64)
    rows[home[order], place] = order
    used = int(home.max(initial=-1)) + 1
    spare = np.concatenate((np.arange(used, most), np.zeros(used, dtype=np.int64)))
    groups = Groups(
        home.copy(),
        rows,
        sizes,
        worth,
        np.zeros(most, dtype=np.int64),
        spare,
        np.array([most - used], dtype=np.int64),
    )
    _pay(table, groups)
    return groups


def room_of(k: int, widest: int) -> tuple[int, int]:
    """Return how many rows a move frees at most, and how many groups it builds."""
    return MOST_FREED * widest, MOST_FREED * widest // k


def workspace_of(table: Table, widest: int) -> Workspace:
    """Return room for a move that frees groups of at most `widest` rows."""
    m = table.codes.shape[1]
    room, most = room_of(table.k, widest)
    return Workspace(
        freed=np.empty(most, dtype=np.int64),
        row=np.empty(room, dtype=np.int64),
        target=np.empty(room, dtype=np.int64),
        seen=np.empty((m, room), dtype=np.int32),
        added=np.empty(room, dtype=np.int32),
        size=np.empty(most, dtype=np.int64),
        worth=np.empty(most, dtype=np.int64),
        paid=np.empty(most, dtype=np.int64),
        value=np.empty((most, m), dtype=np.int32),
        constant=np.empty((most, m), dtype=np.bool_),
    )


@compiled
def _pay(table: Table, groups: Groups) -> None:
    for g in range(len(groups.size)):
        for j in range(len(table.prices)):
            if is_mixed(g, j, table, groups):
                groups.pays[g] += table.prices[j]


@inlined
def is_mixed(g: int, j: int, table: Table, groups: Groups) -> bool:
    """Tell whether the rows of a group differ in a column."""
    value = table.codes[table.record[groups.rows[g, 0]], j]
    for i in range(1, groups.size[g]):
        if table.codes[table.record[groups.rows[g, i]], j] != value:
            return True
    return False


@compiled
def differs(i: int, g: int, j: int, work: Workspace) -> bool:
    """Tell whether a slot and a group differ in a column that the group shares."""
    return bool(work.constant[g, j] and work.seen[j, i] != work.value[g, j])
