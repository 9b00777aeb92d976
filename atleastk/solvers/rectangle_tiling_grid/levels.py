"""RTILE level by level: the possible costs, and their windows.

The cost of a tiling is the weight of a box, at least the heaviest cell and W / p. Of
the weights that are possible those at the bound are decided about first: few boxes can
be used there, as p boxes have hardly any weight to give away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import solution_of_boxes
from atleastk.models.rectangles import Box, RectanglesSolution, box_weights, prefix_sums
from atleastk.models.windows import Window
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.levels import Levels, Walk, minimise_by_levels
from atleastk.solvers.rectangle_tiling.boxes import listed_boxes
from atleastk.solvers.rectangle_tiling_grid.first import first_answers
from atleastk.solvers.search import Search

Decide = Callable[[Window], Decision[list[Box]]]

_MOST_BOXES: Final = 2**20
"""Boxes that are listed to find the levels that some box weighs: not tuned."""


def begin(search: Search[RectangleTilingGrid], source: str) -> bool:
    """Bound the cost by counting, and offer first answers.

    Return whether work is left.
    """
    instance = search.instance
    if instance.n == 0:
        search.offer((), source)
        search.raise_bound(0, source, {"kind": "count"})
        return False
    bound = max(int(instance.weights.max()), -(-instance.total // instance.p))
    search.raise_bound(bound, source, {"kind": "count"})
    offer_first(search, first_answers(instance))
    return not search.done


def window_at(instance: RectangleTilingGrid, level: int) -> Window:
    """Return the number and the weights of boxes of tilings that cost at most `level`.

    Fewer boxes than p can be split until there are p, or one for every cell.
    """
    parts = min(instance.p, instance.n)
    return Window(parts, max(0, instance.total - (parts - 1) * level), level)


def open_levels(search: Search[RectangleTilingGrid]) -> Levels:
    """Return a function that lists the costs that tilings may have: weights of boxes.

    If there are too many boxes, it lists those up to some level, and that level.
    """
    grid = search.instance.weights

    def levels(low: int, cost: int | None) -> Sequence[int]:
        high = last = search.instance.total if cost is None else cost - 1
        while low < high:
            boxes = listed_boxes(grid, low, high, search.budget, _MOST_BOXES)
            if boxes is not None:
                weights = box_weights(prefix_sums(grid), boxes)
                if high < last:
                    weights = np.append(weights, high)
                found: list[int] = np.unique(weights).tolist()
                return found
            high = (low + high) // 2
        return range(low, min(low, last) + 1)

    return levels


def tile_by_levels(
    search: Search[RectangleTilingGrid],
    decide: Decide,
    source: str,
    patience: int = 1,
) -> None:
    """Decide about levels until the least is known, or too many in a row stay open."""

    def decided(level: int) -> Decision[RectanglesSolution]:
        decision = decide(window_at(search.instance, level))
        return decision.read(partial(solution_of_boxes, search.instance))

    walk = Walk(patience=patience)
    minimise_by_levels(search, open_levels(search), decided, source, walk)
