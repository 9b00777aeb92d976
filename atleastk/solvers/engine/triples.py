"""Violated subset-row inequalities of triples of items.

Groups are disjoint, so at most one of them has two or three of any three items: the
weights of the groups that have them add up to at most 1. Violated triples are listed.
"""

from __future__ import annotations

import numpy as np

from atleastk.arrays import BoolArray, FloatArray
from atleastk.solvers.compiled.compile import compiled

__all__ = ["heavy_triples"]


@compiled
def heavy_triples(
    has: BoolArray,  # [group, item]
    shared: FloatArray,  # [item, item]
    weights: FloatArray,  # [group]
    single: BoolArray,  # [item]
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
                # Groups with two of the items count once, with all three 3 times, ...
                total = shared[i, j] + shared[i, h] + shared[j, h]
                if not single[h] or total <= 1.0 + tolerance:
                    continue
                # ... so these count twice too often.
                for g in range(groups):
                    if has[g, i] and has[g, j] and has[g, h]:
                        total -= 2.0 * weights[g]
                if total <= 1.0 + tolerance:
                    continue
                # Write the triple down; room doubles when it is full.
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
