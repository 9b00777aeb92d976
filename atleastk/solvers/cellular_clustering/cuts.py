"""Subset-row cuts: triples of points that a fractional choice of clusters violates.

Clusters are disjoint, so at most one of them has two or three points of a triple.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.solvers.engine.triples import heavy_triples

_VIOLATED: Final = 0.02
"""Of a cluster: triples that are violated by less are left out. Not tuned."""

_PER_POINT: Final = 4
"""Triples of one round that a point may be in."""


def violated_triples(has: BoolArray, shares: FloatArray, most: int) -> IntArray:
    """Separate subset-row cuts: at most `most` triples, the most violated first.

    Parameters
    ----------
    has, shares
        The points of every cluster, a row of a matrix, and how much is taken of it.
    """
    some = shares > 1e-7
    held, weights = has[some], shares[some]
    shared = (held * weights[:, None]).T @ held
    single = np.ones(has.shape[1], dtype=np.bool_)
    found = heavy_triples(held, shared, weights, single, _VIOLATED)
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
