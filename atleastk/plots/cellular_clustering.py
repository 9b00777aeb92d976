"""A picture of a cellular clustering: every cluster and its cost."""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.clustering import Clusters, draw_clusters, length
from atleastk.plots.drawing import write

_MOST_LABELLED: Final = 60
"""More clusters are drawn without labels, which would overlap."""

_ROOM: Final = np.array([0.1, 0.04])
"""The size of a label, as a share of the picture."""


def draw(
    instance: CellularClustering,
    result: Result,
    ax: Axes | None = None,
    *,
    steps: int = 1,
) -> Axes:
    """Draw the clusters; if they are few, with the size times the radius of each.

    Lengths are in units of `steps` steps of the coordinates.
    """
    ax, drawn = draw_clusters(instance, result, "cost", ax, steps)
    if drawn is not None and len(drawn.radii) <= _MOST_LABELLED:
        _label(ax, instance, drawn, steps)
    return ax


def _label(ax: Axes, instance: CellularClustering, drawn: Clusters, steps: int) -> None:
    """Write the cost above clusters, the greatest first, unless labels overlap."""
    groups, radii, tops = drawn.solution.groups, drawn.radii, drawn.tops
    room = np.abs(np.array([np.diff(ax.get_xlim())[0], np.diff(ax.get_ylim())[0]]))
    taken: list[FloatArray] = []
    for g in sorted(range(len(groups)), key=lambda g: -len(groups[g]) * radii[g]):
        crowded = any((np.abs(tops[g] - top) < _ROOM * room).all() for top in taken)
        if not radii[g] or crowded:
            continue
        taken.append(tops[g])
        radius = length(instance, radii[g], steps)
        label = f"{len(groups[g])} \N{MULTIPLICATION SIGN} {radius}"
        write(ax, label, (tops[g, 0], tops[g, 1]), (0, 2), fontsize=7, zorder=5)
