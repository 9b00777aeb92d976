"""A picture of the cost of anonymity: suppressed cells and lower bounds over k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from atleastk.packages import Axes
from atleastk.plots.drawing import INK, QUIET, draw_gap, titled

Scale = Callable[[Any], Any]


_WIDE = 20
"""The ratio of the largest to the least k from which their axis is logarithmic."""

_MOST_TICKS = 20
"""The most k that are written at the axis."""


class CostPoint(NamedTuple):
    """The least cost found for a k, and the bound proved; None for unknown."""

    k: int
    cost: int | None
    bound: int | None


def draw_costs(
    points: Sequence[CostPoint],
    cells: int,
    ax: Axes | None = None,
    *,
    title: str = "Suppressed cells against k",
    costs: str = "suppressed",
    unit: str = "cells",
) -> Axes:
    """Draw costs, by default suppressed cells, and bounds over k, the gap shaded.

    `cells` is the number of cells of the table, for the scale on the right; 0 for none.
    """
    ax = titled(ax, title)
    points = sorted(points)
    ks = [point.k for point in points]
    found, bounds = ([p.cost for p in points], [p.bound for p in points])
    draw_gap(ax, ks, {costs: found, "lower bound": bounds})
    ax.set_xlabel("k", color=INK)
    ax.set_ylabel(unit, color=INK)
    ax.set_ylim(bottom=min([0, *filter(None, found)]))
    if ks[-1] > _WIDE * ks[0]:
        ax.set_xscale("log")
        ax.minorticks_off()
    ticks = ks[:: -(-len(ks) // _MOST_TICKS)]
    ax.set_xticks(ticks, [str(k) for k in ticks])
    if cells:
        share = ax.secondary_yaxis("right", functions=_scales(100 / cells))
        share.set_ylabel("per cent of all cells", color=INK)
        share.tick_params(colors=QUIET, labelcolor=INK, length=3)
        share.spines["right"].set_visible(False)
    ax.legend(frameon=False, labelcolor=INK, loc="lower right")
    return ax


def _scales(factor: float) -> tuple[Scale, Scale]:
    return lambda there: factor * there, lambda back: back / factor
