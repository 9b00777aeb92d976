"""k-anonymity by cell suppression: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.k_anonymity`.

Facts
-----
- *Feasible* iff n >= k or n = 0.
- *Groups of k..2k-1 suffice*: a larger group splits without a new differing column.
- *Closed patterns suffice*: the columns that a group keeps are those of the closed
  pattern of support >= k that covers it; see :mod:`atleastk.models.tables.patterns`.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from atleastk.arrays import BoolArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.results.solution import Solution, Verdict, partition_violations

Cells = tuple[tuple[int, int], ...]
"""Pairs of row and column, ascending."""


def check(instance: KAnonymity, solution: Solution) -> Verdict:
    """Recompute the suppressed cells of a solution and list its violations."""
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    if not solution.groups:
        return Verdict(0)
    cost = int(suppressed(instance, solution).sum())
    small = [
        f"group {g} has {len(group)} records, below k = {instance.k}"
        for g, group in enumerate(solution.groups)
        if len(group) < instance.k
    ]
    return Verdict(cost, tuple(small))


def suppressed(instance: KAnonymity, solution: Solution) -> BoolArray:
    """Return, for every cell of the table, whether the solution suppresses it."""
    if not solution.groups:
        return np.zeros((instance.n, instance.m), dtype=np.bool_)
    sizes = np.array([len(group) for group in solution.groups], dtype=np.int64)
    rows = np.fromiter(
        chain.from_iterable(solution.groups), dtype=np.int64, count=instance.n
    )
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
    codes = instance.records.codes[instance.records.record_of[rows]]
    least = np.minimum.reduceat(codes, starts, axis=0)
    most = np.maximum.reduceat(codes, starts, axis=0)
    hidden = np.empty(codes.shape, dtype=np.bool_)
    hidden[rows] = np.repeat(least != most, sizes, axis=0)
    return hidden


def cells_of(hidden: BoolArray) -> Cells:
    """Return the cells that a mask hides."""
    rows, columns = hidden.nonzero()
    return tuple(zip(rows.tolist(), columns.tolist(), strict=True))


def hiding(instance: KAnonymity, cells: Cells) -> BoolArray:
    """Return the mask that hides these cells of a table."""
    hidden = np.zeros((instance.n, instance.m), dtype=np.bool_)
    if cells:
        hidden[tuple(np.array(cells, dtype=np.int64).T)] = True
    return hidden
