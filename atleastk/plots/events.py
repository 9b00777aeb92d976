"""A picture of a run: the best cost and the best bound over time."""

from __future__ import annotations

from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.drawing import INK, draw_gap, titled


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
