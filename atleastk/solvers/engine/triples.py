"""Triples of items of which fractional groups hold two or three more than once.

Groups are disjoint, so at most one of them has two or three of any three items: the
weights of the groups that have them add up to at most 1, a subset-row inequality.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import BoolArray, FloatArray
from atleastk.solvers.compiled.compile import compiled

__all__ = ["heavy_triples"]


@compiled
def heavy_triples(
    has: BoolArray,
    shared: FloatArray,
    weights: FloatArray,
    single: BoolArray,
    tolerance: float,
) -> FloatArray:
    """Return all triples of more than 1: the weight of their groups, and the items.

    Parameters
    ----------
    has, weights
        The items of every group, and its weight.
    shared
        The weight of the groups that hold two items.
    single
        The items that may be in a triple.
    """
    groups, n = has.shape
    found = np.empty((64, 4))
    count = 0
    for i in range(n):
        if not single[i]:
            continue
        for j in range(i + 1, n):
            if not single[j] or shared[i, j] <= tolerance:
                continue
            for h in range(j + 1, n):
                total = shared[i, j] + shared[i, h] + shared[j, h]
                if not single[h] or total <= 1.0 + tolerance:
                    continue
                for g in range(groups):
                    if has[g, i] and has[g, j] and has[g, h]:
                        total -= 2.0 * weights[g]
                if total <= 1.0 + tolerance:
                    continue
                if count == len(found):
                    longer = np.empty((2 * count, 4))
                    for row in range(count):
                        for column in range(4):
                            longer[row, column] = found[row, column]
                    found = longer
                found[count, 0], found[count, 1] = total, i
                found[count, 2], found[count, 3] = j, h
                count += 1
    return found[:count]
