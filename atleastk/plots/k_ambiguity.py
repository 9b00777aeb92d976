"""A picture of a table after k_ambiguity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.result import Result
from atleastk.plots.drawing import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]


def draw(instance: KAmbiguity, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the table."""
    ax = axes(ax)
    ax.set_title(f"{instance}: {result.status}")
    return ax
