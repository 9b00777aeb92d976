"""Assignments of rows to patterns: the pairs, and the branching decisions on them.

An *assignment* gives every row a pattern that it matches, such that every pattern is
given to k rows or more, or to none. A row pays its pattern: cells are suppressed where
that has a star. A solution of suppression that keeps its limits is such an assignment,
over the closed patterns of support at least k; over all patterns of such a support if
rows or columns are ordered by importance, or deleted as a whole (theorem and
exceptions: :mod:`~atleastk.models.encodings.suppression_patterns`).

Rows that are equal in all that matters are a *kind*: their values, their class of
importance, their weight and their sensitive values. Kinds are sorted by these, numbered
by first appearance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import Any, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import numbered
from atleastk.instances.suppression import Suppression
from atleastk.models.admissible.decided import members
from atleastk.models.certificates.pattern_lists import all_patterns, closed_patterns
from atleastk.models.suppression import importance_of_rows


@dataclass(frozen=True, slots=True)
class PatternProblem:
    """A table whose rows are assigned to patterns."""

    table: Suppression
    """The table, the fewest rows of a pattern, and the limits."""
    row_weights: Sequence[int] | None = None
    """The factor of the suppressed cells of each row; None if all count once."""
    diverse: Diversity | None = None
    """The sensitive values that groups keep apart, if there are any."""
    matches: int = 0
    """How many rows every row has to match; 0 asks for none."""
    copies: IntArray | None = None
    """How many rows each row of the table stands for; None if for itself alone."""

    @property
    def rows(self) -> int:
        """The number of rows, with their copies."""
        return self.table.n if self.copies is None else int(self.copies.sum())


class CountSplit(NamedTuple):
    """A branch on how many copies of a kind keep columns, and the side taken.

    Without a kind, on how many rows have stars on all of them. ``columns`` are bits; at
    most ``most`` copies in ``yes``, more in ``no``.
    """

    kind: int | None
    columns: int
    most: int
    yes: bool = True

    @property
    def sign(self) -> int:
        """1 if the count is limited from above, -1 if from below."""
        return 1 if self.yes else -1

    @property
    def side(self) -> int:
        """The greatest count, or minus the least."""
        return self.most if self.yes else -self.most - 1

    def to_dict(self) -> dict[str, Any]:
        """Return the node of the tree without its sides."""
        columns = columns_of(self.columns)
        if self.kind is None:
            return {"stars": columns, "at_most": self.most}
        return {"kind": self.kind, "keeps": columns, "at_most": self.most}


@dataclass(frozen=True, slots=True)
class Node:
    """The branching decisions on the way to a node of the tree."""

    inside: int = 0
    outside: int = 0
    """`inside`, `outside`: columns that belong to the region, and that do not, as
    bits."""
    used: tuple[int, ...] = ()
    unused: tuple[int, ...] = ()
    """`used`, `unused`: patterns by their numbers."""
    least: tuple[int, ...] = ()
    most: tuple[int, ...] = ()
    """`least`, `most`: for every pair of classes of importance the least and greatest
    threshold."""
    counts: tuple[CountSplit, ...] = ()
    """The splits by counts, the topmost first."""

    def by_region(self, column: int) -> tuple[Node, Node]:
        """Return the sides in which a column belongs to the region, or does not."""
        inside, outside = self.inside | 1 << column, self.outside | 1 << column
        return replace(self, inside=inside), replace(self, outside=outside)

    def by_threshold(self, c: int, most: int) -> tuple[Node, Node]:
        """Return the sides in which classes up to c have at most these stars, or more.

        In the second one, all later classes have more.
        """
        below = (*self.most[:c], min(most, self.most[c]), *self.most[c + 1 :])
        above = (*self.least[:c], max(most + 1, self.least[c]), *self.least[c + 1 :])
        return replace(self, most=below), replace(self, least=above)

    def by_count(self, split: CountSplit) -> tuple[Node, Node]:
        """Return the sides in which the count is at most that of the split, or more."""
        yes, no = ((*self.counts, split._replace(yes=side)) for side in (True, False))
        return replace(self, counts=yes), replace(self, counts=no)

    def by_use(self, pattern: int) -> tuple[Node, Node]:
        """Return the sides in which a pattern is in use, or is not."""
        used, unused = (*self.used, pattern), (*self.unused, pattern)
        return replace(self, used=used), replace(self, unused=unused)


def columns_of(bits: int) -> list[int]:
    """Return bits as a list of columns."""
    return list(members(bits))


def bits_of(columns: Iterable[int]) -> int:
    """Return columns as bits."""
    return sum(1 << column for column in set(columns))


@dataclass(frozen=True, slots=True, eq=False)
class PatternPairs:
    """The patterns of a problem, and the kinds that match them."""

    problem: PatternProblem
    copies: IntArray
    """The rows of every kind."""
    class_of: IntArray
    """The class of importance of every kind; 0 without an order of rows."""
    row_weights: IntArray
    """How often a row of each kind pays its stars."""
    codes: Int32Array
    values: Int32Array
    """`codes`, `values`: the values and the sensitive values of every kind, numbered:
    [kind, column]."""
    hidden: BoolArray
    """Whether a pattern hides a column: [pattern, column]."""
    pattern: IntArray
    kind: IntArray
    """`pattern`, `kind`: the pairs of a pattern and a kind that matches it, by
    pattern."""

    @classmethod
    def of(cls, problem: PatternProblem) -> PatternPairs:
        """List the patterns of support at least k that the limits permit."""
        table = problem.table
        paid = problem.row_weights or (1,) * table.n
        rank = importance_of_rows(table)
        sensitive = [] if problem.diverse is None else [problem.diverse.values]
        records = table.records
        if problem.copies is not None:
            records = records.with_copies(problem.copies)
        kinds, more = records.divided_by(rank, numbered(paid), *sensitive)
        found = list(_patterns(problem, kinds.codes, kinds.copies))
        lengths = [len(members) for _, members in found]
        hidden = np.array([hides for hides, _ in found], dtype=np.bool_)
        return cls(
            problem,
            kinds.copies,
            more[:, 0].astype(np.int64),
            np.array(paid, dtype=np.int64)[kinds.firsts] // (gcd(*paid) or 1),
            kinds.codes,
            np.ascontiguousarray(more[:, 2:]),
            hidden.reshape(len(found), table.m),
            np.repeat(np.arange(len(found)), lengths),
            np.concatenate([np.empty(0, np.int64), *(who for _, who in found)]),
        )

    @property
    def table(self) -> Suppression:
        """The table with its limits."""
        return self.problem.table

    @property
    def least(self) -> int:
        """The fewest rows of a pattern that is in use."""
        return 1 if self.problem.matches else self.table.k

    @property
    def boundaries(self) -> int:
        """The number of pairs of successive classes of rows."""
        return max(0, len(self.table.row_order or ()) - 1)

    @property
    def root(self) -> Node:
        """The node at which nothing is decided."""
        least, most = (0,) * self.boundaries, (self.table.m,) * self.boundaries
        return Node(least=least, most=most)

    def hides(self, column: int) -> BoolArray:
        """Return which pairs hide a column."""
        hidden: BoolArray = self.hidden[self.pattern, column]
        return hidden

    def stars(self) -> IntArray:
        """Return the number of stars of every pair."""
        counts: IntArray = self.hidden.sum(axis=1)[self.pattern]
        return counts

    def counted(self, split: CountSplit) -> BoolArray:
        """Return which pairs a split counts."""
        if split.kind is None:
            return self._hide_all(split.columns)[self.pattern]
        kept = ~self.hide_some(split.columns)[self.pattern]
        counted: BoolArray = kept & (self.kind == split.kind)
        return counted

    def number_of(self, kind: int, kept: int) -> int | None:
        """Return the pattern of a kind that keeps exactly these columns, if any."""
        exactly = self._hide_all(self.others(kept)) & ~self.hide_some(kept)
        found = self.pattern[exactly[self.pattern] & (self.kind == kind)]
        return int(found[0]) if len(found) else None

    def allowed(self, node: Node) -> BoolArray:
        """Return the pairs that the decisions of a node permit."""
        table = self.table
        whole = self._hide_all(self.others(0))
        fits = np.ones(len(whole), dtype=np.bool_)
        if "columns" in table.region:
            within = ~self.hide_some(node.outside)
            if table.deletion:
                within &= self._hide_all(node.inside)
            if "rows" not in table.region:
                fits = within
            elif table.deletion:
                fits = within | whole
        elif table.deletion:
            fits = ~self.hide_some(self.others(0)) | whole
        fits[list(node.unused)] = False
        count, pairs = self.stars(), fits[self.pattern]
        for c in range(self.boundaries):
            above = self.class_of[self.kind] <= c
            pairs &= ~above | (count <= node.most[c])
            pairs &= above | (count >= node.least[c])
        return pairs

    def outside(self, node: Node) -> BoolArray:
        """Return the pairs whose rows belong to the region in all cases."""
        if "rows" not in self.table.region:
            return np.zeros(len(self.kind), dtype=np.bool_)
        limited = "columns" in self.table.region
        left = node.outside if limited else self.others(0)
        return self.hide_some(left)[self.pattern]

    def others(self, columns: int) -> int:
        """Return all other columns, as bits."""
        return (1 << self.table.m) - 1 & ~columns

    def _hide_all(self, columns: int) -> BoolArray:
        """Return which patterns hide all of these columns."""
        hide: BoolArray = np.logical_and.reduce(self._hidden_of(columns), axis=1)
        return hide

    def hide_some(self, columns: int) -> BoolArray:
        """Return which patterns hide one of these columns."""
        hide: BoolArray = np.logical_or.reduce(self._hidden_of(columns), axis=1)
        return hide

    def _hidden_of(self, columns: int) -> BoolArray:
        hidden: BoolArray = self.hidden[:, columns_of(columns)]
        return hidden

    def overfull(self, node: Node) -> bool:
        """Tell whether more columns belong to the region than may."""
        most = self.table.limits.get("columns", self.table.m)
        return node.inside.bit_count() > most


def _patterns(
    problem: PatternProblem, codes: Int32Array, copies: IntArray
) -> Iterator[tuple[BoolArray, IntArray]]:
    """Yield the stars of every pattern that the limits permit, and its kinds."""
    table = problem.table
    intact = frozenset(table.intact)
    most = table.limits.get("per_row", table.m)
    if problem.matches:
        found = all_patterns(codes, copies, 1, intact)
    elif table.deletion or table.row_order or table.column_order:
        found = all_patterns(codes, copies, table.k, intact)
    else:
        found = closed_patterns(codes, copies, table.k)
    for hidden, kinds in found:
        if hidden.sum() <= most and not hidden[list(intact)].any():
            yield hidden, kinds
