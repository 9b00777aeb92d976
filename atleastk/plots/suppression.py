"""A picture of a table after suppression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atleastk.instances.suppression import Suppression
from atleastk.models.result import Result
from atleastk.plots.drawing import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]


def draw(instance: Suppression, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the table."""
    ax = axes(ax)
    ax.set_title(f"{instance}: {result.status}")
    return ax
