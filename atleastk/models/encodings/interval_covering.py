"""Interval covering as a linear model: a 0/1 variable for every interval.

minimise  sum of cost(I) x_I,  or K with  sum of level(I) x_I <= K  at every item
subject to  sum of x_I = 1 at every item, over the intervals I that contain it,

for the intervals of level at least k; an interval that could be cut into two of level
at least k is listed as well. K is the last variable. The columns are intervals, so the
rows of the items are totally unimodular.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from atleastk.arrays import IntArray
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.covering import group_cost
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.linear import LinearModelBuilder


def interval_model(instance: IntervalCovering) -> Encoding:
    """Return the model that minimises the cost over all intervals."""
    n, sums = instance.n, [*accumulate(instance.sizes, initial=0)]
    maximum = instance.objective == "max"
    intervals = [
        (i, j)
        for i in range(n)
        for j in range(i + 1, n + 1)
        if sums[j] - sums[i] >= instance.k
    ]
    levels = [sums[j] - sums[i] for i, j in intervals]
    builder = LinearModelBuilder()
    for level in levels:
        builder.variable(0, 1, 0 if maximum else group_cost(instance, level))
    most = builder.variable(0, sums[-1], 1) if maximum else None
    for item in range(n):
        over = [x for x, (i, j) in enumerate(intervals) if i <= item < j]
        builder.equation(over, 1, 1)
        if most is not None:
            factors = [*(levels[x] for x in over), -1]
            builder.row([*over, most], factors, at_most=0)
    model = builder.build()

    def decode(values: IntArray) -> list[list[int]]:
        return [[*range(i, j)] for x, (i, j) in enumerate(intervals) if values[x]]

    def encode(groups: Sequence[Sequence[int]]) -> IntArray | None:
        chosen = [intervals.index((min(g), max(g) + 1)) for g in groups]
        entries = [(x, 1) for x in chosen]
        if most is not None:
            entries.append((most, max((levels[x] for x in chosen), default=0)))
        return point(model.columns, entries)

    return Encoding(model, decode, encode)
