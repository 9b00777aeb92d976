"""Shannon's measures of columns whose values are numbered, in bits."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from atleastk.arrays import Int32Array, IntArray, tallied


def entropy(codes: Int32Array) -> float:
    """Return the entropy of a column: 0 if all cells are alike, log2(n) if none are."""
    return _bits(np.bincount(codes)) if len(codes) else 0.0


class Pairs(NamedTuple):
    """The distinct pairs of values that two columns have in the same rows."""

    one: IntArray
    other: IntArray
    """`one`, `other`: the numbers of both values, in the order of the first, then of
    the second."""
    counts: IntArray
    """In how many rows."""

    @classmethod
    def of(cls, one: Int32Array, other: Int32Array) -> Self:
        """Count the pairs of two columns."""
        width = int(other.max(initial=-1)) + 1
        keys, counts = tallied(one.astype(np.int64) * width + other)
        return cls(keys // max(1, width), keys % max(1, width), counts)

    @property
    def mutual_information(self) -> float:
        """The mutual information of both columns.

        It is at most the entropy of each, and that of the first if the other determines
        it.
        """
        if not len(self.counts):
            return 0.0
        alone = (
            _bits(np.bincount(values, self.counts)) for values in (self.one, self.other)
        )
        return max(0.0, sum(alone) - _bits(self.counts))


def _bits(counts: IntArray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0
