"""Set systems: what the greedy covers of k-anonymity choose from.

[ParkShim07] covers a table by sets of rows, greedily by weight per new row, and names
the algorithm after the sets that it may choose from:

- all sets of k..2k-1 rows (F, section 4.2): :func:`row_subsets`;
- all frequent itemsets (F_FQ, section 4.3): :func:`frequent_itemsets`;
- closed ones (F_CF, section 4.4), see
  :mod:`atleastk.solvers.tables.closed_patterns`, perhaps only those of few stars:
  :func:`of_patterns`.

The weight a(S) of a set is the number of columns that are not constant on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.records import Records, distinct_rows
from atleastk.models.tables.patterns import Patterns

MOST_SUBSETS = 200_000
"""All subsets of k..2k-1 rows are listed up to this number."""
MOST_PAIRS = 100_000_000
"""Pairs of an itemset and a matching record; they take four bytes each."""


@dataclass(frozen=True, slots=True, eq=False)
class SetSystem:
    """Weighted sets of records: ``members[starts[s]:starts[s + 1]]`` is set s.

    A set holds all copies of its records. Earlier sets win ties.
    """

    weights: IntArray
    starts: IntArray
    members: Int32Array


def subsets_to_list(n: int, k: int) -> int:
    """Return how many sets of k..2k-1 out of n rows there are."""
    return sum(comb(n, size) for size in range(k, min(n, 2 * k - 1) + 1))


def row_subsets(records: Records, k: int) -> SetSystem:
    """Return all sets of k..2k-1 rows; every row is a record of one copy here.

    Rows are numbered as in :attr:`Records.rows`.
    """
    codes = records.codes[records.record_of[records.rows]]
    weights: list[IntArray] = []
    members: list[Int32Array] = []
    lengths: list[int] = []
    for size in range(k, min(records.n, 2 * k - 1) + 1):
        listed = np.array(list(combinations(range(records.n), size)), dtype=np.int32)
        differing = (codes[listed] != codes[listed[:, :1]]).any(axis=1)
        weights.append(differing.sum(axis=1, dtype=np.int64))
        members.append(listed.ravel())
        lengths += [size] * len(listed)
    if not weights:
        return _system([], [], [])
    return SetSystem(np.concatenate(weights), _ends(lengths), np.concatenate(members))


def frequent_itemsets(records: Records, k: int) -> SetSystem:
    """Return all itemsets of support >= k, by increasing number of stars.

    The weight of an itemset is its number of stars, whether it is closed or not.

    Raises
    ------
    NotApplicableError
        If they have too many pairs with records.
    """
    weights: list[int] = []
    lengths: list[int] = []
    members: list[Int32Array] = []
    pairs = 0
    for stars in range(records.m + 1):
        for kept in combinations(range(records.m), records.m - stars):
            for matching in _classes(records, kept, k):
                weights.append(stars)
                lengths.append(len(matching))
                members.append(matching)
                pairs += len(matching)
            if pairs > MOST_PAIRS:
                raise NotApplicableError(
                    f"the frequent itemsets have more than {MOST_PAIRS} pairs with "
                    "records; use closed ones: approx-cf"
                )
    return _system(weights, lengths, members)


def of_patterns(patterns: Patterns, m: int, beta: Fraction) -> SetSystem:
    """Return the closed patterns of less than m / beta stars, and the whole table.

    The closed pattern that all rows match stands for the whole table; with beta = 1
    nothing is left out.
    """
    whole = patterns.support == patterns.support.max(initial=0)
    kept = whole | (patterns.stars * beta.numerator < m * beta.denominator)
    if kept.all():
        members = patterns.records
    else:
        members = patterns.records[np.repeat(kept, np.diff(patterns.starts))]
    lengths = np.diff(patterns.starts)[kept]
    return SetSystem(
        patterns.stars[kept].astype(np.int64), _ends(list(lengths)), members
    )


def _classes(records: Records, kept: tuple[int, ...], k: int) -> Iterator[Int32Array]:
    """Yield the records that agree on some columns, if they have k copies."""
    first, class_of = distinct_rows(records.codes[:, kept])
    support = np.bincount(class_of, records.copies, minlength=len(first))
    order = np.argsort(class_of, kind="stable").astype(np.int32)
    ends = np.cumsum(np.bincount(class_of, minlength=len(first)))
    for c in np.flatnonzero(support >= k):
        yield order[(ends[c - 1] if c else 0) : ends[c]]


def _system(
    weights: list[int], lengths: list[int], members: list[Int32Array]
) -> SetSystem:
    nothing = [np.empty(0, dtype=np.int32)]
    return SetSystem(
        np.array(weights, dtype=np.int64),
        _ends(lengths),
        np.concatenate(members or nothing),
    )


def _ends(lengths: list[int]) -> IntArray:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
