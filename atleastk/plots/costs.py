"""Pictures of costs and bounds: of a table over k, and of a run over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from atleastk.models.results.result import Result
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
        percent: tuple[Scale, Scale] = (
            lambda there: 100 * there / cells,
            lambda back: back * cells / 100,
        )
        share = ax.secondary_yaxis("right", functions=percent)
        share.set_ylabel("per cent of all cells", color=INK)
        share.tick_params(colors=QUIET, labelcolor=INK, length=3)
        share.spines["right"].set_visible(False)
    ax.legend(frameon=False, labelcolor=INK, loc="lower right")
    return ax


def draw_events(result: Result, ax: Axes | None = None) -> Axes:
    """Draw the best cost and bound over the seconds of a run, the gap shaded."""
    title = f"{result.problem}: {result.status.lower()} by {result.method}"
    ax = titled(ax, title)
    ax.set_xlabel("seconds", color=INK)
    ax.set_ylabel("cost", color=INK)
    times = [e.seconds for e in result.events]
    times.append(max([result.seconds, *times]))
    costs = [*(e.cost for e in result.events), result.cost]
    bounds = [*(e.bound for e in result.events), result.bound]
    steps = {"drawstyle": "steps-post", "markevery": slice(0, -1)}
    draw_gap(ax, times, {"best cost": costs, "bound": bounds}, **steps)
    ax.set_xlim(0, times[-1] or 1.0)
    ax.legend(frameon=False, labelcolor=INK)
    return ax
