"""RTILE level by level: which costs are possible, and which is decided about next.

The cost of a tiling is the weight of a box, at least the heaviest cell and W / p. Of
the weights that are possible those at the bound are decided about first: few boxes can
be used there, as p boxes have hardly any weight to give away. As long as all are
refuted the steps double; then what is between is bisected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.models.rectangles import Box, box_weights, prefix_sums
from atleastk.models.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.engine.decision import Decision, remark
from atleastk.solvers.rectangle_tiling.boxes import listed_boxes
from atleastk.solvers.search import Search

__all__ = ["Decide", "begin", "minimise_by_levels", "open_levels", "window_at"]

Decide = Callable[[Window], Decision[list[Box]]]

_MOST_BOXES: Final = 2**20


def begin(search: Search[RectangleTilingGrid], source: str) -> bool:
    """Bound the cost by counting, and offer single cells or the whole grid.

    Tell whether anything is left to be decided.
    """
    instance = search.instance
    if instance.n == 0:
        search.offer((), source)
        search.raise_bound(0, source, {"kind": "count"})
        return False
    bound = max(int(instance.weights.max()), -(-instance.total // instance.p))
    search.raise_bound(bound, source, {"kind": "count"})
    boxes = np.array([[0, 0, instance.rows, instance.columns]])
    if instance.p >= instance.n:
        cells = np.argwhere(instance.weights >= 0)
        boxes = np.hstack([cells, cells + 1])
    search.offer(solution_of_boxes(instance, boxes), source)
    return not search.done


def window_at(instance: RectangleTilingGrid, level: int) -> Window:
    """Return what the boxes of tilings that cost at most `level` weigh.

    Fewer boxes than p can be split until there are p, or one for every cell.
    """
    parts = min(instance.p, instance.n)
    return Window(parts, max(0, instance.total - (parts - 1) * level), level)


def open_levels(search: Search[RectangleTilingGrid]) -> IntArray:
    """Return what may cost less than what was found, ascending: weights of boxes.

    If there are too many, those from the bound to some level, and that level.
    """
    grid, low = search.instance.weights, search.bound or 0
    high = last = (search.cost or 0) - 1
    while low < high:
        boxes = listed_boxes(grid, low, high, search.budget, _MOST_BOXES)
        if boxes is not None:
            levels = box_weights(prefix_sums(grid), boxes)
            return np.unique(levels if high == last else np.append(levels, high))
        high = (low + high) // 2
    return np.arange(low, min(low, last) + 1)


def minimise_by_levels(
    search: Search[RectangleTilingGrid], decide: Decide, source: str
) -> None:
    """Decide about levels until the least is known, or none of some is decided."""
    step = 1
    while not search.done:
        levels = open_levels(search).tolist()
        if not levels:
            search.raise_bound(search.cost or 0, source)
            return
        search.raise_bound(levels[0], source)
        last = len(levels) - 1
        for at in dict.fromkeys((min(step - 1, last), 0, last // 2, last)):
            decision = decide(window_at(search.instance, levels[at]))
            if decision.status is not Status.UNKNOWN:
                break
        else:
            remark(search, source, levels[at], decision.why)
            return
        if decision.found is None:
            step *= 2
            search.raise_bound(levels[at] + 1, source)
        else:
            step = max(1, at // 2)
            search.offer(solution_of_boxes(search.instance, decision.found), source)
