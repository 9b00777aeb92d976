"""Solutions that keep limits and orders by construction: pieces and padding.

- Rows of one group agree on intact columns. So these split the table into independent
  *pieces*: the fewest entries of the pieces add up.
- A solution that breaks an importance order is *padded*: columns that have too few
  stars get more, whole groups at a time, those that add least; groups of rows that have
  too few stars get the columns that are starred most. Groups stay alike.
- Where the stars of a row count, rows of groups that have too many move to other
  groups (:mod:`~atleastk.solvers.suppression.row_reassignment`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atleastk.arrays import BoolArray, IntArray, by_label
from atleastk.instances.records import distinct_rows
from atleastk.instances.suppression import Suppression
from atleastk.models.k_anonymity import suppressed
from atleastk.models.results.solution import Solution, labels_of
from atleastk.models.suppression import (
    SuppressionSolution,
    solution_of_groups,
    solution_of_mask,
)
from atleastk.solvers.suppression.row_reassignment import within_star_limit


def pieces(instance: Suppression, agreed: Sequence[int]) -> list[IntArray]:
    """Return the rows of equal values in some columns, piece by piece."""
    if not instance.n or not agreed:
        return [np.arange(instance.n)]
    records = instance.records
    home = distinct_rows(np.ascontiguousarray(records.codes[:, sorted(agreed)]))[1]
    return by_label(home[records.record_of])


def padded(
    instance: Suppression, groups: Sequence[Sequence[int]]
) -> SuppressionSolution:
    """Return the solution of these groups, padded to what importance orders ask for.

    Rows move to other groups if they have more stars than allowed; where rows are
    ordered, also if they have most of all, as long as that costs less.
    """
    limit = instance.limits.get("per_row", instance.m)
    groups = within_star_limit(instance, groups, limit) or groups
    if not (instance.column_order or instance.row_order):
        return solution_of_groups(instance, groups)
    best = _padded(instance, groups)
    while instance.row_order is not None:
        stars = suppressed(instance, Solution.of(groups)).sum(axis=1)
        fewer = within_star_limit(instance, groups, int(stars.max(initial=0)) - 1)
        if fewer is None:
            break
        found = _padded(instance, fewer)
        if found.sum() >= best.sum():
            break
        groups, best = fewer, found
    return solution_of_mask(instance, best)


def _padded(instance: Suppression, groups: Sequence[Sequence[int]]) -> BoolArray:
    """Return the cells that these very groups suppress, with their padding."""
    sizes = np.array([len(group) for group in groups])
    home = labels_of(groups, instance.n)
    starred = suppressed(instance, Solution.of(groups))[[group[0] for group in groups]]
    free = [j for j in range(instance.m) if j not in instance.intact]
    if instance.row_order is not None:
        _pad_rows(starred, sizes, home, instance.row_order, free)
    if instance.column_order is not None:
        _pad_columns(starred, sizes, instance.column_order, free)
    return starred[home]


def _pad_columns(
    starred: BoolArray,
    sizes: IntArray,
    order: Sequence[Sequence[int]],
    free: Sequence[int],
) -> None:
    """Star more groups in columns that have fewer stars than more important ones."""
    needed = 0
    for columns in order:
        for j in columns:
            lacking = needed - int(sizes @ starred[:, j])
            if lacking > 0 and j in free:
                more = _enough(np.flatnonzero(~starred[:, j]), sizes, lacking)
                starred[more, j] = True
        needed = max(needed, int((sizes @ starred[:, list(columns)]).max()))


def _enough(candidates: IntArray, sizes: IntArray, lacking: int) -> IntArray:
    """Return groups of about `lacking` rows in all: large ones while they fit."""
    chosen, last = [], candidates[:0]
    for size in np.unique(sizes[candidates])[::-1]:
        same = candidates[sizes[candidates] == size]
        fits = lacking // int(size)
        chosen.append(same[:fits])
        lacking -= int(size) * len(chosen[-1])
        if fits < len(same):
            last = same[-1:]
    return np.concatenate((*chosen, last if lacking > 0 else last[:0]))


def _pad_rows(
    starred: BoolArray,
    sizes: IntArray,
    home: IntArray,
    order: Sequence[Sequence[int]],
    free: Sequence[int],
) -> None:
    """Star more columns in groups that have fewer stars than more important rows.

    That is repeated: such a group may have rows that are more important than others,
    and these have too few stars then.
    """
    classes = [np.unique(home[list(rows)]) for rows in order]
    before = -1
    while before < (before := int(starred.sum())):
        stars = sizes @ starred
        by_stars = np.array(sorted(free, key=lambda j: -int(stars[j])), dtype=np.int64)
        needed = 0
        for members in classes:
            cells = np.ix_(members, by_stars)
            lacking = needed - starred[members].sum(axis=1, keepdims=True)
            closed = ~starred[cells]
            starred[cells] |= closed & (closed.cumsum(axis=1) <= lacking)
            needed = max(needed, int(starred[members].sum(axis=1).max()))
