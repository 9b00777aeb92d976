"""A picture of gathered points: clusters, the widest of them, and outliers."""

from __future__ import annotations

from atleastk.instances.r_gather import RGather
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.clustering import draw_clusters


def draw(
    instance: RGather, result: Result, ax: Axes | None = None, *, steps: int = 1
) -> Axes:
    """Draw the clusters, the widest with a border: its radius is the cost.

    Lengths are in units of `steps` steps of the coordinates.
    """
    return draw_clusters(instance, result, "radius", ax, steps, border=True)[0]
