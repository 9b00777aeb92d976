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
from math import comb

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.compiled.compile import compiled

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
    sizes = np.arange(k, min(records.n, 2 * k - 1) + 1)
    counts = [comb(records.n, size) for size in sizes.tolist()]
    starts = np.append(0, np.cumsum(np.repeat(sizes, counts)))
    weights = np.empty(len(starts) - 1, dtype=np.int64)
    members = np.empty(starts[-1], dtype=np.int32)
    _list_subsets(codes, starts, weights, members)
    return SetSystem(weights, starts, members)


@compiled
def _list_subsets(
    codes: Int32Array,  # [row, column]
    starts: IntArray,  # [set]
    weights: IntArray,  # [set], to be written
    members: Int32Array,  # to be written
) -> None:
    """Write all sets of rows of the given sizes, in the order of their rows."""
    n, m = codes.shape
    size = 0
    for s in range(len(weights)):
        low, high = starts[s], starts[s + 1]
        if high - low != size:
            size = high - low
            members[low:high] = np.arange(size)
        else:
            # The last row that can be a later one is the next, and those after it.
            members[low:high] = members[low - size : low]
            last = high - 1
            while members[last] == n - (high - last):
                last -= 1
            members[last:high] = members[last] + 1 + np.arange(high - last)
        weights[s] = 0
        for j in range(m):
            first = codes[members[low], j]
            for i in range(low + 1, high):
                if codes[members[i], j] != first:
                    weights[s] += 1
                    break


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
