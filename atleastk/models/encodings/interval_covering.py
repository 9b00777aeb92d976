"""Interval covering as a linear model: a 0/1 variable for every interval."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.covering import group_cost
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.linear import LinearModelBuilder


def interval_model(instance: IntervalCovering) -> Encoding:
    """Intervals of level at least k are chosen.

    Variables: x_i_j, the items i, .., j - 1 are one interval; K, the greatest level. An
    interval that could be cut into two of level at least k is listed as well.

    minimise    sum_I c(I) x_I                     or, for max, K
    subject to  sum_{I holds i} x_I = 1            for every item i,
    max         sum_{I holds i} level(I) x_I <= K  for every item i.

    The columns are intervals, so the rows of the items are totally unimodular.
    """
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
    for ends, level in zip(intervals, levels, strict=True):
        cost = 0 if maximum else group_cost(instance, level)
        builder.variable(0, 1, cost, "x", *ends)
    most = builder.variable(0, sums[-1], 1, "K") if maximum else None
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

    return Encoding.of_groups(model, decode, encode)


FORMULATIONS: Final = (Formulation("intervals", interval_model),)
