"""The losses of all groups of a few rows that satisfy the condition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.diversity import Diversity
from atleastk.models.diversity import Standing
from atleastk.solvers.engine import subsets
from atleastk.solvers.engine.subsets import NEVER, Priced
from atleastk.solvers.generalization import subset_dp as generalization


def priced(instance: Diversity) -> Priced:
    """Return the loss of every set of rows as a group."""
    instance = instance.written_out
    found = generalization.priced(instance)
    prices = np.array(found.prices)
    columns = zip(instance.values.T, instance.totals, strict=True)
    for j, (column, totals) in enumerate(columns):
        for broken, _ in _standing(column, totals).wrongs(instance, j):
            prices[broken] = NEVER
    return replace(found, prices=prices)


def _standing(column: IntArray, totals: IntArray) -> Standing:
    n = len(column)
    rows, sets = subsets.sizes(n), np.arange(1 << n)
    different, most, apart = (np.zeros_like(rows) for _ in range(3))
    for value, total in enumerate(totals.tolist()):
        mask = sum(1 << row for row in np.flatnonzero(column == value).tolist())
        held = rows[sets & mask]
        different += held > 0
        np.maximum(most, held, out=most)
        apart += np.maximum(0, n * held - total * rows)
    return Standing(rows, different, most, apart)
