"""The losses of all groups of a few rows, for the dynamic program over subsets.

Rows that are equal at a level are equal at all levels above. So the least level of a
set is that of the set without its last row, or that at which this row equals any other
one of them: O(m 2^n) for all sets.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atleastk.instances.generalization import Generalization
from atleastk.solvers.engine import subsets
from atleastk.solvers.engine.subsets import NEVER, Priced


def refuses(instance: Generalization) -> str | None:
    """Say why the program cannot take an instance, or None if it can."""
    if instance.on == "attributes":
        return "it is for entries"
    if sum(_persons(instance)) * instance.most_of_row >= NEVER:
        return "its losses do not fit into 64 bits"
    return subsets.refuses(instance)


def _persons(instance: Generalization) -> Sequence[int]:
    return instance.row_weights or (1,) * instance.n


def priced(instance: Generalization) -> Priced:
    """Return the loss of every set of rows as a group."""
    n = instance.n
    size_of = subsets.sizes(n)
    losses = np.zeros(1 << n, dtype=np.int64)
    for codes, weight in zip(instance.codes, instance.weights, strict=True):
        labels = codes[:-1]
        apart = (labels[:, :, None] != labels[:, None, :]).sum(axis=0)
        levels = np.zeros(1 << n, dtype=np.int64)
        for last in range(n):
            first = 1 << last
            levels[first : 2 * first] = levels[:first]
            for other in range(last):
                # All sets with this row as their first and that one as their last.
                some = slice(first + (1 << other), 2 * first, 2 << other)
                np.maximum(levels[some], apart[last, other], out=levels[some])
        losses += weight * levels
    counts = np.zeros(1 << n, dtype=np.int64)
    for last, persons in enumerate(_persons(instance)):
        counts[1 << last : 2 << last] = counts[: 1 << last] + persons
    prices = np.where(size_of < instance.k, NEVER, counts * losses)
    return Priced(prices, greatest=False, most_groups=n)
