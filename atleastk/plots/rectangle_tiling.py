"""A picture of Rectangle tiling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.result import Result
from atleastk.plots.drawing import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]


def draw(instance: RectangleTiling, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the groups."""
    return axes(ax)
