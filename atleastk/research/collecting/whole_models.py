"""The linear model of an instance that is exported: all solutions, cost minimised.

These are the compact models that methods use as well, in full: no bound is known and
nothing is left out, so the optimum of the model is the optimum of the instance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate
from typing import Any, Final

import numpy as np

from atleastk.instances.connected_partition import ConnectedPartition
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
    k_ambiguity,
    k_anonymity,
    r_gather,
    rectangle_tiling,
    suppression,
)
from atleastk.models.encodings.cellular_clustering import ball_model
from atleastk.models.encodings.rectangle_tiling_grid import cost_model
from atleastk.models.encodings.suppressed_rows import suppressing_pair_model
from atleastk.models.linear import LinearModel
from atleastk.models.rectangle_tiling import required_cells

_MOST_ITEMS: Final = 400
"""Rows, points or nodes, which are paired: tens of megabytes of model."""

_MOST_CELLS: Final = 900
"""Cells of a grid, all boxes of which are listed: a quarter of their square."""


def whole_model(instance: Any) -> LinearModel:
    """Return the model of an instance.

    Raises
    ------
    NotApplicableError
        If it would be too large, or there is none.
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
    return _MODELS[instance.problem](instance)


def _bins(instance: Any) -> LinearModel:
    return bin_covering.assignment(instance, most_bins(instance)).model


def _intervals(instance: IntervalCovering) -> LinearModel:
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


def _generalization(instance: Generalization) -> LinearModel:
    if instance.on == "entries":
        return generalization.leader_model(instance).model
    if instance.suppress_rows:
        return suppressing_pair_model(instance).model
    return generalization.pair_model(instance).model


def _diversity(instance: Any) -> LinearModel:
    if instance.on == "entries":
        return diversity.leader_model(instance).model
    return diversity.pair_model(instance).model


def _gather(instance: RGather) -> LinearModel:
    """Return the model of all distances, whose steps cost what they add."""
    model = r_gather.level_model(instance).model
    steps = np.diff(r_gather.levels(instance))
    objective = model.objective.copy()
    objective[: len(steps)] = steps
    return replace(model, objective=objective)


def _connected(instance: ConnectedPartition) -> LinearModel:
    weights, neighbours = instance.weights, instance.neighbours
    least, most = instance.k, instance.total
    return connected_partition.rooted_model(
        weights, neighbours, least, most, minimise=True
    ).model


def _tiling(instance: RectangleTiling) -> LinearModel:
    boxes, weights = rectangle_tiling.heavy_boxes(instance)
    return rectangle_tiling.cost_cover(boxes, required_cells(instance), weights)


_MODELS: Final[Mapping[str, Callable[[Any], LinearModel]]] = {
    "bin-covering": _bins,
    "cellular-clustering": lambda instance: ball_model(instance).model,
    "connected-partition": _connected,
    "diversity": _diversity,
    "generalization": _generalization,
    "interval-covering": _intervals,
    "k-ambiguity": lambda instance: k_ambiguity.cell_model(instance).model,
    "k-anonymity": lambda instance: k_anonymity.leader_model(instance).model,
    "r-gather": _gather,
    "rectangle-tiling": _tiling,
    "rectangle-tiling-grid": lambda instance: cost_model(instance).model,
    "suppression": lambda instance: suppression.cell_model(instance).model,
}
"""What makes the model of an instance, by its problem."""
