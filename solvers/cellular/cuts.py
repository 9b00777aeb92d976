"""Cuts: triples of points that a fractional choice of clusters violates.

Clusters are disjoint, so at most one of them has two or three points of a triple.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from atleastk.solvers.compiled import compiled

__all__ = ["violated_triples"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_VIOLATED: Final = 0.02
_PER_POINT: Final = 4
"""Triples of one round that a point may be in."""


def violated_triples(has: NDArray[np.bool_], shares: FloatArray, most: int) -> IntArray:
    """Return triples of points, at most so many, the most violated first.

    Parameters
    ----------
    has, shares
        The points of every cluster, a row of a matrix, and how much is taken of it.
    """
    some = shares > 1e-7
    found = _violated(has[some], shares[some], _VIOLATED)
    uses = np.zeros(has.shape[1], dtype=np.int64)
    chosen: list[IntArray] = []
    for place in np.argsort(-found[:, 0], kind="stable"):
        triple = found[place, 1:].astype(np.int64)
        if (uses[triple] < _PER_POINT).all():
            uses[triple] += 1
            chosen.append(triple)
        if len(chosen) == most:
            break
    return np.array(chosen, dtype=np.int64).reshape(-1, 3)


@compiled
def _violated(
    has: NDArray[np.bool_], shares: FloatArray, tolerance: float
) -> FloatArray:
    """Return all violated triples: the total of their clusters, and three points."""
    clusters, n = has.shape
    shared = np.zeros((n, n))
    for g in range(clusters):
        for i in range(n):
            if has[g, i]:
                for j in range(n):
                    if has[g, j]:
                        shared[i, j] += shares[g]
    found = np.empty((64, 4))
    count = 0
    for i in range(n):
        for j in range(i + 1, n):
            if shared[i, j] <= tolerance:
                continue
            for h in range(j + 1, n):
                total = shared[i, j] + shared[i, h] + shared[j, h]
                if total <= 1.0 + tolerance:
                    continue
                for g in range(clusters):
                    if has[g, i] and has[g, j] and has[g, h]:
                        total -= 2.0 * shares[g]
                if total <= 1.0 + tolerance:
                    continue
                if count == len(found):
                    longer = np.empty((2 * count, 4))
                    longer[:count] = found
                    found = longer
                found[count, 0], found[count, 1] = total, i
                found[count, 2], found[count, 3] = j, h
                count += 1
    return found[:count]
