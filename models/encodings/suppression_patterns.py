"""The pattern encoding of suppression: rows dealt out to patterns.

A *pattern* fixes values on the columns that it keeps and has stars on the others. x_pt
copies of row kind t are published as pattern p, which is open (y_p = 1) or not:

- sum over p of x_pt = copies of t,
- sum over t of x_pt >= k y_p,
- x_pt <= copies of t * y_p.

All five quantities are linear in x and y. The entries are the sum of stars_p x_pt; the
cells of a column the sum of x_pt over the patterns with a star there; a limit per row
leaves patterns out. Rows of the same pattern have the same stars, so a set C of columns
decides for all of them at once whether they are rows of the region: they are if a star
lies outside C (and C is empty where columns are not named). Then their number is the
sum of x_pt over these patterns. Importance orders are thresholds between classes: of
the cells of columns, or of the stars of rows. For the sake of the latter a row kind is
a distinct record together with its class.

What a solver cannot see well may be *fixed* beforehand: the columns of the region, the
most stars of a row, the thresholds between classes of rows.

Theorem
-------
Without importance orders closed patterns of support at least k suffice. Proof: let S be
all rows that a solution publishes as a pattern p, |S| >= k, and publish them as what S
has in common instead. That is a closed pattern of support >= |S|, with stars among
those of p: rows stay alike, no cell becomes suppressed, hence none of the five
quantities grows, nor does the region have to, and columns without a star remain so.

With importance orders that fails: for k = 2 the rows (0, 0), (1, 0) need a star in
column 0; if column 1 is to have at least as many, constant as it is, then both columns
are suppressed. So all patterns of support at least k are needed, and suffice, since a
solution uses no others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.models import k_anonymity
from atleastk.models.encodings.encoding import IntArray, SolutionEncoding
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.models.patterns import Patterns
from atleastk.models.solution import Solution
from atleastk.models.suppression import (
    Mask,
    SuppressionSolution,
    mask_of,
    solution_of_groups,
    solution_of_mask,
)

__all__ = ["FREE", "Fixed", "Kinds", "admitted", "is_ordered", "pattern_model"]

_MOST_CHOICES = 20
"""Columns of the table for which the best region is found from the cells."""


def is_ordered(instance: Suppression) -> bool:
    """Tell whether there is an importance order."""
    return bool(instance.row_order or instance.column_order)


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The row kinds of a table: distinct records, apart by importance class.

    Attributes
    ----------
    records
        The kinds with their copies; the same codes may appear once in every class.
    classes
        The importance class of every kind; 0 without an order of rows.
    """

    records: Records
    classes: IntArray

    @classmethod
    def of(cls, instance: Suppression) -> Kinds:
        """Return the row kinds of an instance."""
        plain = instance.records
        if not instance.row_order:
            return cls(plain, np.zeros(plain.distinct, dtype=np.int64))
        rank = np.empty(instance.n, dtype=np.int32)
        for c, members in enumerate(instance.row_order):
            rank[list(members)] = c
        codes = plain.codes[plain.record_of]
        apart = Records.coded(np.column_stack((codes, rank)))
        alike = np.ascontiguousarray(apart.codes[:, : instance.m])
        records = Records(alike, apart.copies, apart.record_of)
        return cls(records, apart.codes[:, instance.m].astype(np.int64))


@dataclass(frozen=True, slots=True)
class Fixed:
    """What is decided before the model is written; None where the model decides.

    Attributes
    ----------
    columns
        The columns of the region, as the bits of an integer.
    per_row
        The most stars of a row.
    thresholds
        For every two successive classes of rows: the most stars of the former, and the
        fewest of the latter.
    """

    columns: int | None = None
    per_row: int | None = None
    thresholds: tuple[int, ...] | None = None


def admitted(instance: Suppression, patterns: Patterns, fixed: Fixed) -> Patterns:
    """Return the patterns that limits, intact columns and what is fixed leave."""
    hidden = ~patterns.kept & ((1 << instance.m) - 1)
    forbidden = sum(1 << column for column in instance.intact)
    if fixed.columns is not None and "rows" not in instance.region:
        forbidden |= ~fixed.columns
    most = [instance.most.per_row, fixed.per_row, instance.most.columns]
    if "rows" in instance.region:
        most.pop()
    stars = min((limit for limit in most if limit is not None), default=instance.m)
    return _chosen(patterns, (hidden & forbidden == 0) & (patterns.stars <= stars))


def _chosen(patterns: Patterns, chosen: NDArray[np.bool_]) -> Patterns:
    lengths = np.diff(patterns.starts)
    return Patterns(
        stars=patterns.stars[chosen],
        kept=patterns.kept[chosen],
        support=patterns.support[chosen],
        starts=np.concatenate(([0], np.cumsum(lengths[chosen]))).astype(np.int64),
        records=patterns.records[np.repeat(chosen, lengths)],
        reach=patterns.reach,
    )


FREE = Fixed()
"""Nothing is fixed."""


def pattern_model(
    instance: Suppression,
    kinds: Kinds,
    patterns: Patterns,
    fixed: Fixed = FREE,
) -> SolutionEncoding:
    """Return the model that gives a pattern to every copy of every row kind.

    The variables x_pt come first, in the order of ``patterns.records``, then y_p, then
    those of limits and orders. Exact if the patterns are all closed ones, or with an
    importance order all, that are `admitted`.
    Their records are row kinds.
    """
    parts = _Parts(instance, kinds, patterns, fixed)
    writer = _Writer()
    _deal(writer, parts)
    costs = _quantities(writer, parts)
    _rank_columns(writer, parts)
    _rank_rows(writer, parts)
    model = writer.build(costs)

    def decode(values: IntArray) -> SuppressionSolution:
        hidden = parts.hidden(values)
        if instance.m <= _MOST_CHOICES or len(instance.region) < 2:
            return solution_of_mask(instance, hidden)
        return solution_of_mask(instance, hidden, writer.region(values))

    def encode(solution: Solution) -> IntArray | None:
        if not isinstance(solution, SuppressionSolution):
            solution = solution_of_groups(instance, solution.groups)
        hidden = mask_of(instance, solution)
        values = parts.dealt(hidden, model.columns)
        if values is not None:
            for complete in writer.completions:
                complete(values, hidden, solution)
        return values

    return SolutionEncoding(model, decode, encode)


class _Parts:
    """What is dealt out: pairs of a pattern and a row kind."""

    def __init__(
        self, instance: Suppression, kinds: Kinds, patterns: Patterns, fixed: Fixed
    ) -> None:
        self.instance, self.kinds = instance, kinds
        self.patterns, self.fixed = patterns, fixed
        m = instance.m
        self.pattern = np.repeat(np.arange(patterns.count), np.diff(patterns.starts))
        self.kind = patterns.records.astype(np.int64)
        self.copies = kinds.records.copies[self.kind]
        self.hides = ~patterns.kept[self.pattern] & ((1 << m) - 1)
        self.stars = patterns.stars[self.pattern].astype(np.int64)
        self.starred = [np.flatnonzero(self.hides >> j & 1) for j in range(m)]
        self.both = instance.region == ("rows", "columns")

    @property
    def pairs(self) -> int:
        """The number of variables x_pt."""
        return len(self.kind)

    def hidden(self, values: IntArray) -> Mask:
        """Return the cells that a point suppresses, or fewer.

        Without importance orders cells are published that need not be suppressed.
        """
        used = values[: self.pairs].nonzero()[0]
        home = self.kinds.records.deal(
            self.pattern[used], self.kind[used], values[used]
        )
        if not is_ordered(self.instance):
            return k_anonymity.suppressed(self.instance, Solution.labelled(home))
        kept = self.patterns.kept[home]
        hidden: Mask = kept[:, None] >> np.arange(self.instance.m) & 1 == 0
        return hidden

    def dealt(self, hidden: Mask, length: int) -> IntArray | None:
        """Return the x and y of these cells; None if they need other patterns."""
        powers = 1 << np.arange(self.instance.m, dtype=np.int64)
        wanted = zip(
            (hidden @ powers).tolist(),
            self.kinds.records.record_of.tolist(),
            strict=True,
        )
        known = zip(self.hides.tolist(), self.kind.tolist(), strict=True)
        place = {pair: index for index, pair in enumerate(known)}
        found = [place.get(pair, -1) for pair in wanted]
        if -1 in found:
            return None
        places = np.array(found, dtype=np.int64)
        values = np.zeros(length, dtype=np.int64)
        np.add.at(values, places, 1)
        values[self.pairs + self.pattern[places]] = 1
        return values


Costs = tuple[IntArray | Sequence[int], IntArray | int]
Completion = Callable[[IntArray, Mask, SuppressionSolution], None]


class _Writer:
    """Collects variables and rows as arrays."""

    def __init__(self) -> None:
        self.columns = self.rows = 0
        self.completions: list[Completion] = []
        """What fills in the variables after y of a solution."""
        self.region: Callable[[IntArray], list[int]] = lambda _values: []
        """What tells the columns of the region of a point."""
        self._upper: list[IntArray] = []
        self._entries: list[tuple[IntArray, IntArray, IntArray]] = []
        self._bounds: list[tuple[IntArray, IntArray]] = []

    def variables(self, upper: IntArray | Sequence[int]) -> IntArray:
        """Add variables between 0 and these bounds."""
        bounds = np.asarray(upper, dtype=np.int64)
        self._upper.append(bounds)
        self.columns += len(bounds)
        return np.arange(self.columns - len(bounds), self.columns)

    def add(
        self,
        count: int,
        *terms: tuple[Any, Any, Any],
        at_least: Any = -INFINITE,
        at_most: Any = INFINITE,
    ) -> None:
        """Add rows; a term is (row among them, variable, factor), as arrays."""
        for term in terms:
            row, variable, factor = (
                np.ravel(a).astype(np.int64) for a in np.broadcast_arrays(*term)
            )
            self._entries.append((row + self.rows, variable, factor))
        whole = np.zeros(count, dtype=np.int64)
        self._bounds.append((whole + at_least, whole + at_most))
        self.rows += count

    def build(self, costs: Costs | None) -> LinearModel:
        """Return the model that minimises the sum of (variables, factors)."""
        row, column, data = (
            np.concatenate(parts) for parts in zip(*self._entries, strict=True)
        )
        objective = np.zeros(self.columns, dtype=np.int64)
        if costs is not None:
            objective[costs[0]] = costs[1]
        entries = coo_array((data, (row, column)), shape=(self.rows, self.columns))
        return LinearModel(
            objective=objective,
            lower=np.zeros(self.columns, dtype=np.int64),
            upper=np.concatenate(self._upper),
            rows=csr_array(entries),
            row_lower=np.concatenate([low for low, _ in self._bounds]),
            row_upper=np.concatenate([high for _, high in self._bounds]),
        )


def _deal(writer: _Writer, parts: _Parts) -> None:
    """Deal all copies out, k or more to every open pattern."""
    patterns, records = parts.patterns, parts.kinds.records
    x = writer.variables(_allowed(parts))
    y = writer.variables(np.ones(patterns.count, dtype=np.int64))
    everywhere = np.arange(patterns.count)
    writer.add(
        records.distinct,
        (parts.kind, x, 1),
        at_least=records.copies,
        at_most=records.copies,
    )
    writer.add(
        patterns.count,
        (parts.pattern, x, 1),
        (everywhere, y, -parts.instance.k),
        at_least=0,
    )
    writer.add(
        parts.pairs,
        (x, x, 1),
        (x, y[parts.pattern], -parts.copies),
        at_most=0,
    )


def _allowed(parts: _Parts) -> IntArray:
    """Return the most copies of every pair that fixed thresholds allow."""
    thresholds = parts.fixed.thresholds
    if thresholds is None:
        return parts.copies
    m = parts.instance.m
    fewest, most = np.array([0, *thresholds]), np.array([*thresholds, m])
    of = parts.kinds.classes[parts.kind]
    fits = (fewest[of] <= parts.stars) & (parts.stars <= most[of])
    return np.where(fits, parts.copies, 0)


def _quantities(writer: _Writer, parts: _Parts) -> Costs | None:
    """Keep all limits; return what sums up to the cost."""
    limits, sought = parts.instance.most, parts.instance.minimise
    costs: Costs | None = None
    every = np.arange(parts.pairs)
    if sought == "entries":
        costs = every, parts.stars
    if limits.entries is not None:
        writer.add(1, (0, every, parts.stars), at_most=limits.entries)
    if sought == "per_column":
        costs = _greatest_column(writer, parts), 1
    if limits.per_column is not None:
        for pairs in parts.starred:
            writer.add(1, (0, pairs, 1), at_most=limits.per_column)
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
        writer.region = lambda _values: _bits(chosen)
    if sought == "rows":
        costs = outside, 1
    if limits.rows is not None:
        writer.add(1, (0, outside, 1), at_most=limits.rows)
    return costs


def _bits(columns: int) -> list[int]:
    return [j for j in range(columns.bit_length()) if columns >> j & 1]


def _greatest_column(writer: _Writer, parts: _Parts) -> IntArray:
    """Add the most suppressed cells of a column."""
    greatest = writer.variables([parts.instance.n])
    for pairs in parts.starred:
        writer.add(1, (0, pairs, 1), (0, greatest, -1), at_most=0)

    def complete(values: IntArray, hidden: Mask, _: SuppressionSolution) -> None:
        values[greatest] = hidden.sum(axis=0).max(initial=0)

    writer.completions.append(complete)
    return greatest


def _star_levels(writer: _Writer, parts: _Parts) -> IntArray:
    """Add a variable for s = 1..m: some row may have s stars."""
    m, count = parts.instance.m, parts.kinds.records.distinct
    levels = writer.variables([1] * m)
    copies = parts.kinds.records.copies
    kinds = np.arange(count)
    for s in range(1, m + 1):
        pairs = np.flatnonzero(parts.stars >= s)
        writer.add(
            count,
            (parts.kind[pairs], pairs, 1),
            (kinds, levels[s - 1], -copies),
            at_most=0,
        )
        if s > 1:
            writer.add(1, (0, levels[s - 2], 1), (0, levels[s - 1], -1), at_least=0)

    def complete(values: IntArray, hidden: Mask, _: SuppressionSolution) -> None:
        values[levels[: hidden.sum(axis=1).max(initial=0)]] = 1

    writer.completions.append(complete)
    return levels


def _choose_columns(writer: _Writer, parts: _Parts) -> IntArray:
    """Add a variable for every column: it is in the region.

    If the region has columns only, stars lie in them.
    """
    count, copies = parts.kinds.records.distinct, parts.kinds.records.copies
    columns = writer.variables([1] * parts.instance.m)
    if not parts.both:
        for column, pairs in zip(columns, parts.starred, strict=True):
            writer.add(
                count,
                (parts.kind[pairs], pairs, 1),
                (np.arange(count), column, -copies),
                at_most=0,
            )

    def complete(values: IntArray, hidden: Mask, solution: SuppressionSolution) -> None:
        chosen = list(solution.columns) if parts.both else hidden.any(axis=0)
        values[columns[chosen]] = 1

    writer.completions.append(complete)
    writer.region = lambda values: values[columns].nonzero()[0].tolist()
    return columns


def _outside(writer: _Writer, parts: _Parts, columns: IntArray) -> IntArray:
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

    def complete(values: IntArray, _: Mask, solution: SuppressionSolution) -> None:
        chosen = sum(1 << column for column in solution.columns)
        within = masks & ~chosen == 0
        values[inside] = within
        values[outside] = np.where(within[mask_of_pair], 0, values[: parts.pairs])

    writer.completions.append(complete)
    return outside


def _rank_columns(writer: _Writer, parts: _Parts) -> None:
    """Let no column have more suppressed cells than one of the next class."""
    order = parts.instance.column_order
    if not order:
        return
    levels = writer.variables([parts.instance.n] * (len(order) - 1))
    for c, members in enumerate(order):
        for j in members:
            pairs = parts.starred[j]
            if c < len(levels):
                writer.add(1, (0, pairs, 1), (0, levels[c], -1), at_most=0)
            if c > 0:
                writer.add(1, (0, pairs, 1), (0, levels[c - 1], -1), at_least=0)

    def complete(values: IntArray, hidden: Mask, _: SuppressionSolution) -> None:
        cells = hidden.sum(axis=0)
        values[levels] = [cells[list(members)].max() for members in order[:-1]]

    writer.completions.append(complete)


def _rank_rows(writer: _Writer, parts: _Parts) -> None:
    """Let no row have more stars than one of the next class.

    A variable for every two classes and s = 1..m tells whether the threshold between
    them is at least s; then the latter have s stars or more, else the former fewer.
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
        for rank, crossing, above in (
            (c, parts.stars > s, True),
            (c + 1, parts.stars <= s, False),
        ):
            kinds = np.flatnonzero(parts.kinds.classes == rank)
            place = np.zeros(len(copies), dtype=np.int64)
            place[kinds] = np.arange(len(kinds))
            mine = parts.kinds.classes[parts.kind] == rank
            pairs = np.flatnonzero(mine & crossing)
            writer.add(
                len(kinds),
                (place[parts.kind[pairs]], pairs, 1),
                (
                    np.arange(len(kinds)),
                    levels[c, s],
                    -copies[kinds] if above else copies[kinds],
                ),
                at_most=0 if above else copies[kinds],
            )

    def complete(values: IntArray, hidden: Mask, _: SuppressionSolution) -> None:
        stars = hidden.sum(axis=1)
        for c, members in enumerate(order[:-1]):
            values[levels[c, : stars[list(members)].max()]] = 1

    writer.completions.append(complete)
