"""Shannon's measures of columns whose values are numbered, in bits."""

from __future__ import annotations

import numpy as np

from atleastk.arrays import Int32Array, IntArray


def entropy(codes: Int32Array) -> float:
    """Return the entropy of a column: 0 if all cells are alike, log2(n) if none are."""
    return _bits(np.bincount(codes)) if len(codes) else 0.0


def mutual_information(one: Int32Array, other: Int32Array) -> float:
    """Return the mutual information of two columns.

    It is at most the entropy of each, and that of the first if the other determines it.
    """
    if not len(one):
        return 0.0
    pairs = one.astype(np.int64) * (int(other.max()) + 1) + other
    together = _bits(np.unique(pairs, return_counts=True)[1])
    return max(0.0, entropy(one) + entropy(other) - together)


def _bits(counts: IntArray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0
