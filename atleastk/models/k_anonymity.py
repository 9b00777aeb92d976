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

from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.deals import (
    DealtGroups,
    DealtSolution,
    as_told,
    in_rows,
    violations_of_deals,
)
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import (
    Solution,
    Verdict,
    partition_violations,
)

Cells = tuple[tuple[int, int], ...]
"""Pairs of row and column, ascending."""

SOLUTION: Final = DealtSolution


def completed(instance: KAnonymity, solution: Solution) -> Solution:
    """Return deals if the table has copies, else groups of rows."""
    return as_told(instance, solution)


def check(instance: KAnonymity, solution: Solution) -> Verdict:
    """Recompute the suppressed cells of a solution and list its violations."""
    if isinstance(solution, DealtSolution):
        violations = violations_of_deals(instance, solution)
    else:
        violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    groups, hidden = hidden_in_groups(instance, solution)
    sizes = groups.sizes
    small = [
        f"group {g} has {sizes[g]} records, below k = {instance.k}"
        for g in np.flatnonzero(sizes < instance.k).tolist()
    ]
    return Verdict(int(hidden.sum(axis=1) @ sizes), tuple(small))


def hidden_in_groups(
    instance: KAnonymity, solution: Solution
) -> tuple[DealtGroups, BoolArray]:
    """Return the groups, and the columns on which each is not constant."""
    if isinstance(solution, DealtSolution):
        groups, records = DealtGroups.of(solution), instance.records
        codes: Int32Array | IntArray = records.codes[records.home[groups.row]]
    else:
        groups, codes = DealtGroups.of_rows(instance.n, solution), instance.numbers
    if not len(groups.held):
        return groups, np.zeros((0, instance.m), dtype=np.bool_)
    return groups, groups.held.differ(codes)


def suppressed(instance: KAnonymity, solution: Solution) -> BoolArray:
    """Return, for every cell of the table, whether the solution suppresses it."""
    hidden = np.zeros((instance.n, instance.m), dtype=np.bool_)
    held = PackedGroups.of(in_rows(instance, solution).groups)
    if len(held):
        differ = held.differ(instance.numbers)
        hidden[held.items] = np.repeat(differ, held.sizes, axis=0)
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
