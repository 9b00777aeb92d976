"""The books of a local search: who is where, and a desk to work on one move.

Compiled loops share these arrays; they are changed by
:mod:`atleastk.solvers.k_anonymity.ruin_and_recreate_moves` and by nobody else.
"""

from __future__ import annotations

from typing import NamedTuple

from atleastk.arrays import ByteArray, FloatArray, Int32Array, IntArray
from atleastk.solvers.compiled.compile import compiled


class Table(NamedTuple):
    """The arrays of a ground, for compiled loops.

    A row of record t pays ``worth[t]`` times what it gives up.
    """

    stars: Int32Array
    starts: IntArray
    records: Int32Array
    record_starts: IntArray
    listed: Int32Array
    rows: IntArray
    record: Int32Array
    worth: IntArray
    k: int


class Homes(NamedTuple):
    """Which rows are where.

    ``first[p]`` is a row of pattern p; ``after`` and ``before`` chain the others to it.
    """

    pattern: Int32Array
    size: Int32Array
    first: Int32Array
    after: Int32Array
    before: Int32Array
    mine: Int32Array
    owner: ByteArray


class Desk(NamedTuple):
    """Room to work on one move; between moves `held`, `left` and `is_free` are zero.

    ``held[p]`` counts the free rows that list the closed pattern p, ``left[t]`` the
    free rows of record t without a new home. The list of t ends at ``scanned[t]``; its
    free rows are chained from ``chain[t]`` by `next_free`. Entries are the new homes.
    """

    held: Int32Array
    key: FloatArray
    candidates: Int32Array
    left: Int32Array
    chain: Int32Array
    refuge: Int32Array
    scanned: IntArray
    next_free: Int32Array
    is_free: ByteArray
    free: Int32Array
    free_records: Int32Array
    entry_record: Int32Array
    entry_copies: Int32Array
    entry_pattern: Int32Array


@compiled
def link(homes: Homes) -> None:
    """Chain the rows of every pattern."""
    for u in homes.mine:
        enter(u, homes.pattern[u], homes)


@compiled
def enter(row: int, p: int, homes: Homes) -> None:
    """Put a row at the head of a pattern's chain."""
    head = homes.first[p]
    homes.after[row] = head
    homes.before[row] = -1
    if head >= 0:
        homes.before[head] = row
    homes.first[p] = row


@compiled
def leave(row: int, p: int, homes: Homes) -> None:
    """Take a row out of a pattern's chain."""
    before, after = homes.before[row], homes.after[row]
    if before >= 0:
        homes.after[before] = after
    else:
        homes.first[p] = after
    if after >= 0:
        homes.before[after] = before
