"""Lagrangian bounds of a node: weights that refute all its assignments.

A leaf of the tree prices the limits of the table (see
:mod:`~atleastk.models.certificates.pattern_pairs`):

``{"weights": [u per kind], "entries": a, "rows": g, "per_column": [b per column],
"column_order": [[o per column] per pair of classes], "splits": [s per split],
"needs": [[kind, [columns], w], ...]}``

Theorem
-------
Let a row of kind t pay for pattern p

    a stars  +  g [a star outside the region]
    +  sum of b_j over its stars  +  sum of o_cj over its stars and all c
    +  sum over the splits that count it: s in ``yes``, - s in ``no``
    +  its payments for the needs (:mod:`~atleastk.models.certificates.matching_needs`),

where a, g, b, s >= 0, where o_c is at least 0 on class c of the columns, at most 0 on
class c + 1, 0 elsewhere, and sums to 0. Let V_p be the greatest sum of u - price over k
or more of the rows that may have pattern p: the k greatest terms, and all further
positive ones. If the sum of u over all rows, less the sum of max(0, V_p) over the
patterns, and V_p of those in use, exceeds

    a E + g R + sum of b_j C + sum of s q in yes, - s (q + 1) in no
    + the most paid for needs

for the limits E, R and C of entries, rows and cells of a column, then the node has no
assignment. (There is no weight for a limit that is not there.)

Proof. Every assignment of the node pays at least the left side: each pattern is
assigned to k rows or to none, and to k if it is in use. And it pays at most the right
side: stars, rows and cells keep their limits; members of class c have at most as many
stars as a threshold, and those of class c + 1 at least as many, so that o_c adds up to
at most 0; and the counts of the splits are on the side that was taken.

Rows of k-ambiguity share no pattern: V_p is over 1 or more of them. Columns of the
region that are not decided count as belonging to it, which only permits more. Time:
O(P log P) for P pairs of a pattern and a kind that matches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import chain, pairwise
from typing import Any, Final, TypeVar

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.fields.shapes import ListOf, Row, Shape
from atleastk.models.certificates.closed_classes import greatest_values
from atleastk.models.certificates.diverse_groups import greatest_worth
from atleastk.models.certificates.matching_needs import Need, most_paid, payments
from atleastk.models.certificates.pattern_pairs import (
    Node,
    PatternPairs,
    bits_of,
    columns_of,
)
from atleastk.models.certificates.weights import expect_safe, field, integer
from atleastk.models.results.fields import INTEGER

T = TypeVar("T")

AT_LEAST_0: Final = integer(0)

_MOST_ROWS: Final = 1_000
"""Rows of one pattern whose sensitive values are looked at: in an array of their
squares. With more rows the values are ignored, which weakens the bound."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The weights of a leaf; those that a certificate leaves out are 0."""

    weights: tuple[int, ...]
    entries: int
    rows: int
    per_column: tuple[int, ...]
    column_order: tuple[tuple[int, ...], ...]
    splits: tuple[int, ...]
    needs: tuple[Need, ...] = ()

    @classmethod
    def parsed(
        cls, document: Mapping[str, Any], pairs: PatternPairs, splits: int
    ) -> Leaf:
        """Read a leaf below this number of splits by counts."""
        m, classes = pairs.table.m, pairs.table.column_order or ()
        successive = list(pairwise(classes))

        def read(name: str, shape: Shape[T], default: T) -> T:
            return field({name: default, **document}, name, shape)

        orders = ListOf(ListOf(INTEGER, m), len(successive))
        leaf = cls(
            field(document, "weights", ListOf(INTEGER, len(pairs.copies))),
            read("entries", AT_LEAST_0, 0),
            read("rows", AT_LEAST_0, 0),
            read("per_column", ListOf(AT_LEAST_0, m), (0,) * m),
            read("column_order", orders, ((0,) * m,) * len(successive)),
            read("splits", ListOf(AT_LEAST_0, splits), (0,) * splits),
            tuple(_needs(document, pairs)),
        )
        for factors, (here, after) in zip(leaf.column_order, successive, strict=True):
            sign = {**dict.fromkeys(here, 1), **dict.fromkeys(after, -1)}
            signed = all(not x or sign.get(j, 0) * x > 0 for j, x in enumerate(factors))
            if sum(factors) or not signed:
                raise CertificateError(
                    "certificate column_order: not what classes of columns permit"
                )
        return leaf

    def to_dict(self) -> dict[str, Any]:
        """Return what `parsed` reads."""
        weights = asdict(self)
        weights["needs"] = [
            (kind, tuple(columns_of(columns)), weight)
            for kind, columns, weight in self.needs
        ]
        return {k: v for k, v in weights.items() if k == "weights" or _any(v)}

    @property
    def heaviest(self) -> int:
        """A bound of the price or worth of a row, without entries, rows and needs."""
        factors = (*self.per_column, *self.splits, *chain(*self.column_order))
        return sum(map(abs, factors)) + max(map(abs, self.weights), default=0)


def is_refuted(pairs: PatternPairs, node: Node, leaf: Leaf) -> bool:
    """Tell whether the weights of a leaf refute all assignments of a node."""
    prices = prices_of(pairs, node, leaf)
    worth = np.array(leaf.weights, dtype=np.int64)[pairs.kind] - prices
    order = np.lexsort((-worth, pairs.pattern))
    order = order[pairs.allowed(node)[order]]
    pattern, kind, worth = pairs.pattern[order], pairs.kind[order], worth[order]
    best = _best(pairs, pattern, kind, worth)
    used = np.zeros(len(pairs.hidden), dtype=np.bool_)
    used[list(node.used)] = True
    best = np.where(used, best, np.maximum(best, 0))
    copies = pairs.copies.tolist()
    room: int = sum(u * c for u, c in zip(leaf.weights, copies, strict=True))
    room -= _limit_of(pairs, node, leaf)
    if int(best.sum()) >= room and pairs.problem.diverse is not None:
        for p in np.flatnonzero((best > 0) | used).tolist():
            own = slice(*np.searchsorted(pattern, (p, p + 1)).tolist())
            found = _best_diverse(pairs, kind[own], worth[own])
            if found is not None:
                best[p] = min(best[p], found if used[p] else max(0, found))
    return int(best.sum()) < room


def _best_diverse(pairs: PatternPairs, kind: IntArray, worth: IntArray) -> int | None:
    """Return V_p over admissible groups; None if there are too many rows.

    In diversity only groups that keep sensitive values apart count. V_p may be
    overrated (:mod:`~atleastk.models.certificates.diverse_groups`); groups of one
    pattern may be joined.
    """
    copies = pairs.copies[kind]
    if pairs.problem.diverse is None or copies.sum() > _MOST_ROWS:
        return None
    rows = np.repeat(np.arange(len(kind)), copies)
    values = pairs.values[kind[rows]]
    found = greatest_worth(pairs.problem.diverse, worth[rows], values, pairs.least)
    return found or 0


def _best(
    pairs: PatternPairs, pattern: IntArray, kind: IntArray, worth: IntArray
) -> IntArray:
    """Return V_p, or 0 where too few rows are left.

    The pairs are sorted by pattern, then by decreasing worth.
    """
    best = np.zeros(len(pairs.hidden), dtype=np.int64)
    starts = np.flatnonzero(np.diff(pattern, prepend=-1))
    if not len(starts):
        return best
    found = greatest_values(worth, pairs.copies[kind], starts, pairs.least)
    best[pattern[starts]] = np.where(found[1] >= pairs.least, found[0], 0)
    return best


def prices_of(pairs: PatternPairs, node: Node, leaf: Leaf) -> IntArray:
    """Return the price of every pair for a row.

    Rows of generalisation on entries may have weights, in units of their greatest
    common divisor: they pay their stars as often.
    """
    table, rows = pairs.table, pairs.problem.rows + pairs.table.k
    dearest = int(pairs.row_weights.max(initial=1)) * leaf.entries * table.m
    needs = sum(
        weight * (pairs.problem.matches + int(pairs.copies[kind]))
        for kind, _, weight in leaf.needs
    )
    heaviest = leaf.heaviest + dearest + leaf.rows + needs
    expect_safe(rows * (1 if pairs.problem.diverse is None else rows) * heaviest)
    prices = leaf.entries * pairs.stars() * pairs.row_weights[pairs.kind]
    prices += leaf.rows * pairs.outside(node)
    for j, factors in enumerate(zip(leaf.per_column, *leaf.column_order, strict=True)):
        if any(factors):
            prices += sum(factors) * pairs.hides(j)
    for split, weight in zip(node.counts, leaf.splits, strict=True):
        prices += split.sign * weight * pairs.counted(split)
    for kind, columns, weight in leaf.needs:
        prices += weight * payments(pairs, node, kind, columns)
    return prices


def _limit_of(pairs: PatternPairs, node: Node, leaf: Leaf) -> int:
    """Return the greatest total price of all rows within the limits."""
    paid, limits = 0, pairs.table.limits
    for quantity, weight in (
        ("entries", leaf.entries),
        ("rows", leaf.rows),
        ("per_column", sum(leaf.per_column)),
    ):
        if weight and quantity not in limits:
            raise CertificateError(
                f"certificate {quantity}: a weight, but there is no limit"
            )
        paid += weight * limits.get(quantity, 0)
    splits = zip(node.counts, leaf.splits, strict=True)
    paid += sum(split.side * weight for split, weight in splits)
    return paid + sum(most_paid(pairs, node, need) for need in leaf.needs)


def work_of(pairs: PatternPairs, node: Node, leaf: Leaf) -> int:
    """Return about how many steps a leaf takes, of some 50 nanoseconds."""
    m = pairs.table.m
    each = 4 + m + len(node.counts) + len(leaf.needs) * (4 + m)
    return 4_000 * (1 + len(leaf.needs)) + len(pairs.pattern) * each


def _needs(document: Mapping[str, Any], pairs: PatternPairs) -> Iterator[Need]:
    shape = Row("a need", (INTEGER, ListOf(AT_LEAST_0), AT_LEAST_0))
    for kind, columns, weight in field(
        {"needs": (), **document}, "needs", ListOf(shape)
    ):
        index_field({"kind": kind}, "kind", len(pairs.copies))
        yield Need(
            kind, columns_field({"needs": columns}, "needs", pairs.table.m), weight
        )


def _any(value: Any) -> bool:
    """Tell whether a weight, or one of a list of them, is not 0."""
    return any(map(_any, value)) if isinstance(value, tuple | list) else bool(value)


def index_field(document: Mapping[str, Any], name: str, count: int) -> int:
    """Return a field that is an index below a count."""
    index = field(document, name, AT_LEAST_0)
    if index >= count:
        raise CertificateError(
            f"certificate {name}: expected less than {count}, got {index}"
        )
    return index


def columns_field(document: Mapping[str, Any], name: str, m: int) -> int:
    """Return a field that lists columns, as bits."""
    columns = field(document, name, ListOf(AT_LEAST_0))
    if any(column >= m for column in columns):
        raise CertificateError(f"certificate {name}: expected columns below {m}")
    return bits_of(columns)
