"""A picture of standard sizes: every piece, and what is left of its bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atleastk.instances.standard_sizes import StandardSizes
from atleastk.models.results.result import Result
from atleastk.plots.drawing import ACCENT, INK, PALETTE, begun, nothing

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(instance: StandardSizes, result: Result, ax: Axes | None = None) -> Axes:
    """Draw a bar for every piece, and what is left of it above the piece."""
    title = f"{instance.name or instance.problem}: {result.status.lower()}"
    if result.cost is not None:
        title = f"{title} cost {result.cost}"
    ax = begun(ax, title)
    ax.set_xlabel("pieces, by size", color=INK)
    ax.set_ylabel("length", color=INK)
    if result.solution is None:
        return nothing(ax, "no solution")
    groups = [
        sorted(float(instance.lengths[item]) for item in group)
        for group in result.solution.groups
    ]
    first = 0
    for pieces in sorted(groups, key=max):
        places = range(first, first + len(pieces))
        first += len(pieces)
        bars = [pieces[-1]] * len(pieces)
        ax.bar(places, bars, color=PALETTE[0])
        ax.bar(places, pieces, color=PALETTE[2])
        ax.step(places, bars, color=ACCENT, where="mid")
    return ax
