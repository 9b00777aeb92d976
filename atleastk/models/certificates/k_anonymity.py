"""Certificates of k-anonymity, checked in integers without any solver.

``{"kind": "count"}``
    There are rows, but fewer than k: infeasible.
``{"kind": "weights", "scale": D, "weights": [u per distinct record]}``
    Records are in the order of ``instance.records``. Let V_p be the greatest sum over S
    of (u_t - D c_p), over the sets S of at least k rows that match pattern p, where c_p
    is the number of its stars: the k greatest terms, and all further positive ones.
    Every solution costs at least (sum of all u - sum over p of max(0, V_p)) / D, where
    the sums go over all rows and over all closed patterns of support at least k.

``{"kind": "tree", "tree": node}``
    Where weights leave a gap: :mod:`~atleastk.models.certificates.pattern_trees`.

Proof: let the groups of a solution whose rows have the same closed pattern be merged
into S_p. Then D times the cost is the sum of all u less the sum over the patterns
p in use, each used once, of the sum over S_p of (u_t - D c_p), which is at most V_p.

The patterns are found here by grouping the records for every set of kept columns: time
O(2^m D log D) for D distinct records over m columns. For wide tables they are listed
one by one, as for a tree of one leaf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.count import kind_of_bound
from atleastk.models.certificates.forms import NODE_OF_PATTERNS, TABLES, Forms
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.certificates.pattern_trees import check_tree
from atleastk.models.certificates.weights import (
    expect_bound,
    expect_safe,
    field,
    integer,
    weights_of,
)

_MOST_COLUMNS: Final = 16
"""The most columns: all their subsets are tried."""

_MOST_WORK: Final = 200_000_000
"""Sets of columns times distinct records: half a minute."""


def check_certificate(
    instance: KAnonymity, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = kind_of_bound(certificate, instance, bound, "weights", "tree")
    if bound is None:
        return
    problem = PatternProblem(Suppression(instance.table, instance.k))
    if kind == "tree":
        check_tree(problem, certificate, bound)
        return
    scale = field(certificate, "scale", integer(1))
    weights = weights_of(certificate, instance.records.distinct)
    if is_checkable(instance):
        proved = max(0, -(-_proven(instance, weights, scale) // scale))
        expect_bound(proved, bound)
    else:
        leaf = {"weights": weights, "entries": scale}
        check_tree(problem, {"tree": leaf}, bound)


def is_checkable(instance: KAnonymity) -> bool:
    """Tell whether all sets of columns can be looked at in reasonable time."""
    columns, distinct = instance.m, instance.records.distinct
    return columns <= _MOST_COLUMNS and distinct << columns <= _MOST_WORK


def _proven(instance: KAnonymity, weights: tuple[int, ...], scale: int) -> int:
    """Return a lower bound of `scale` times the cost of every solution."""
    records, m = instance.records, instance.m
    heaviest = max(map(abs, weights), default=0) + scale * (m + 1)
    expect_safe((instance.n + instance.k) * heaviest)
    plain = np.array(weights, dtype=np.int64)
    heavy_first = np.argsort(-plain, kind="stable")
    codes = np.ascontiguousarray(records.codes[heavy_first].T.astype(np.int64))
    copies, ranked = records.copies[heavy_first], plain[heavy_first]
    total = sum(int(c) * u for c, u in zip(records.copies, weights, strict=True))
    return total - sum(
        _value(codes, copies, ranked, kept, classes, instance.k, scale)
        for kept, classes in _groupings(codes)
    )


def _groupings(codes: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Yield every set of columns to keep, with the class of every record.

    `codes` holds a row per column. Classes are numbered from 0.
    """
    m, distinct = codes.shape
    open_sets = [(0, 0, np.zeros(distinct, dtype=np.int64))] if distinct else []
    while open_sets:
        kept, column, classes = open_sets.pop()
        yield kept, classes
        for j in range(column, m):
            keys = classes * (int(codes[j].max()) + 1) + codes[j]
            finer = np.unique(keys, return_inverse=True)[1].reshape(distinct)
            open_sets.append((kept | 1 << j, j + 1, finer.astype(np.int64)))


def _value(
    codes: IntArray,
    copies: IntArray,
    weights: IntArray,
    kept: int,
    classes: IntArray,
    k: int,
    scale: int,
) -> int:
    """Return the sum of max(0, V_p) over the patterns that keep these columns.

    Records are sorted by decreasing weight.
    """
    m, distinct = codes.shape
    order = np.argsort(classes, kind="stable")
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    lengths = np.diff(starts, append=distinct)
    sorted_copies = copies[order]
    before = np.cumsum(sorted_copies) - sorted_copies
    before -= np.repeat(before[starts], lengths)
    terms = weights[order] - scale * (m - kept.bit_count())
    forced = np.clip(k - before, 0, sorted_copies)
    taken = np.where(terms > 0, sorted_copies, forced)
    values = np.add.reduceat(taken * terms, starts)
    support = np.add.reduceat(sorted_copies, starts)
    value = 0
    for g in np.flatnonzero((values > 0) & (support >= k)):
        members = order[starts[g] : starts[g] + lengths[g]]
        if not _has_constant_star(codes, members, kept):
            value += int(values[g])
    return value


def _has_constant_star(codes: IntArray, members: IntArray, kept: int) -> bool:
    """Tell whether the records agree on a column that is not kept."""
    return any(
        not kept >> j & 1 and bool((codes[j][members] == codes[j][members[0]]).all())
        for j in range(len(codes))
    )


FORMS: Final[Forms] = TABLES

NODE_FORM: Final = NODE_OF_PATTERNS
