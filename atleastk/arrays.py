"""Type aliases of numpy arrays, and the range of safe integers."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

SAFE: Final = 2**62
"""Integers below this are safe in 64 bits, and so is the sum of two of them."""

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
    fresh = np.ones(len(found), dtype=np.bool_)
    fresh[1:] = found[1:] != found[:-1]
    return found[fresh]


def stable_order(numbers: IntArray) -> IntArray:
    """Return the places of numbers, ascending; equal ones as they stand.

    In a quarter of the time of `argsort`: numpy compares several integers at once when
    it sorts these, but not their places. So both share the bits of one.
    """
    bits = max(0, len(numbers) - 1).bit_length()
    ends = -int(numbers.min(initial=0)), int(numbers.max(initial=0))
    if max(ends) >> (63 - bits):
        return np.argsort(numbers, kind="stable")
    packed = np.sort((numbers.astype(np.int64) << bits) | np.arange(len(numbers)))
    return packed & ((1 << bits) - 1)


def first_places(numbers: IntArray | Int32Array) -> IntArray:
    """Return the first place of every number from 0 on, all of which are there."""
    found = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    found[numbers[::-1]] = np.arange(len(numbers))[::-1]  # the last to be written stays
    return found


def by_label(labels: IntArray) -> list[IntArray]:
    """Return the places of every label, in the order of the labels."""
    if not len(labels):
        return []
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
