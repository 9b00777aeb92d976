"""A picture of clusters: points, centres, discs and outliers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atleastk.instances.r_gather import RGather
from atleastk.models.result import Result
from atleastk.plots.drawing import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]


def draw(instance: RGather, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the clusters."""
    return axes(ax)
