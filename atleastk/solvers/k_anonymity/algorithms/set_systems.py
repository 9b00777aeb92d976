"""Set systems: what the greedy covers of k-anonymity choose from.

[ParkShim07] covers a table by sets of rows, greedily by weight per new row, and names
the algorithm after the sets that it may choose from:

- all sets of k..2k-1 rows (F, section 4.2): :func:`row_subsets`;
- all frequent itemsets (F_FQ, section 4.3), of which :func:`as_itemsets` keeps those
  that can be chosen;
- closed ones (F_CF, section 4.4), see
  :mod:`atleastk.solvers.tables.closed_patterns`, perhaps only those of few stars:
  :func:`of_patterns`.

The weight a(S) of a set is the number of columns that are not constant on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns

MOST_SUBSETS = 200_000
"""All subsets of k..2k-1 rows are listed up to this number."""
_NOTHING: Int32Array = np.empty(0, dtype=np.int32)


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
    weights = [np.empty(0, dtype=np.int64)]
    members = [_NOTHING]
    lengths: list[int] = []
    for size in range(k, min(records.n, 2 * k - 1) + 1):
        listed = np.array(list(combinations(range(records.n), size)), dtype=np.int32)
        differing = (codes[listed] != codes[listed[:, :1]]).any(axis=1)
        weights.append(differing.sum(axis=1, dtype=np.int64))
        members.append(listed.ravel())
        lengths += [size] * len(listed)
    return SetSystem(np.concatenate(weights), _ends(lengths), np.concatenate(members))


def as_itemsets(patterns: Patterns, records: Records) -> SetSystem:
    """Return closed patterns in the order in which itemsets would be enumerated.

    That is by number of stars, then by kept columns, then by their values. An itemset
    that is not closed has the rows of its closure and more stars, so that a greedy
    cover never chooses it: nothing is lost where only closed ones are listed.
    """
    keeps = (patterns.kept[:, None] >> np.arange(records.m) & 1).astype(bool)
    values = np.where(keeps, records.codes[patterns.records[patterns.starts[:-1]]], 0)
    order = np.lexsort((*values.T[::-1], *~keeps.T[::-1], patterns.stars))
    members = [patterns.matching(p) for p in order]
    return SetSystem(
        patterns.stars[order].astype(np.int64),
        _ends([len(each) for each in members]),
        np.concatenate([_NOTHING, *members]),
    )


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


def _ends(lengths: list[int]) -> IntArray:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
