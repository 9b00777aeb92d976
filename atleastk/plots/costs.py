"""A picture of the cost of anonymity: suppressed cells and lower bounds over k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from atleastk.packages import Axes
from atleastk.plots.drawing import INK, QUIET, draw_gap, titled

Scale = Callable[[Any], Any]


_WIDE = 20
"""The ratio of the largest to the least k from which their axis is logarithmic."""


class CostPoint(NamedTuple):
    """The least cost found for a k, and the bound proved; None for unknown."""

    k: int
    cost: int | None
    bound: int | None


def draw_costs(points: Sequence[CostPoint], cells: int, ax: Axes | None = None) -> Axes:
    """Draw the suppressed cells and their lower bound over k, the gap shaded.

    `cells` is the number of cells of the table, for the scale on the right.
    """
    ax = titled(ax, "Suppressed cells against k")
    points = sorted(points)
    ks = [point.k for point in points]
    costs, bounds = ([p.cost for p in points], [p.bound for p in points])
    draw_gap(ax, ks, {"suppressed": costs, "lower bound": bounds})
    ax.set_xlabel("k", color=INK)
    ax.set_ylabel("cells", color=INK)
    ax.set_ylim(bottom=0)
    if ks[-1] > _WIDE * ks[0]:
        ax.set_xscale("log")
        ax.minorticks_off()
    ax.set_xticks(ks, [str(k) for k in ks])
    if cells:
        share = ax.secondary_yaxis("right", functions=_scales(100 / cells))
        share.set_ylabel("per cent of all cells", color=INK)
        share.tick_params(colors=QUIET, labelcolor=INK, length=3)
        share.spines["right"].set_visible(False)
    ax.legend(frameon=False, labelcolor=INK, loc="lower right")
    return ax


def _scales(factor: float) -> tuple[Scale, Scale]:
    return lambda there: factor * there, lambda back: back / factor
