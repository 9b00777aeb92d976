"""Classes of equal rows, counted in compiled loops without a sort.

The codes of a row are the digits of a number, its key. D keys are counted in O(D): by
an array of all numbers where these are few, else by a hash. Keys are parted by the
first bits of theirs, and each part is counted in a table of its own, which is small
enough to be near at hand. All of a class is in one part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import SAFE, BoolArray, Int32Array, IntArray, distinct_places
from atleastk.solvers.compiled.compile import compiled, inlined

_FEW: Final = 2**16
_DENSE: Final = 4
_MANY: Final = 2**21
"""Numbers that an array holds: so many, or times the keys, as long as they are near at
hand."""

_PART: Final = 2**14
"""Keys of a part, or those that are made at a time."""


class Keys(NamedTuple):
    """Numbers of rows that are equal where the rows are."""

    numbers: IntArray  # not negative
    limit: int  # all are below

    @classmethod
    def of(cls, rows: int, columns: Iterable[tuple[Int32Array, Int32Array]]) -> Keys:
        """Return the keys of columns, each with a label for every code."""
        numbers, limit = np.zeros(rows, dtype=np.int64), 1
        digits: list[tuple[Int32Array, IntArray]] = []
        for codes, labels in columns:
            width = int(labels.max(initial=0)) + 1
            if width == 1:
                continue
            if limit * width >= SAFE:
                _add_all(numbers, digits)
                digits, numbers = [], distinct_places(numbers)[1]
                limit = int(numbers.max(initial=0)) + 1
            digits.append((codes, limit * labels.astype(np.int64)))
            limit *= width
        _add_all(numbers, digits)
        return cls(numbers, limit)

    def classes(
        self, copies: IntArray, k: int, most: int = SAFE
    ) -> tuple[IntArray, IntArray] | None:
        """Return a row of each class, and how many copies it has.

        None if those below k have more than `most`, and classes are not much fewer than
        rows.
        """
        none = np.zeros(0, dtype=np.bool_)
        if self.limit > max(_FEW, min(_MANY, _DENSE * len(self.numbers))):
            return self._in_parts(copies, k, most, none)
        firsts, sizes = self._empty()
        places = np.full(self.limit, -1, dtype=np.int32)
        found = _count_places(self.numbers, copies, places, firsts, sizes)
        return firsts[:found], sizes[:found].copy()

    def below(self, copies: IntArray, k: int) -> BoolArray:
        """Tell which rows are in classes of fewer than k copies."""
        found = np.zeros(len(self.numbers), dtype=np.bool_)
        self._in_parts(copies, k, SAFE, found)
        return found

    def share_below(self, copies: IntArray, k: int) -> float:
        """Estimate the share of the copies that are in classes of fewer than k.

        By the classes of the first part.
        """
        some = _of_first_part(self.numbers, 1 << self._bits)
        below = Keys(self.numbers[some], self.limit).below(copies[some], k)
        return float(copies[some[below]].sum() / max(1, copies[some].sum()))

    def _in_parts(
        self, copies: IntArray, k: int, most: int, below: BoolArray
    ) -> tuple[IntArray, IntArray] | None:
        firsts, sizes = self._empty()
        limits = min(k, int(SAFE)), min(most, int(SAFE))
        asked = self._bits, *limits, firsts, sizes, below
        found = _count_parts(self.numbers, copies, *asked)
        return None if found < 0 else (firsts[:found], sizes[:found].copy())

    def _empty(self) -> tuple[IntArray, IntArray]:
        rows = len(self.numbers)
        return np.empty(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)

    @property
    def _bits(self) -> int:
        """The bits of a hash by which they are parted."""
        return (len(self.numbers) // _PART).bit_length()


def _add_all(numbers: IntArray, digits: Sequence[tuple[Int32Array, IntArray]]) -> None:
    """Add the digits of all columns to keys, some rows at a time."""
    for start in range(0, len(numbers), _PART):
        rows = slice(start, start + _PART)
        for codes, of_codes in digits:
            _add_digits(numbers[rows], codes[rows], of_codes)


@compiled
def _add_digits(keys: IntArray, codes: Int32Array, digits: IntArray) -> None:
    """Add the digit of the code of each row to its key."""
    for r in range(len(keys)):
        keys[r] += digits[codes[r]]


@compiled
def _count_places(
    keys: IntArray,  # [row]
    copies: IntArray,  # [row]
    places: Int32Array,  # [key], -1 everywhere
    firsts: IntArray,  # [class]
    sizes: IntArray,  # [class], 0 everywhere
) -> int:
    """Write a row of each class, and its size; return how many there are."""
    found = 0
    for r in range(len(keys)):
        key = keys[r]
        if places[key] < 0:
            places[key] = found
            firsts[found] = r
            found += 1
        sizes[places[key]] += copies[r]
    return found


@inlined
def _mixed(key: int) -> np.uint64:
    """Return bits of which each depends on all of a key."""
    bits = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return (bits ^ (bits >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)


@inlined
def _part(key: int, parts: int) -> int:
    return int(np.int64(_mixed(key) >> np.uint64(40)) & (parts - 1))


@compiled
def _of_first_part(keys: IntArray, parts: int) -> IntArray:
    """Return the rows whose keys are in the first part."""
    found, some = 0, np.empty(len(keys), dtype=np.int64)
    for r in range(len(keys)):
        if _part(keys[r], parts) == 0:
            some[found] = r
            found += 1
    return some[:found]


@compiled
def _count_parts(
    keys: IntArray,  # [row]
    copies: IntArray,  # [row]
    bits: int,
    k: int,
    most: int,
    firsts: IntArray,  # [class]
    sizes: IntArray,  # [class], 0 everywhere
    below: BoolArray,  # [row], False everywhere; empty if nobody asks
) -> int:
    """Write a row of each class, its size, and which rows are in one below k.

    Return how many classes there are; -1 if those below k have more than `most` copies
    in the first parts, where classes are not much fewer than rows.
    """
    # All keys in the order of their parts.
    parts = 1 << bits
    ends = np.zeros(parts + 1, dtype=np.int64)
    for key in keys:
        ends[1 + _part(key, parts)] += 1
    largest = 0
    for p in range(parts):
        largest = max(largest, ends[p + 1])
        ends[p + 1] += ends[p]
    order = np.empty(len(keys), dtype=np.int32)
    ordered = np.empty(len(keys), dtype=np.int64)
    for r in range(len(keys)):
        p = _part(keys[r], parts)
        order[ends[p]], ordered[ends[p]] = r, keys[r]
        ends[p] += 1
    # A slot with the number of a class of this part is taken by its key.
    slots = 16
    while slots < 2 * largest:
        slots *= 2
    taken, number = np.empty(slots, np.int64), np.full(slots, -1, np.int32)
    found, rare, begin = 0, 0, 0
    for p in range(parts):
        first = found
        for i in range(begin, ends[p]):
            slot = np.int64(_mixed(ordered[i])) & (slots - 1)
            while number[slot] >= first and taken[slot] != ordered[i]:
                slot = (slot + 1) & (slots - 1)
            if number[slot] < first:
                taken[slot], number[slot], firsts[found] = ordered[i], found, order[i]
                found += 1
            sizes[number[slot]] += copies[order[i]]
            ordered[i] = number[slot]
        for c in range(first, found):
            if sizes[c] < k:
                rare += sizes[c]
        for i in range(begin, ends[p] if len(below) > 0 else begin):
            below[order[i]] = sizes[ordered[i]] < k
        begin = ends[p]
        if rare > most and 2 * found > begin:
            return -1
    return found
