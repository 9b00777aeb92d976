"""Type aliases of numpy arrays, and the range of safe integers."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

SAFE: Final = 2**62
"""Integers below this are safe in 64 bits, and so is the sum of two of them."""

FEW: Final = 64
"""Up to so many numbers the fewest calls of numpy, or none, take the least time."""

_SPARSE: Final = 4
"""Counters for each number that is counted: zeroing them takes less than sorting."""

IntArray = NDArray[np.int64]
Int32Array = NDArray[np.int32]
ByteArray = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
WordArray = NDArray[np.uint64]
"""Bits of sets, 64 to a word."""


def distinct(values: IntArray) -> IntArray:
    """Return the distinct values, ascending.

    By sorting: `numpy.unique` takes a hundred times as long for millions of numbers. A
    stable sort takes a twentieth of the time where long runs are sorted already, as of
    edges, and is no slower where none are.
    """
    found = np.sort(values, kind="stable")
    return found[fresh(found)]


def fresh(ordered: IntArray | Int32Array) -> BoolArray:
    """Tell which numbers are first, or others than those before them."""
    found = np.ones(len(ordered), dtype=np.bool_)
    found[1:] = ordered[1:] != ordered[:-1]
    return found


def tallied(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct numbers, ascending, and how often each is there.

    None is negative. Those that are not much greater than there are many are counted
    in place.
    """
    if int(numbers.max(initial=-1)) < _SPARSE * len(numbers):
        counts = np.bincount(numbers)
        found = np.flatnonzero(counts)
        return found, counts[found]
    ordered = np.sort(numbers)
    starts = np.flatnonzero(fresh(ordered))
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def distinct_places(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first place of every distinct number, and the rank of each number.

    None is negative; distinct numbers are in their order.
    """
    most = int(numbers.max(initial=-1))
    if most < _SPARSE * len(numbers):
        there = np.zeros(most + 1, dtype=np.bool_)
        there[numbers] = True
        ranks = (np.cumsum(there) - 1)[numbers]
        return first_places(ranks), ranks
    order, ordered = _sorted(numbers)
    opens = fresh(ordered)
    ranks = np.empty(len(numbers), dtype=np.int64)
    ranks[order] = np.cumsum(opens) - 1
    return order[opens], ranks


def stable_order(numbers: IntArray) -> IntArray:
    """Return the places of numbers, ascending; equal ones as they stand."""
    return _sorted(numbers)[0]


def _sorted(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places of numbers in their stable order, and the numbers.

    In a quarter of the time of `argsort`: numpy compares several integers at once when
    it sorts these, but not their places. So both share the bits of one.
    """
    if len(numbers) <= FEW:
        order = np.argsort(numbers, kind="stable")
        return order, numbers[order]
    bits = max(0, len(numbers) - 1).bit_length()
    ends = -int(numbers.min(initial=0)), int(numbers.max(initial=0))
    if max(ends) >> (63 - bits):
        order = np.argsort(numbers, kind="stable")
        return order, numbers[order]
    packed = numbers.astype(np.int64) << bits
    packed |= np.arange(len(numbers))
    packed.sort()
    return packed & ((1 << bits) - 1), packed >> bits


def first_places(numbers: IntArray | Int32Array) -> IntArray:
    """Return the first place of every number from 0 on, all of which are there."""
    found = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    found[numbers[::-1]] = np.arange(len(numbers))[::-1]  # the last to be written stays
    return found


def exact_sum(values: IntArray | Int32Array) -> int:
    """Return the sum of at most 2^31 numbers, though it may leave 64 bits."""
    low = np.bitwise_and(values, 2**31 - 1, dtype=np.int64)
    return (int((values >> 31).sum()) << 31) + int(low.sum())


def by_label(labels: IntArray) -> list[IntArray]:
    """Return the places of every label, in the order of the labels."""
    if not len(labels):
        return []
    order, ordered = _sorted(labels)
    return np.split(order, np.flatnonzero(fresh(ordered))[1:])
