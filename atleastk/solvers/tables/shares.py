"""Shares of the rows of a table for workers: whole groups, of nearly as many rows."""

from __future__ import annotations

import numpy as np

from atleastk.arrays import Int32Array, IntArray


def distribute(
    codes: Int32Array,
    labels: IntArray | Int32Array,
    workers: int,
    rng: np.random.Generator,
) -> list[IntArray]:
    """Return the rows of each share, mostly by their values in one random column.

    Parameters
    ----------
    codes, labels
        Of every row, the values of the columns, and the group.
    """
    values = codes[:, int(rng.integers(codes.shape[1]))]
    rank = rng.permutation(int(values.max()) + 1)
    _, first, group = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(rank[values[first]] + rng.random(len(first)))
    ends = np.cumsum(np.bincount(group)[order])
    share = np.empty(len(first), dtype=np.int64)
    share[order] = np.minimum(workers - 1, (ends - 1) * workers // len(codes))
    return [np.flatnonzero(share[group] == i) for i in range(workers)]
