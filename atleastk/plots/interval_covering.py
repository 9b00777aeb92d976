"""A picture of intervals: as of bins, in the order of the row."""

from __future__ import annotations

from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.bin_covering import draw_stacks


def draw(instance: IntervalCovering, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the intervals as stacks of their items, from the first to the last."""
    return draw_stacks(instance, result, ax, what="interval", in_order=True)
