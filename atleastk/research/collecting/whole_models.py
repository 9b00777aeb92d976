"""The linear model of an instance that is exported: all solutions, cost minimised.

These are the compact models of the methods without any bound or reduction, so that the
optimum of the model is the optimum of the instance.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import Any, Final

import numpy as np

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.generalization import Generalization
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.instances.r_gather import RGather
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.bin_covering import most_bins
from atleastk.models.covering import group_cost
from atleastk.models.encodings import (
    bin_covering,
    connected_partition,
    diversity,
    generalization,
    r_gather,
    rectangle_tiling,
)
from atleastk.models.encodings.encoding import Encoding, SolutionEncoding
from atleastk.models.encodings.suppressed_rows import suppressing_pair_model
from atleastk.models.linear import LinearModel
from atleastk.models.rectangle_tiling import required_cells
from atleastk.runs.registry import problem_of

_MOST_ITEMS: Final = 400
"""The most rows, points or nodes: with all pairs, tens of megabytes of model."""

_MOST_CELLS: Final = 900
"""The most cells of a grid; its boxes are a quarter of their square."""


def whole_model(instance: Any) -> LinearModel:
    """Return the model of an instance.

    Raise `NotApplicableError` if it would be too large, or there is none.
    """
    match instance:
        case RectangleTiling() | RectangleTilingGrid():
            items, most, what = np.size(instance.grid), _MOST_CELLS, "cells"
            if instance.guillotine:
                raise NotApplicableError("no linear model asks for straight cuts")
        case _:
            items, most, what = instance.n, _MOST_ITEMS, "items"
    if items > most:
        raise NotApplicableError(
            f"{items} {what} are too many for a model; it takes {most}"
        )
    model = problem_of(instance).whole_model
    if model is None:
        raise NotApplicableError(f"there is no linear model of {instance.problem}")
    made = model(instance)
    return made if isinstance(made, LinearModel) else made.model


def bins(instance: BinCovering) -> Encoding:
    """Return the assignment of sizes to bins."""
    return bin_covering.assignment(instance, max(1, most_bins(instance)))


def intervals(instance: IntervalCovering) -> LinearModel:
    """Return the cover of a row by intervals of level at least k."""
    ends = [0, *accumulate(instance.sizes)]
    if ends[-1] * ends[-1] >= 2**62:
        raise NotApplicableError("the sizes are too large for a model of intervals")
    sums = np.array(ends, dtype=np.int64)
    c, d = (sums[None] - sums[:, None] >= instance.k).nonzero()
    levels = sums[d] - sums[c]
    boxes = np.stack([0 * c, c, 0 * c + 1, d], axis=1)
    required = np.ones((1, instance.n), dtype=np.bool_)
    if instance.objective == "max":
        return rectangle_tiling.cost_cover(boxes, required, levels)
    costs = [group_cost(instance, level) for level in levels.tolist()]
    cover = rectangle_tiling.cell_cover(boxes, required)
    return replace(cover, objective=np.array(costs, dtype=np.int64))


def generalized_tables(instance: Generalization) -> SolutionEncoding:
    """Return the model of leaders, or of pairs on attributes."""
    if instance.on == "entries":
        return generalization.leader_model(instance)
    if instance.suppress_rows:
        return suppressing_pair_model(instance)
    return generalization.pair_model(instance)


def diverse_tables(instance: Diversity) -> SolutionEncoding:
    """Return the model of leaders, or of pairs on attributes."""
    if instance.on == "entries":
        return diversity.leader_model(instance)
    return diversity.pair_model(instance)


def gathered_points(instance: RGather) -> LinearModel:
    """Return the model over all distances, each of which costs what it adds."""
    model = r_gather.level_model(instance).model
    steps = np.diff(r_gather.levels(instance))
    objective = model.objective.copy()
    objective[: len(steps)] = steps
    return replace(model, objective=objective)


def parts(instance: ConnectedPartition) -> Encoding:
    """Return the model of parts and their roots."""
    weights, neighbours = instance.weights, instance.neighbours
    least, most = instance.k, instance.total
    return connected_partition.rooted_model(
        weights, neighbours, least, most, minimise=True
    )


def tiles(instance: RectangleTiling) -> LinearModel:
    """Return the cover by boxes, the heaviest of which costs."""
    boxes, weights = rectangle_tiling.heavy_boxes(instance)
    return rectangle_tiling.cost_cover(boxes, required_cells(instance), weights)
