"""All groups that a solution of less than a given cost may have, listed one by one.

Let u be weights of the records that prove the bound L; see
:mod:`atleastk.solvers.tables.multipliers`. The *reduced cost* of a group S of
pattern p is the sum of c_p - u_t over its rows.

Theorem
-------
A solution with a group S costs at least L plus the reduced cost of S.

Proof. With the other groups of pattern p merged into S', the rows of p are worth the
values of S and of S' together, and L subtracts max(0, V_p). If S' is not empty then it
is worth V_p at most. So the cost exceeds L by max(0, V_p) less both values, hence by at
least the reduced cost of S.

So solutions of cost below B consist of groups of reduced cost B - 1 - L at most. They
are found by depth-first search, pattern by pattern, over the records in the order of
their weights. Groups have k to 2k-1 rows, and are listed only with the pattern that
keeps exactly the columns they share. A pattern of too many groups is left to the
variables of :mod:`atleastk.solvers.tables.reduced_model`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import arrange
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import Multipliers


class Pool(NamedTuple):
    """Groups of records, of which every mark is a pattern.

    `complete` says of every pattern whether all its groups that may be needed are
    listed. The others have none.
    """

    groups: Groups
    complete: BoolArray


class _Wanted(NamedTuple):
    """Which groups to list: k to 2k-1 rows, of reduced cost `spare` at most.

    A pattern of more than `per_pattern` such groups, or whose search would take more
    than `steps`, is left out, and so is one that would lead to more than `most` groups
    in all; unless `partly`, nothing is listed after it.
    """

    k: int
    spare: int
    per_pattern: int
    most: int
    steps: int
    partly: bool


class _Table(NamedTuple):
    """The records, and the patterns that they match.

    Of every record: its codes, copies, weight, and place by decreasing weight. Of every
    pattern: what a row pays, the columns kept as bits, and its records: those of p are
    ``members[starts[p]]`` to ``members[starts[p + 1] - 1]``.
    """

    codes: Int32Array
    copies: IntArray
    weights: IntArray
    rank: IntArray
    prices: IntArray
    kept: IntArray
    starts: IntArray
    members: Int32Array


class _Line(NamedTuple):
    """The rows that match a pattern in a line, those of least reduced cost first.

    Equal rows are neighbours, at most 2k-1 of them. The row at place i is of
    ``record[i]`` and has the reduced cost ``loss[i]``; the next other record begins at
    ``following[i]``; ``sums[i]`` is the reduced cost of all rows before it. ``chosen``
    lists the places of the rows of a group; records are sorted in ``order`` and
    ``key``.
    """

    order: IntArray
    key: IntArray
    record: IntArray
    loss: IntArray
    following: IntArray
    sums: IntArray
    chosen: IntArray


class _Groups(NamedTuple):
    """The groups listed so far, and room for more.

    ``copies[i]`` copies of ``record[i]`` are in group g, for i from ``ends[g]`` to
    ``ends[g + 1] - 1``.
    """

    pattern: IntArray
    ends: IntArray
    record: IntArray
    copies: IntArray


def no_groups(table: ListedTable) -> Pool:
    """Return an empty pool: no pattern is complete."""
    nowhere = np.zeros(table.patterns.count, dtype=np.bool_)
    return Pool(Groups.listed(0, (), ()), nowhere)


def list_groups(
    table: ListedTable,
    known: Multipliers,
    below: int,
    budget: Budget,
    most_per_pattern: int,
    most: int,
    *,
    partly: bool = True,
) -> Pool:
    """Return the groups of all solutions that cost less than `below`.

    They come pattern by pattern, in each in the order of the search. Patterns of more
    than `most_per_pattern` groups are not complete in the pool; nor are those that
    would lead to more than `most` groups, or that the budget left over. Unless
    `partly`, nothing is listed after the first of these.
    """
    patterns, records, k = table.patterns, table.records, table.k
    weights, scale = known.weights, known.scale
    # A search has a hundred steps for each group that a pattern may have.
    spare, steps = (below - 1) * scale - known.total, 100 * most_per_pattern
    wanted = _Wanted(k, spare, most_per_pattern, most, steps, partly)
    rank = np.empty(records.distinct, dtype=np.int64)
    rank[np.argsort(-weights, kind="stable")] = np.arange(records.distinct)
    largest = 2 * wanted.k - 1
    longest = int(np.diff(patterns.starts).max(initial=0))
    rows = int(np.minimum(records.copies, largest).sum())
    order, key = np.zeros((2, longest), dtype=np.int64)
    record, loss, following, sums = np.zeros((4, rows + 1), dtype=np.int64)
    chosen = np.zeros(largest, dtype=np.int64)
    line = _Line(order, key, record, loss, following, sums, chosen)
    by_pattern = patterns.kept, patterns.starts, patterns.records
    of_records = records.codes, records.copies, weights, rank
    own = _Table(*of_records, table.prices(scale), *by_pattern)
    with budget.flagging() as flag:
        complete, groups, found = _list(own, wanted, line, flag)
    pattern, ends = groups.pattern[:found].copy(), groups.ends[: found + 1]
    record, copies = (array[: ends[-1]] for array in (groups.record, groups.copies))
    sizes = np.diff(np.append(0, np.cumsum(copies))[ends])
    cost = sizes * patterns.stars[pattern].astype(np.int64)
    listed = Groups.of(records.distinct, ends, record, cost, pattern, copies)
    return Pool(listed, complete)


@compiled
def _list(
    table: _Table, wanted: _Wanted, line: _Line, flag: ByteArray
) -> tuple[BoolArray, _Groups, int]:
    """Return which patterns are complete, all groups of these, and their number."""
    complete = np.zeros(len(table.prices), dtype=np.bool_)
    groups = _Groups(
        np.empty(1024, dtype=np.int64),
        np.zeros(1025, dtype=np.int64),
        np.empty(8192, dtype=np.int64),
        np.empty(8192, dtype=np.int64),
    )
    found = 0
    # Pattern by pattern; what is listed of one that is not complete is dropped.
    for p in range(len(table.prices)):
        begun = found
        length, gains = _line_up(table, p, 2 * wanted.k - 1, line)
        groups, found, complete[p] = _search(
            p, length, gains, table, wanted, line, groups, found, flag
        )
        if not complete[p]:
            found = begun
            if not wanted.partly:
                break
    return complete, groups, found


@inlined
def _line_up(table: _Table, p: int, most: int, line: _Line) -> tuple[int, int]:
    """Line up the rows that match a pattern, at most `most` equal ones.

    Returns their number, and how many of them, the first, have negative reduced costs.
    """
    begin, count = table.starts[p], table.starts[p + 1] - table.starts[p]
    for i in range(count):
        line.order[i] = table.members[begin + i]
        line.key[i] = table.rank[line.order[i]]
    arrange(line.order, line.key, count)
    at = gains = 0
    for i in range(count):
        r = line.order[i]
        loss, end = table.prices[p] - table.weights[r], at + min(table.copies[r], most)
        for place in range(at, end):
            line.record[place], line.loss[place], line.following[place] = r, loss, end
            line.sums[place + 1] = line.sums[place] + loss
        at = end
        if loss < 0:
            gains = end
    return at, gains


@inlined
def _search(
    p: int,
    length: int,
    gains: int,
    table: _Table,
    wanted: _Wanted,
    line: _Line,
    groups: _Groups,
    found: int,
    flag: ByteArray,
) -> tuple[_Groups, int, bool]:
    """Add the groups of a pattern, by depth-first search over the rows in line.

    Returns all groups, their number, and whether this pattern is complete.
    """
    k, spare, largest, begun = wanted.k, wanted.spare, 2 * wanted.k - 1, found
    loss, sums, following, chosen = line.loss, line.sums, line.following, line.chosen
    size = missed = at = 0
    for _ in range(wanted.steps):
        if flag[0] != 0:
            break
        # The least reduced cost of a group with rows from this place on: it takes
        # those up to k, and all further ones of negative reduced cost.
        needed = max(1, k - size)
        further = min(max(needed, gains - at), largest - size, length - at)
        least = missed
        if further >= needed:
            least += sums[at + further] - sums[at]
        if further < needed or least > spare:
            # All groups that begin with these rows are listed: the last one goes, and
            # with it all that are equal to it.
            if size == 0:
                return groups, found, True
            size -= 1
            missed -= loss[chosen[size]]
            at = following[chosen[size]]
            continue
        chosen[size] = at
        size += 1
        missed += loss[at]
        at += 1
        if size < k or missed > spare:
            continue
        if _keeps(table.codes, line.record, chosen, size) != table.kept[p]:
            continue
        if found - begun == wanted.per_pattern or found == wanted.most:
            break
        used = groups.ends[found] + size
        if found + 1 == len(groups.pattern) or used > len(groups.record):
            groups = _longer(groups, found, size)
        _add(groups, found, p, line.record, chosen, size)
        found += 1
    return groups, found, False


@inlined
def _longer(groups: _Groups, found: int, size: int) -> _Groups:
    """Return the same groups with room for one more of `size` rows."""
    pattern, ends, record, copies = groups
    if found + 1 == len(pattern):
        pattern = longer(pattern, 2 * len(pattern))
        ends = longer(ends, len(pattern) + 1)
    if ends[found] + size > len(record):
        record = longer(record, 2 * len(record) + size)
        copies = longer(copies, len(record))
    return _Groups(pattern, ends, record, copies)


@inlined
def _add(
    groups: _Groups, found: int, p: int, row: IntArray, chosen: IntArray, size: int
) -> None:
    used = groups.ends[found]
    for i in range(size):
        r = row[chosen[i]]
        if i > 0 and groups.record[used - 1] == r:
            groups.copies[used - 1] += 1
        else:
            groups.record[used], groups.copies[used] = r, 1
            used += 1
    groups.pattern[found] = p
    groups.ends[found + 1] = used


@inlined
def _keeps(codes: Int32Array, row: IntArray, chosen: IntArray, size: int) -> int:
    """Return the columns, as bits, on which the chosen rows agree."""
    columns = 0
    for j in range(codes.shape[1]):
        for i in range(1, size):
            if codes[row[chosen[i]], j] != codes[row[chosen[0]], j]:
                break
        else:
            columns |= 1 << j
    return columns
