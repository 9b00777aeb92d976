"""Needs: the rows of k-ambiguity that other rows have to match.

A row of k-ambiguity may have any pattern whose stars are on columns that are not
constant, and shares it with nobody. A kind t of c_t copies needs d_t = max(0, k - c_t)
matches beside them. The *need* (t, P) of a set P of columns says: if a copy of t has no
star outside of P then d_t rows of other kinds *help*: wherever they differ from t,
they have a star or the column is in P.

Theorem
-------
For a weight w >= 0 let a row of another kind pay -w c_t if it helps, and one of kind t
pay w d_t if it has no star outside of P. All rows together pay at most 0. If a node
says (in ``no`` of a split) that a copy of t keeps all columns outside of P, or more of
them, let who helps pay -w and nobody else pay: all rows then pay at most -w d_t.

Proof. Let x copies of t have no star outside of P. If x = 0 nobody pays more than 0.
Else at least d_t rows help, so that the sum is at most w (d_t x - c_t d_t), and x <=
c_t. If the node says that there is such a copy, then d_t rows help.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.models.certificates.pattern_pairs import Node, PatternPairs, columns_of


class Need(NamedTuple):
    """A kind, columns as bits, and its weight."""

    kind: int
    columns: int
    weight: int


def lacking(pairs: PatternPairs, kind: int) -> int:
    """Return how many rows of other kinds a row of this one has to match."""
    return max(0, pairs.problem.matches - int(pairs.copies[kind]))


def is_sure(pairs: PatternPairs, node: Node, kind: int, columns: int) -> bool:
    """Tell whether a node implies that a copy of a kind has no star outside columns."""
    return sure_by(pairs, node, kind, columns) is not None


def sure_by(pairs: PatternPairs, node: Node, kind: int, columns: int) -> int | None:
    """Return the number of the split that implies it, or None."""
    others = pairs.others(columns)
    splits = (
        number
        for number, split in enumerate(node.counts)
        if split.kind == kind and not split.yes and not others & ~split.columns
    )
    return next(splits, None)


def payments(pairs: PatternPairs, node: Node, kind: int, columns: int) -> IntArray:
    """Return the price of every pair for a need of weight 1."""
    own, helps = concerned(pairs, kind, columns)
    if is_sure(pairs, node, kind, columns):
        return np.negative(helps, dtype=np.int64)
    paid: IntArray = lacking(pairs, kind) * own - pairs.copies[kind] * helps
    return paid


def most_paid(pairs: PatternPairs, node: Node, need: Need) -> int:
    """Return the greatest total price of all rows for a need."""
    if not is_sure(pairs, node, need.kind, need.columns):
        return 0
    return -need.weight * lacking(pairs, need.kind)


def concerned(
    pairs: PatternPairs, kind: int, columns: int
) -> tuple[BoolArray, BoolArray]:
    """Return which pairs have no star outside of the columns, and which help."""
    own = pairs.kind == kind
    shown = ~pairs.hidden
    shown[:, columns_of(columns)] = False
    differ = (pairs.codes != pairs.codes[kind])[pairs.kind] & shown[pairs.pattern]
    helps: BoolArray = ~own & ~np.logical_or.reduce(differ, axis=1)
    own &= ~pairs.hide_some(pairs.others(columns))[pairs.pattern]
    return own, helps
