"""Encodings of k-anonymity as linear models over bounded integers.

- *Patterns* [Chakaravarthy10, section 4]: x_pt copies of record t get the pattern p,
  which is open (y_p = 1) or closed. Good wherever closed patterns can be listed; its LP
  bound is that of set partitioning over all groups.
- *Leaders*: every row is led by the first row of its group. Only 0/1 variables, rows
  and cells but no patterns: good for few rows of however many columns.

Both are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.linear import INFINITE, LinearModel, LinearModelBuilder
from atleastk.models.tables.patterns import Patterns
from atleastk.packages import sparse


def pattern_model(records: Records, k: int, patterns: Patterns) -> Encoding:
    """Return the model that assigns a pattern to every copy of every record.

    Exact if all closed patterns are listed. The records may be distinguished further
    than by their codes. The variables x_pt come first, in the order of
    ``patterns.records``, then y_p:

    minimise  sum of stars_p x_pt, times the weight of t,   subject to

    - sum over p of x_pt = copies of t,
    - sum over t of x_pt >= k y_p,
    - x_pt <= copies of t * y_p.
    """
    pairs, count = patterns.pairs, patterns.count
    pattern = np.repeat(np.arange(count), np.diff(patterns.starts))
    record = patterns.records.astype(np.int64)
    limit = records.copies[record]
    entries = np.arange(pairs)
    opened = pairs + pattern
    ones = np.ones(pairs, dtype=np.int64)
    first, last = records.distinct, records.distinct + count
    linked = last + entries
    everywhere = np.arange(count)
    data, rows, columns = (
        np.concatenate(parts)
        for parts in (
            (ones, ones, np.full(count, -k, dtype=np.int64), ones, -limit),
            (record, first + pattern, first + everywhere, linked, linked),
            (entries, entries, pairs + everywhere, entries, opened),
        )
    )
    shape = (last + pairs, pairs + count)
    unbounded = np.full(pairs, INFINITE, dtype=np.int64)
    zeros = np.zeros(count + pairs, dtype=np.int64)
    model = LinearModel(
        objective=np.concatenate(
            (patterns.stars[pattern] * records.worth[record], zeros[:count])
        ),
        lower=np.zeros(shape[1], dtype=np.int64),
        upper=np.concatenate((limit, np.ones(count, dtype=np.int64))),
        rows=sparse.csr_array(sparse.coo_array((data, (rows, columns)), shape=shape)),
        row_lower=np.concatenate((records.copies, zeros[:count], -unbounded)),
        row_upper=np.concatenate(
            (records.copies, np.full(count, INFINITE, dtype=np.int64), zeros[:pairs])
        ),
    )

    def decode(values: IntArray) -> list[list[int]]:
        used = values[:pairs].nonzero()[0]
        home = records.row_groups(pattern[used], record[used], values[used])
        return _grouped(home)

    def encode(groups: Sequence[Sequence[int]]) -> IntArray | None:
        entries: list[tuple[int, int]] = []
        for group in groups:
            rows = records.record_of[list(group)]
            own, copies = np.unique(rows, return_counts=True)
            chosen = _pattern_of(records.codes[own], own[0], patterns, pattern)
            if chosen is None or len(group) < k:
                return None
            start, end = patterns.starts[chosen : chosen + 2]
            places = start + np.searchsorted(patterns.records[start:end], own)
            entries += zip(places.tolist(), copies.tolist(), strict=True)
            entries.append((pairs + chosen, 1))
        values = point(shape[1], entries)
        np.minimum(values, model.upper, out=values)
        return values

    return Encoding(model, decode, encode)


def leader_model(instance: KAnonymity) -> Encoding:
    """Return the model in which every row is led by the first row of its group.

    0/1 variables l_ij (row i is led by row j <= i) and s_ic (cell c of row i is
    suppressed), 2k-1 rows to a leader at most:

    - every row has one leader, who leads itself and k-1 to 2k-2 others;
    - a leader's cell is suppressed if it differs from that of a row it leads;
    - the cells of a row are suppressed as those of its leader.

    Valid inequalities, for the relaxation: a row loses at least the cells in which it
    differs from its leader, and from its k-1 nearest rows.
    """
    n, m, k = instance.n, instance.m, instance.k
    codes = instance.records.codes[instance.records.record_of]
    apart = (codes[:, None, :] != codes[None, :, :]).sum(axis=2)
    least = np.sort(apart, axis=1)[:, k - 1] if n >= k else np.full(n, m)
    builder = LinearModelBuilder()
    hidden = [[builder.variable(0, 1, 1) for _ in range(m)] for _ in range(n)]
    leads = [
        [builder.variable(0, 1) for _ in range(min(i, n - k) + 1)] for i in range(n)
    ]
    for i in range(n):
        builder.equation(leads[i], 1, 1)
        losses = [max(least[i], least[j], apart[i, j]) for j in range(len(leads[i]))]
        builder.row(
            [*hidden[i], *leads[i]], [1] * m + [-int(x) for x in losses], at_least=0
        )
    for j in range(n - k + 1):
        led = [leads[i][j] for i in range(j + 1, n)]
        builder.row([*led, leads[j][j]], [1] * len(led) + [1 - k], at_least=0)
        builder.row([*led, leads[j][j]], [1] * len(led) + [2 - 2 * k], at_most=0)
        for i, column in product(range(j + 1, n), range(m)):
            here, there = hidden[i][column], hidden[j][column]
            if codes[i, column] != codes[j, column]:
                builder.row([here, leads[i][j]], [1, -1], at_least=0)
                builder.row([there, leads[i][j]], [1, -1], at_least=0)
            else:
                builder.row([here, there, leads[i][j]], [1, -1, -1], at_least=-1)
        for i in range(j + 1, n):
            builder.row([leads[j][j], leads[i][j]], [1, -1], at_least=0)
    model = builder.build()

    def decode(values: IntArray) -> list[list[int]]:
        home = [
            next(j for j, variable in enumerate(row) if values[variable])
            for row in leads
        ]
        return _grouped(np.array(home, dtype=np.int64))

    def encode(groups: Sequence[Sequence[int]]) -> IntArray | None:
        if any(len(group) < k for group in groups):
            return None
        entries: list[tuple[int, int]] = []
        for group in split_groups(groups, k):
            differing = (codes[group] != codes[group[0]]).any(axis=0).nonzero()[0]
            entries += [(leads[row][group[0]], 1) for row in group]
            entries += [(hidden[row][c], 1) for row in group for c in differing]
        return point(model.columns, entries)

    return Encoding(model, decode, encode)


def split_groups(groups: Sequence[Sequence[int]], k: int) -> list[list[int]]:
    """Split groups of at least k rows into groups of k..2k-1, each sorted."""
    parts: list[list[int]] = []
    for group in groups:
        rows = sorted(group)
        cuts = [*range(0, max(1, len(rows) // k) * k, k), len(rows)]
        parts.extend(rows[start:end] for start, end in pairwise(cuts))
    return parts


def _grouped(home: IntArray) -> list[list[int]]:
    order = np.argsort(home, kind="stable")
    ends = np.flatnonzero(np.diff(home[order])) + 1
    return [rows.tolist() for rows in np.split(order, ends) if len(rows)]


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
