"""The pattern encoding of suppression: rows are assigned to patterns.

A *pattern* fixes values on the columns that it keeps and has stars on the others. x_pt
copies of row kind t are published as pattern p, which is open (y_p = 1) or not: rows as
in :func:`~atleastk.models.encodings.k_anonymity.assign_patterns`. All five quantities
are linear in x and y. The entries are the sum of stars_p x_pt; the cells of a column
the sum of x_pt over the patterns with a star there; a limit per row excludes patterns.
Rows of the same pattern have the same stars, so a set C of columns decides for all of
them at once whether they are rows of the region: they are if a star lies outside C (and
C is empty where columns are not named). Then their number is the sum of x_pt over these
patterns. Importance orders are thresholds between classes: of the cells of columns, or
of the stars of rows. For the latter a row kind is a distinct record together with its
class.

If at most c cells of a column are suppressed then at most floor(c / k) patterns with a
star there are open, each having k rows or more. The linear relaxation does not imply
this, so these rows are written, too.

Decisions with weak relaxations may be *fixed* beforehand: the columns of the region,
the most stars of a row, the thresholds between classes of rows.

Theorem
-------
Without importance orders closed patterns of support at least k suffice. Proof: let S be
all rows that a solution publishes as a pattern p, |S| >= k, and publish the values that
S has in common instead. That is a closed pattern of support >= |S|, with stars among
those of p: rows stay alike, no cell becomes suppressed, hence none of the five
quantities grows, nor does the region, and columns without a star remain so.

With importance orders that fails: for k = 2 the rows (0, 0), (1, 0) need a star in
column 0; if column 1 is to have at least as many, constant as it is, then both columns
are suppressed. So all patterns of support at least k are needed, and suffice, since a
solution uses no others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.suppression import Suppression
from atleastk.models.admissible.decided import members
from atleastk.models.encodings.admitted_patterns import FREE, Fixed, Kinds, PatternKinds
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.k_anonymity import assign_patterns
from atleastk.models.linear import ArrayModelBuilder, Costs
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import (
    SuppressionSolution,
    completed,
    mask_of,
    solution_of_mask,
)
from atleastk.models.tables.patterns import Patterns

_MOST_CHOICES = 20
"""The most columns of a table for which the best region of given cells is found, by
trying all subsets."""


def pattern_model(
    instance: Suppression,
    kinds: Kinds,
    patterns: Patterns,
    fixed: Fixed = FREE,
    padding: bool = False,
) -> Encoding:
    """Return the model that assigns a pattern to every copy of every row kind.

    The variables x_pt come first, in the order of ``patterns.records``, then y_p, then
    those of limits and orders. Exact with all closed patterns that are `admitted`; with
    an importance order, with all patterns that are. Their records are row kinds. With
    `padding` the order of columns is relaxed: a column may count cells that it does not
    suppress, as entries. Then the optimum is a lower bound, closed patterns suffice,
    and decoded solutions have yet to be padded.
    """
    parts = PatternKinds(instance, kinds, patterns, fixed)
    writer = _Writer()
    assign_patterns(writer, kinds.records, instance.k, patterns, _allowed(parts))
    costs = _quantities(writer, parts)
    added = _rank_columns(writer, parts, padding)
    _rank_rows(writer, parts)
    model = writer.build(*filter(None, (costs, (added, 1))))

    def decode(values: IntArray) -> SuppressionSolution:
        hidden = parts.hidden(values)
        if instance.m <= _MOST_CHOICES or len(instance.region) < 2:
            return solution_of_mask(instance, hidden)
        return solution_of_mask(instance, hidden, writer.region(values))

    def encode(solution: Solution) -> IntArray | None:
        solution = completed(instance, solution)
        hidden = mask_of(instance, solution)
        values = parts.point(hidden, model.columns)
        if values is not None:
            for complete in writer.completions:
                complete(values, hidden, solution)
        return values

    return Encoding(model, decode, encode)


Completion = Callable[[IntArray, BoolArray, SuppressionSolution], None]


class _Writer(ArrayModelBuilder):
    """Collects variables and rows as arrays, and how they stand for a solution."""

    def __init__(self) -> None:
        super().__init__()
        self.completions: list[Completion] = []
        """Functions that fill in the variables after y of a solution."""
        self.region: Callable[[IntArray], list[int]] = lambda _values: []
        """Returns the columns of the region of a point."""


def _allowed(parts: PatternKinds) -> IntArray:
    """Return the most copies of every pair that fixed thresholds allow."""
    thresholds = parts.fixed.thresholds
    if thresholds is None:
        return parts.copies
    m = parts.instance.m
    fewest, most = np.array([0, *thresholds]), np.array([*thresholds, m])
    of = parts.kinds.classes[parts.kind]
    fits = (fewest[of] <= parts.stars) & (parts.stars <= most[of])
    return np.where(fits, parts.copies, 0)


def _quantities(writer: _Writer, parts: PatternKinds) -> Costs | None:
    """Add all limits; return the terms of the cost."""
    limits, sought = parts.instance.binding, parts.instance.minimise
    costs: Costs | None = None
    every = np.arange(parts.pairs)
    if sought == "entries":
        costs = every, parts.stars
    if limits.entries is not None:
        writer.add(1, (0, every, parts.stars), at_most=limits.entries)
    if sought == "per_column":
        costs = _greatest_column(writer, parts), 1
    if limits.per_column is not None:
        most = limits.per_column // parts.instance.k
        for pairs, used in zip(parts.starred, parts.starred_patterns, strict=True):
            writer.add(1, (0, pairs, 1), at_most=limits.per_column)
            writer.add(1, (0, used, 1), at_most=most)
    if sought == "per_row" and parts.fixed.per_row is None:
        costs = _star_levels(writer, parts), 1
    if "columns" in parts.instance.region and parts.fixed.columns is None:
        columns = _choose_columns(writer, parts)
        if sought == "columns":
            costs = columns, 1
        if limits.columns is not None:
            writer.add(1, (0, columns, 1), at_most=limits.columns)
        outside = _outside(writer, parts, columns) if parts.both else every[:0]
    else:
        chosen = parts.fixed.columns or 0
        outside = np.flatnonzero(parts.hides & ~chosen)
        writer.region = lambda _values: list(members(chosen))
    if sought == "rows":
        costs = outside, 1
    if limits.rows is not None:
        writer.add(1, (0, outside, 1), at_most=limits.rows)
    return costs


def _greatest_column(writer: _Writer, parts: PatternKinds) -> IntArray:
    """Add the maximum of suppressed cells of a column, k or more per open pattern."""
    n, k = parts.instance.n, parts.instance.k
    greatest = writer.variables([n])
    patterns = writer.variables([n // k])
    for pairs, used in zip(parts.starred, parts.starred_patterns, strict=True):
        writer.add(1, (0, pairs, 1), (0, greatest, -1), at_most=0)
        writer.add(1, (0, used, 1), (0, patterns, -1), at_most=0)
    writer.add(1, (0, patterns, k), (0, greatest, -1), at_most=0)

    def complete(values: IntArray, hidden: BoolArray, _: SuppressionSolution) -> None:
        values[greatest] = hidden.sum(axis=0).max(initial=0)
        counts = [values[used].sum() for used in parts.starred_patterns]
        values[patterns] = max(counts, default=0)

    writer.completions.append(complete)
    return greatest


def _star_levels(writer: _Writer, parts: PatternKinds) -> IntArray:
    """Add a variable for s = 1..m: some row may have s stars."""
    m = parts.instance.m
    levels = writer.variables([1] * m)
    for s in range(1, m + 1):
        _only_if(writer, parts, levels[s - 1], np.flatnonzero(parts.stars >= s))
        if s > 1:
            writer.add(1, (0, levels[s - 2], 1), (0, levels[s - 1], -1), at_least=0)

    def complete(values: IntArray, hidden: BoolArray, _: SuppressionSolution) -> None:
        values[levels[: hidden.sum(axis=1).max(initial=0)]] = 1

    writer.completions.append(complete)
    return levels


def _only_if(
    writer: _Writer, parts: PatternKinds, allowed: np.integer[Any], pairs: IntArray
) -> None:
    """Let these pairs have no rows unless a variable is 1."""
    records = parts.kinds.records
    writer.add(
        records.distinct,
        (parts.kind[pairs], pairs, 1),
        (np.arange(records.distinct), allowed, -records.copies),
        at_most=0,
    )


def _choose_columns(writer: _Writer, parts: PatternKinds) -> IntArray:
    """Add a variable for every column: it is in the region.

    If the region has columns only, stars lie in them.
    """
    columns = writer.variables([1] * parts.instance.m)
    if not parts.both:
        for column, pairs in zip(columns, parts.starred, strict=True):
            _only_if(writer, parts, column, pairs)

    def complete(
        values: IntArray, hidden: BoolArray, solution: SuppressionSolution
    ) -> None:
        chosen = list(solution.columns) if parts.both else hidden.any(axis=0)
        values[columns[chosen]] = 1

    writer.completions.append(complete)
    writer.region = lambda values: values[columns].nonzero()[0].tolist()
    return columns


def _outside(writer: _Writer, parts: PatternKinds, columns: IntArray) -> IntArray:
    """Add, for every pair, how many of its copies are rows of the region.

    All or none of them, according to whether the stars lie in the columns.
    """
    masks, mask_of_pair = np.unique(parts.hides, return_inverse=True)
    inside = writer.variables([1] * len(masks))
    for j, column in enumerate(columns):
        hiding = np.flatnonzero(masks >> j & 1)
        rows = np.arange(len(hiding))
        writer.add(
            len(hiding), (rows, inside[hiding], 1), (rows, column, -1), at_most=0
        )
    outside = writer.variables(parts.copies)
    every = np.arange(parts.pairs)
    writer.add(
        parts.pairs,
        (every, outside, 1),
        (every, every, -1),
        (every, inside[mask_of_pair], parts.copies),
        at_least=0,
    )

    def complete(values: IntArray, _: BoolArray, solution: SuppressionSolution) -> None:
        chosen = sum(1 << column for column in solution.columns)
        within = masks & ~chosen == 0
        values[inside] = within
        values[outside] = np.where(within[mask_of_pair], 0, values[: parts.pairs])

    writer.completions.append(complete)
    return outside


def _rank_columns(writer: _Writer, parts: PatternKinds, padding: bool) -> IntArray:
    """Let no column have more suppressed cells than one of the next class.

    Return the variables of padding cells of each column, if `padding`.
    """
    order = parts.instance.column_order
    if not order:
        return np.zeros(0, dtype=np.int64)
    levels = writer.variables([parts.instance.n] * (len(order) - 1))
    free = ~np.isin(np.arange(parts.instance.m), parts.instance.intact)
    added = writer.variables(parts.instance.n * free if padding else [])
    for c, equals in enumerate(order):
        for j in equals:
            cells = (0, np.append(parts.starred[j], added[j : j + 1]), 1)
            if c < len(levels):
                writer.add(1, cells, (0, levels[c], -1), at_most=0)
            if c > 0:
                writer.add(1, cells, (0, levels[c - 1], -1), at_least=0)

    def complete(values: IntArray, hidden: BoolArray, _: SuppressionSolution) -> None:
        cells, least = hidden.sum(axis=0), 0
        for c, equals in enumerate(map(list, order)):
            wanted = np.maximum(cells[equals], least)
            if padding:
                values[added[equals]] = wanted - cells[equals]
            least = int(wanted.max())
            values[levels[c : c + 1]] = least

    writer.completions.append(complete)
    return added


def _rank_rows(writer: _Writer, parts: PatternKinds) -> None:
    """Let no row have more stars than one of the next class.

    A variable for every two classes and s = 1..m is 1 if the threshold between them is
    at least s; then the latter have s stars or more, else the former fewer.
    """
    order = parts.instance.row_order
    if not order or parts.fixed.thresholds is not None:
        return
    m, copies = parts.instance.m, parts.kinds.records.copies
    levels = writer.variables([1] * m * (len(order) - 1)).reshape(len(order) - 1, m)
    for c, s in np.ndindex(levels.shape):
        if s:
            terms = (0, levels[c, s - 1], 1), (0, levels[c, s], -1)
            writer.add(1, *terms, at_least=0)
        for rank, crossing, sign in (
            (c, parts.stars > s, -1),
            (c + 1, parts.stars <= s, 1),
        ):
            kinds = np.flatnonzero(parts.kinds.classes == rank)
            mine = parts.kinds.classes[parts.kind] == rank
            pairs = np.flatnonzero(mine & crossing)
            writer.add(
                len(kinds),
                (np.searchsorted(kinds, parts.kind[pairs]), pairs, 1),
                (np.arange(len(kinds)), levels[c, s], sign * copies[kinds]),
                at_most=np.maximum(0, sign) * copies[kinds],
            )

    def complete(values: IntArray, hidden: BoolArray, _: SuppressionSolution) -> None:
        stars = hidden.sum(axis=1)
        for c, equals in enumerate(order[:-1]):
            values[levels[c, : stars[list(equals)].max()]] = 1

    writer.completions.append(complete)
