"""Points and outliers: what the encodings of clusterings have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from atleastk.arrays import IntArray
from atleastk.instances.clustering import Clustering
from atleastk.models.linear import LinearModelBuilder


def partition_points(
    builder: LinearModelBuilder, instance: Clustering, homes: Sequence[Sequence[int]]
) -> dict[int, int]:
    """Put every point in one cluster; return the variables of outliers.

    `homes` has by point the variables that it is in each of some clusters.
    """
    left: dict[int, int] = {}
    if instance.max_outliers:
        left = {p: builder.variable(0, 1, 0, "o", p) for p in range(instance.n)}
        builder.row(left.values(), at_most=min(instance.n, instance.max_outliers))
    for p, own in enumerate(homes):
        builder.equation([*own, left[p]] if left else own, 1, 1)
    return left


def with_outliers(
    left: Mapping[int, int], values: IntArray, outliers: Iterable[int]
) -> IntArray | None:
    """Add the outliers to a point; None if there may be none."""
    for p in outliers:
        if p not in left:
            return None
        values[left[p]] = 1
    return values
