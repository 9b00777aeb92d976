"""Encodings of k-anonymity as linear models over bounded integers.

- *Patterns* [Chakaravarthy10, section 4]: x_pt copies of record t get the pattern p,
  which is open (y_p = 1) or closed. Good wherever closed patterns can be listed; its LP
  bound is that of set partitioning over all groups.
- *Leaders* (:mod:`~atleastk.models.encodings.leaders`): only 0/1 variables, rows and
  cells but no patterns: good for few rows of however many columns.

Both are exact.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import Int32Array, IntArray, by_label
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.models.deals import Entries, entries_of, in_rows, solution_of_entries
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.leaders import Leaders, split_groups
from atleastk.models.linear import ArrayModelBuilder, LinearModelBuilder
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import Patterns


def pattern_model(
    records: Records, k: int, patterns: Patterns, most_dropped: int = 0
) -> Encoding:
    """Return the model that assigns a pattern to every copy of every record.

    Exact if all closed patterns are listed. The records may be distinguished further
    than by their codes. The variables x_pt come first, in the order of
    ``patterns.records``, then y_p:

    minimise  sum of stars_p x_pt, times the weight of t.

    So many rows may be dropped: they are in no group, and pay nothing. They are z_t
    copies of record t, sum_p x_pt + z_t = copies of t, and these come last.
    """
    builder, pairs = ArrayModelBuilder(), patterns.pairs
    record = patterns.records.astype(np.int64)
    most = records.copies[record]
    dropped = assign_patterns(builder, records, k, patterns, most, most_dropped)
    pattern = patterns.pattern
    paid = patterns.stars[pattern] * records.worth[record]
    model = builder.build((np.arange(pairs), paid))

    def decode(values: IntArray) -> Solution:
        used = values[:pairs].nonzero()[0]
        entries = Entries(pattern[used], record[used], values[used])
        return solution_of_entries(records, entries)

    def encode(solution: Solution) -> IntArray | None:
        known = entries_of(records, solution)
        values = np.zeros(model.columns, dtype=np.int64)
        left = records.copies.copy()
        np.subtract.at(left, known.record, known.copies)
        for group in by_label(known.group):
            held, copies = known.record[group], known.copies[group]
            own = np.unique(held)
            chosen = _pattern_of(records.codes[own], own[0], patterns, pattern)
            if chosen is None or copies.sum() < k:
                return None
            start, end = patterns.starts[chosen : chosen + 2]
            places = start + np.searchsorted(patterns.records[start:end], held)
            np.add.at(values, places, copies)
            values[pairs + chosen] = 1
        if len(dropped):
            values[dropped] = left
        return values

    return Encoding(model, decode, encode)


def assign_patterns(
    builder: ArrayModelBuilder,
    records: Records,
    k: int,
    patterns: Patterns,
    most: IntArray,
    most_dropped: int = 0,
) -> IntArray:
    """Add the variables x_pt, at most these copies, and y_p, with their rows.

    Returns the variables z_t of dropped copies, if there may be any.

    - sum over p of x_pt (and z_t) = copies of t,
    - sum over t of x_pt >= k y_p,
    - x_pt <= copies of t * y_p.
    """
    every, pattern = np.arange(patterns.count), patterns.pattern
    record = patterns.records.astype(np.int64)
    x, y = builder.variables(most), builder.variables(np.ones_like(every))
    copies = records.copies
    z = builder.variables(copies if most_dropped else [])
    every_one = (record, x, 1), (np.arange(len(z)), z, 1)
    builder.add(records.distinct, *every_one, at_least=copies, at_most=copies)
    builder.add(patterns.count, (pattern, x, 1), (every, y, -k), at_least=0)
    builder.add(patterns.pairs, (x, x, 1), (x, y[pattern], -copies[record]), at_most=0)
    if len(z):
        builder.add(1, (0, z, 1), at_most=min(most_dropped, records.n))
    return z


def leader_model(instance: KAnonymity) -> Encoding:
    """Rows are led by the first row of their group, and cells are suppressed.

    Variables: l_i_j, row i is led by row j <= i; z_i_c, cell c of row i is suppressed.

    minimise    sum_{i,c} z_i_c
    subject to  sum_j l_i_j = 1                                 for every row i,
                l_i_j <= l_j_j                                  for all i > j,
                (k - 1) l_j_j <= sum_{i>j} l_i_j <= (2k - 2) l_j_j,
                z_i_c >= l_i_j,  z_j_c >= l_i_j                 if i and j differ in c,
                |z_i_c - z_j_c| <= 1 - l_i_j                    if they agree in c,
                sum_c z_i_c >= sum_j loss_ij l_i_j              implied.
    """
    k = instance.k
    codes = instance.records.of_rows
    builder = LinearModelBuilder()
    hidden = [
        [[builder.variable(0, 1, 1, "z", i, j)] for j in range(instance.m)]
        for i in range(instance.n)
    ]
    apart = codes[:, None] != codes
    leaders = Leaders(builder, hidden, apart, [1] * instance.m, k)
    model = builder.build()

    def encode(solution: Solution) -> IntArray | None:
        groups = in_rows(instance, solution).groups
        if any(len(group) < k for group in groups):
            return None
        parts = split_groups(groups, k)
        entries = list(leaders.entries(parts))
        for group in parts:
            differing = (codes[group] != codes[group[0]]).any(axis=0).nonzero()[0]
            entries += [(hidden[row][c][0], 1) for row in group for c in differing]
        return point(model.columns, entries)

    return Encoding(model, lambda values: Solution.of(leaders.groups(values)), encode)


def _pattern_of(
    codes: Int32Array, first: int, patterns: Patterns, pattern: IntArray
) -> int | None:
    """Return the pattern of the columns on which records agree; None if not listed.

    `first` is one of the records.
    """
    constant = (codes == codes[0]).all(axis=0)
    kept = sum(1 << int(column) for column in constant.nonzero()[0])
    matching = pattern[patterns.records == first]
    found = matching[patterns.kept[matching] == kept]
    return int(found[0]) if len(found) else None


LEADERS: Final = Formulation("leaders", leader_model)
