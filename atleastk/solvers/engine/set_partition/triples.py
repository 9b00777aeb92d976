"""Subset-row cuts: triples of items that a fractional choice of groups violates.

Groups are disjoint, so at most one of them has two or three of any three items, of one
copy each: the shares of the groups that have them add up to at most 1
[JepsenPetersenSpoorendonkPisinger08].
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.packages import sparse
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.precision import TOLERANCE

_VIOLATED: Final = 0.02
"""Of a group: triples that are violated by less are left out. Not tuned."""


def crossing(has: BoolArray, triples: IntArray) -> BoolArray:
    """Return for [group, triple] whether they share two or three items."""
    shared = np.zeros((len(has), len(triples)), dtype=np.int8)
    for column in triples.T:
        shared += has[:, column]
    crossing: BoolArray = shared >= 2
    return crossing


def violated_triples(
    has: BoolArray,  # [group, item]
    shares: FloatArray,  # [group]: how much is taken of it
    single: BoolArray,  # [item]: whether it has one copy; others are in no triple
    most: int,
    per_item: int = 4,  # triples that an item may be in
) -> IntArray:
    """Separate subset-row cuts: at most `most` triples, the most violated first."""
    some = shares > TOLERANCE
    held, weights = has[some], shares[some]
    inside = sparse.csr_array(held.astype(np.float64))
    shared = (inside.T @ sparse.diags_array(weights) @ inside).toarray()
    found = heavy_triples(held, shared, weights, single, _VIOLATED)
    uses = np.zeros(has.shape[1], dtype=np.int64)
    chosen: list[IntArray] = []
    for place in np.argsort(-found[:, 0], kind="stable"):
        triple = found[place, 1:].astype(np.int64)
        if (uses[triple] < per_item).all():
            uses[triple] += 1
            chosen.append(triple)
        if len(chosen) == most:
            break
    return np.array(chosen, dtype=np.int64).reshape(-1, 3)


@compiled
def heavy_triples(
    has: BoolArray,  # [group, item]
    shared: FloatArray,  # [item, item]: the weight of the groups that hold both
    weights: FloatArray,  # [group]
    single: BoolArray,  # [item]: whether it may be in a triple
    tolerance: float,
) -> FloatArray:
    """Return all triples of more than 1: the weight of their groups, and the items."""
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
