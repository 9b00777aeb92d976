"""All groups that a solution of less than a given cost may have, listed one by one.

Let u be weights of the records that prove the bound L; see
:mod:`atleastk.solvers.k_anonymity.multipliers`. A group S of pattern p misses its
weights by the sum of c_p - u_t over its rows.

Theorem
-------
A solution with a group S costs at least L plus what S misses.

Proof. With the other groups of pattern p merged into S', the rows of p are worth the
values of S and of S' together, and L took off max(0, V_p). If S' is not empty then it
is worth V_p at most. So the cost exceeds L by max(0, V_p) less both values, hence by at
least what S misses.

So solutions of cost below B consist of groups that miss no more than B - 1 - L. They
are found by depth-first search, pattern by pattern, over the records in the order of
their weights. Groups have k to 2k-1 rows, and are listed only with the pattern that
keeps exactly what they keep. A pattern of too many groups is left to the variables of
:mod:`atleastk.solvers.k_anonymity.reduced_model`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.records import Records
from atleastk.models.patterns import Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.k_anonymity.multipliers import Multipliers

__all__ = ["Pool", "list_groups", "no_groups"]


_STEPS: Final = 100
"""Of a search, for every group that a pattern may have at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Groups, each a set of records with copies.

    Attributes
    ----------
    complete
        For every pattern, whether all its groups that may be needed are listed. The
        others have none.
    pattern
        The pattern of every group.
    starts, record, copies
        ``copies[i]`` copies of ``record[i]`` are in group g, for i from ``starts[g]``
        to ``starts[g + 1] - 1``.
    """

    complete: BoolArray
    pattern: IntArray
    starts: IntArray
    record: IntArray
    copies: IntArray

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.pattern)

    @property
    def sizes(self) -> IntArray:
        """The number of rows of every group."""
        if not self.count:
            return np.zeros(0, dtype=np.int64)
        sizes: IntArray = np.add.reduceat(self.copies, self.starts[:-1])
        return sizes

    @property
    def group(self) -> IntArray:
        """The group of every entry."""
        return np.repeat(np.arange(self.count), np.diff(self.starts))

    def only(self, chosen: BoolArray) -> Pool:
        """Return the chosen groups."""
        entries = np.repeat(chosen, np.diff(self.starts))
        lengths = np.diff(self.starts)[chosen]
        return Pool(
            self.complete,
            self.pattern[chosen],
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            self.record[entries],
            self.copies[entries],
        )


def no_groups(patterns: Patterns) -> Pool:
    """Return the pool that leaves everything to the patterns."""
    nothing = np.zeros(0, dtype=np.int64)
    everywhere = np.zeros(patterns.count, dtype=np.bool_)
    return Pool(everywhere, nothing, np.zeros(1, dtype=np.int64), nothing, nothing)


def list_groups(
    patterns: Patterns,
    records: Records,
    k: int,
    multipliers: Multipliers,
    below: int,
    budget: Budget,
    most_per_pattern: int,
    most: int,
) -> Pool:
    """Return the groups of all solutions that cost less than `below`.

    Patterns of more than `most_per_pattern` groups are not complete in the pool; nor
    are those that would lead to more than `most` groups, or that the budget left over.
    """
    spare = (below - 1) * multipliers.scale - multipliers.total
    with budget.flagging() as flag:
        complete, pattern, ends, record, copies = _list(
            records.codes,
            records.copies,
            multipliers.weights,
            multipliers.scale * patterns.stars.astype(np.int64),
            patterns.starts,
            patterns.records,
            patterns.kept,
            k,
            spare,
            most_per_pattern,
            most,
            flag,
        )
    return Pool(complete, pattern, ends, record, copies)


@compiled
def _list(
    codes: Int32Array,
    supply: IntArray,
    weights: IntArray,
    prices: IntArray,
    starts: IntArray,
    members: Int32Array,
    kept: IntArray,
    k: int,
    spare: int,
    most_per_pattern: int,
    most: int,
    flag: ByteArray,
) -> tuple[BoolArray, IntArray, IntArray, IntArray, IntArray]:
    """Return which patterns are complete; pattern, ends, records, copies of groups."""
    complete = np.zeros(len(prices), dtype=np.bool_)
    pattern = np.empty(1024, dtype=np.int64)
    ends = np.zeros(1025, dtype=np.int64)
    record = np.empty(8192, dtype=np.int64)
    copies = np.empty(8192, dtype=np.int64)
    found = 0
    largest = 2 * k - 1
    chosen = np.empty(largest, dtype=np.int64)
    for p in range(len(prices)):
        begun = found
        matching = members[starts[p] : starts[p + 1]]
        length = 0
        for r in matching:
            length += min(supply[r], largest)
        # The rows that match, the least missed first; equal ones are neighbours.
        row = np.empty(length, dtype=np.int64)
        loss = np.empty(length, dtype=np.int64)
        following = np.empty(length, dtype=np.int64)
        sums = np.zeros(length + 1, dtype=np.int64)
        gains = at = 0
        for i in np.argsort(-weights[matching], kind="mergesort"):
            r = matching[i]
            end = at + min(supply[r], largest)
            while at < end:
                row[at], loss[at], following[at] = r, prices[p] - weights[r], end
                sums[at + 1] = sums[at] + loss[at]
                at += 1
            if prices[p] < weights[r]:
                gains = end
        size = missed = at = steps = 0
        whole = True
        while whole:
            steps += 1
            if steps > _STEPS * most_per_pattern or flag[0] != 0:
                whole = False
                break
            needed = max(1, k - size)
            further = min(max(needed, gains - at), largest - size, length - at)
            least = missed
            if further >= needed:
                least += sums[at + further] - sums[at]
            if further < needed or least > spare:
                if size == 0:
                    break
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
            if _keeps(codes, row, chosen, size) != kept[p]:
                continue
            if found - begun == most_per_pattern or found == most:
                whole = False
                break
            used = ends[found]
            if found + 1 == len(pattern):
                pattern = longer(pattern, 2 * len(pattern))
                ends = longer(ends, len(pattern) + 1)
            if used + size > len(record):
                record = longer(record, 2 * len(record) + size)
                copies = longer(copies, len(record))
            for i in range(size):
                r = row[chosen[i]]
                if i > 0 and record[used - 1] == r:
                    copies[used - 1] += 1
                else:
                    record[used], copies[used] = r, 1
                    used += 1
            pattern[found] = p
            found += 1
            ends[found] = used
        complete[p] = whole
        if not whole:
            found = begun
    used = ends[found]
    return (
        complete,
        pattern[:found].copy(),
        ends[: found + 1].copy(),
        record[:used].copy(),
        copies[:used].copy(),
    )


@compiled
def _keeps(codes: Int32Array, row: IntArray, chosen: IntArray, size: int) -> int:
    """Return the columns, as bits, on which the chosen rows agree."""
    columns = 0
    for j in range(codes.shape[1]):
        same = True
        for i in range(1, size):
            if codes[row[chosen[i]], j] != codes[row[chosen[0]], j]:
                same = False
                break
        if same:
            columns |= 1 << j
    return columns
