"""A picture of a run: how the best cost and the best bound closed in on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atleastk.models.result import Result
from atleastk.plots.drawing import ACCENT, INK, PALETTE, axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_events"]


def draw_events(result: Result, ax: Axes | None = None) -> Axes:
    """Draw the best cost and bound over the seconds of a run, the gap shaded."""
    ax = axes(ax)
    ax.set_title(
        f"{result.problem}: {result.status.lower()} by {result.method}",
        loc="left",
        color=INK,
    )
    ax.set_xlabel("seconds", color=INK)
    ax.set_ylabel("cost", color=INK)
    plain(ax)
    times = [e.seconds for e in result.events]
    times.append(max([result.seconds, *times]))
    costs = [_number(e.cost) for e in result.events] + [_number(result.cost)]
    bounds = [_number(e.bound) for e in result.events] + [_number(result.bound)]
    ax.fill_between(times, bounds, costs, step="post", color=PALETTE[0], alpha=0.45)
    for values, colour, label in (
        (costs, ACCENT, "best cost"),
        (bounds, PALETTE[2], "bound"),
    ):
        ax.step(times, values, where="post", color=colour, linewidth=1.8, label=label)
        ax.plot(times[:-1], values[:-1], "o", color=colour, markersize=3.5)
    ax.set_xlim(0, times[-1] or 1.0)
    ax.legend(frameon=False, labelcolor=INK)
    return ax


def _number(value: int | None) -> float:
    return float("nan") if value is None else float(value)
