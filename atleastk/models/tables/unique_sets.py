"""Smallest unique sets of columns: what tells a row apart, alone and together.

Definition
----------
A set of columns *singles out* a row if the row has a value in each of them - a missing
one is none - and no other row has the same values there. It is a *smallest* one (a
minimal sample unique [Elliot02]) if no proper subset of it singles the row out. A row
of two smallest columns is easier to find than one of five: less has to be known.

All sets of up to s columns are gone through, size by size, on the distinct records of
the table. On every set S the records that share their values with another one are kept:

*Lemma.* Let S have more than one column, and let K be the records that are kept on all
S - j. A record is singled out by S, and by no proper subset, exactly if it is in K, has
one copy, and no other record of K has its values on S. Proof: who agrees with a record
on S agrees with it on every subset, so both are in K. A record outside K with a value
in all of S agrees with none on some S - j: with one copy it is singled out there, with
more nobody is, then or later.

So what smaller sets single out is never looked at again. A set is one pass over K: by
counting if the values have few combinations, else by sorting [Manning08 goes through
the same sets depth first].

Complexity
----------
O(C(m, s) n) looks at records in the worst case, m columns. Sizes that would take more
than a limit are left out as a whole, so that counts of the others are exact.

References
----------
[Elliot02] M. J. Elliot, A. M. Manning, R. W. Ford, A computational algorithm for
handling the special uniques problem. International Journal of Uncertainty, Fuzziness
and Knowledge-based Systems 10 (2002) 493-509.
[Manning08] A. M. Manning, D. J. Haglin, J. A. Keane, A recursive search algorithm for
statistical disclosure assessment. Data Mining and Knowledge Discovery 16 (2008)
165-196: SUDA2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, Int32Array, IntArray
from atleastk.instances.records import Records

Columns = tuple[int, ...]
"""A set of columns, by their numbers, ascending."""

_FEW: Final = 4
"""Combinations of values for every record up to which counting is faster than sorting:
measured at a million records."""

_MOST_SPREAD: Final = 2**62
"""Keys of combinations stay below this."""


@dataclass(frozen=True, slots=True, eq=False)
class UniqueSets:
    """The smallest unique sets of the rows of a table."""

    rows_of: Mapping[Columns, int]
    """How many rows each set of columns is a smallest one of, if any."""
    smallest: IntArray
    """For every row the size of its smallest sets; 0 if none of up to `size` columns
    singles it out."""
    together: tuple[int, ...]
    """For every column, how many rows have it in a smallest set of two columns or
    more."""
    size: int
    """The size up to which all sets were looked at."""
    unlooked: int | None = None
    """The looks at records that the next size would have taken, if the limit left it
    out; None otherwise."""

    @property
    def by_size(self) -> dict[int, int]:
        """How many rows have smallest sets of each size, from 1 to `size`."""
        counts = np.bincount(self.smallest, minlength=self.size + 1).tolist()
        return dict(enumerate(counts[1:], 1))

    @property
    def left(self) -> int:
        """How many rows no set of up to `size` columns singles out."""
        return int((self.smallest == 0).sum())


def unique_sets(
    records: Records, missing: BoolArray, most: int, looks: int
) -> UniqueSets:
    """Return the smallest unique sets of up to `most` columns.

    `missing` tells which cells of the distinct records are missing values, [record,
    column]; `looks` are the most at records for sets of two columns and more.
    """
    n, m = records.codes.shape
    columns = np.ascontiguousarray(records.codes.T)
    widths = [int(column.max(initial=0)) + 1 for column in columns]
    single = records.copies == 1
    sizes = np.zeros(n, dtype=np.int64)
    joint = np.zeros((m, -(-n // 8)), dtype=np.uint8)
    rows_of: dict[Columns, int] = {}
    kept: dict[Columns, ByteArray] = {(): np.packbits(np.ones(n, dtype=bool))}
    counts: dict[Columns, int] = {(): n}
    size, unlooked = 0, None
    while size < min(most, m):
        candidates = _candidates(kept, m, size + 1)
        needed = sum(
            min(counts[one] for one in _subsets(chosen)) for chosen in candidates
        )
        if size and needed > looks:
            unlooked = needed
            break
        looks -= needed if size else 0
        size += 1
        before, kept, counts = kept, {}, {}
        for chosen in candidates:
            shared = np.bitwise_and.reduce([before[one] for one in _subsets(chosen)])
            there = np.unpackbits(shared, count=n).view(bool)
            if size == 1:
                there &= ~missing[:, chosen[0]]
            at = np.flatnonzero(there)
            alone = _alone(
                [columns[j][at] for j in chosen], [widths[j] for j in chosen]
            )
            found = at[alone & single[at]]
            if len(found):
                rows_of[chosen] = len(found)
                sizes[found] = np.where(sizes[found] == 0, size, sizes[found])
                if size > 1:
                    joint[list(chosen)] |= _bits(found, n)
            rest = at[~alone]
            if len(rest):
                kept[chosen], counts[chosen] = _bits(rest, n), len(rest)
    together = tuple(int(np.unpackbits(bits, count=n).sum()) for bits in joint)
    return UniqueSets(rows_of, sizes[records.record_of], together, size, unlooked)


def _candidates(kept: Mapping[Columns, object], m: int, size: int) -> list[Columns]:
    """Return the sets of a size on whose subsets some records are kept."""
    if size == 1:
        return [(j,) for j in range(m)]
    return [
        (*first, j)
        for first in kept
        for j in range(first[-1] + 1, m)
        if all(one in kept for one in _subsets((*first, j)))
    ]


def _subsets(chosen: Columns) -> Iterator[Columns]:
    """Return the subsets that lack one column."""
    return combinations(chosen, len(chosen) - 1)


def _bits(places: IntArray, n: int) -> ByteArray:
    there = np.zeros(n, dtype=bool)
    there[places] = True
    return np.packbits(there)


def _alone(columns: list[Int32Array], widths: list[int]) -> BoolArray:
    """Tell which records share their values in these columns with no other one."""
    keys, spread = columns[0].astype(np.int64), widths[0]
    for column, width in zip(columns[1:], widths[1:], strict=True):
        if spread * width >= _MOST_SPREAD:
            keys = np.unique(keys, return_inverse=True)[1].reshape(len(keys))
            spread = int(keys.max(initial=0)) + 1
        keys = keys * width + column
        spread *= width
    if spread <= _FEW * len(keys):
        counted: BoolArray = np.bincount(keys, minlength=spread)[keys] == 1
        return counted
    order = np.argsort(keys)
    differs = np.diff(keys[order]) != 0
    alone = np.empty(len(keys), dtype=bool)
    alone[order] = np.append(True, differs) & np.append(differs, True)
    return alone
