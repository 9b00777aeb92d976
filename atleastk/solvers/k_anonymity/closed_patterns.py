"""Closed frequent patterns of a table, mined by prefix-preserving extension.

A closed pattern is extended by one more value, in a column after the last one that it
was extended in, and closed again: the columns that became constant are kept too. If one
of these lies before the extension then the same pattern arises elsewhere, and is
dropped here. So every closed pattern is reached once, from its only parent [LCM: Uno,
Kiyomi, Arimura 2004], and nothing but the patterns themselves has to be kept: the
growing list is its own queue.

Time: O(m) per pair of a pattern and a matching record; space: the pairs.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.instances.errors import NotApplicableError
from atleastk.instances.records import Records
from atleastk.models.patterns import MOST_COLUMNS, Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled

__all__ = ["MOST_PAIRS", "closed_patterns"]

MOST_PAIRS = 80_000_000
"""Pairs take four bytes each, twice that while their list grows."""


def closed_patterns(
    records: Records,
    k: int,
    most_pairs: int = MOST_PAIRS,
    budget: Budget | None = None,
) -> Patterns | None:
    """Return all closed patterns of support at least k, by increasing stars.

    None if they have more than `most_pairs` pairs with matching records, or if the
    budget ends first.

    Raises
    ------
    NotApplicableError
        If the table has more than 62 columns.
    """
    if records.m > MOST_COLUMNS:
        message = f"patterns take at most {MOST_COLUMNS} columns, not {records.m}"
        raise NotApplicableError(message)
    widths = records.codes.max(axis=0, initial=-1).astype(np.int64) + 1
    fewest = min(k, records.n + 1)  # fits 64 bits, and no support is between the two
    with (budget or Budget()).flagging() as flag:
        kept, support, starts, members, complete = _mine(
            records.codes, records.copies, widths, fewest, most_pairs, flag
        )
    if not complete:
        return None
    stars = records.m - np.bitwise_count(kept).astype(np.int32)
    order = np.argsort(stars, kind="stable")
    lengths = np.diff(starts)[order]
    ends = np.concatenate(([0], np.cumsum(lengths)))
    return Patterns(
        stars=stars[order],
        kept=kept[order],
        support=support[order],
        starts=ends,
        records=_gathered(members, starts, order, ends),
        reach=records.m,
    )


@compiled
def _gathered(
    members: Int32Array,
    starts: IntArray,
    order: IntArray,
    ends: IntArray,
) -> Int32Array:
    """Return the members of the patterns in another order."""
    gathered = np.empty(len(members), dtype=np.int32)
    for place in range(len(order)):
        source = starts[order[place]]
        length = ends[place + 1] - ends[place]
        for i in range(length):
            gathered[ends[place] + i] = members[source + i]
    return gathered


@compiled
def _mine(
    codes: Int32Array,
    copies: IntArray,
    widths: IntArray,
    k: int,
    most_pairs: int,
    flag: ByteArray,
) -> tuple[IntArray, IntArray, IntArray, Int32Array, bool]:
    """Return kept columns, support, starts and members; and whether that is all."""
    n, m = codes.shape
    kept = np.empty(1024, dtype=np.int64)
    last = np.empty(1024, dtype=np.int64)
    support = np.empty(1024, dtype=np.int64)
    starts = np.zeros(1025, dtype=np.int64)
    members = np.empty(max(1024, 2 * n), dtype=np.int32)
    widest = 1
    for j in range(m):
        widest = max(widest, widths[j])
    weight = np.zeros(widest, dtype=np.int64)
    length = np.zeros(widest, dtype=np.int64)
    place = np.zeros(widest, dtype=np.int64)
    values = np.empty(widest, dtype=np.int64)
    found = 0
    total = 0
    for r in range(n):
        total += copies[r]
    if n > 0 and total >= k:
        columns = 0
        for j in range(m):
            constant = True
            for r in range(n):
                if codes[r, j] != codes[0, j]:
                    constant = False
                    break
            if constant:
                columns |= 1 << j
        kept[0], last[0], support[0], starts[1] = columns, -1, total, n
        for r in range(n):
            members[r] = r
        found = 1
    parent = 0
    while parent < found:
        low, high = starts[parent], starts[parent + 1]
        for column in range(last[parent] + 1, m):
            if kept[parent] >> column & 1:
                continue
            seen = 0
            for i in range(low, high):
                r = members[i]
                value = codes[r, column]
                if weight[value] == 0:
                    values[seen] = value
                    seen += 1
                weight[value] += copies[r]
                length[value] += 1
            used = starts[found]
            end = used
            for v in range(seen):
                value = values[v]
                if weight[value] >= k:
                    place[value] = end
                    end += length[value]
                else:
                    place[value] = -1
            if end > most_pairs or flag[0] != 0:
                return kept[:0], support[:0], starts[:1], members[:0], False
            if end > len(members):
                larger = np.empty(max(end, 2 * len(members)), dtype=np.int32)
                for i in range(used):
                    larger[i] = members[i]
                members = larger
            if end > used:
                for i in range(low, high):
                    r = members[i]
                    value = codes[r, column]
                    if place[value] >= 0:
                        members[place[value]] = r
                        place[value] += 1
            # Children are kept one after the other; dropped ones are overwritten.
            write = used
            for v in range(seen):
                value = values[v]
                size = length[value]
                if weight[value] >= k:
                    read = place[value] - size
                    columns = kept[parent] | 1 << column
                    own = True
                    for j in range(m):
                        if columns >> j & 1:
                            continue
                        first = codes[members[read], j]
                        constant = True
                        for i in range(read + 1, read + size):
                            if codes[members[i], j] != first:
                                constant = False
                                break
                        if constant:
                            if j < column:
                                own = False
                                break
                            columns |= 1 << j
                    if own:
                        if found + 1 == len(kept):
                            grown = 2 * len(kept)
                            kept = longer(kept, grown)
                            last = longer(last, grown)
                            support = longer(support, grown)
                            starts = longer(starts, grown + 1)
                        if write < read:
                            for i in range(size):
                                members[write + i] = members[read + i]
                        write += size
                        kept[found], last[found] = columns, column
                        support[found] = weight[value]
                        found += 1
                        starts[found] = write
                weight[value] = 0
                length[value] = 0
        parent += 1
    return (
        kept[:found].copy(),
        support[:found].copy(),
        starts[: found + 1].copy(),
        members[: starts[found]].copy(),
        True,
    )
