"""A picture of an anonymised table: which cells are suppressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.result import Result
from atleastk.plots.drawing import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]


def draw(instance: KAnonymity, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the suppressed cells of the table."""
    return axes(ax)
