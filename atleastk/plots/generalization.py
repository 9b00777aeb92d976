"""A picture of a generalised table: the level of every cell in its hierarchy."""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.generalization import Generalization
from atleastk.models.generalization import (
    GeneralizationSolution,
    levels_of,
    solution_of_groups,
)
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.drawing import INK, draw_no_groups, titled
from atleastk.plots.tables import bands, name_columns, paint, ramp

_MOST_NAMED_SHADES: Final = 6
"""With more shades the legend names five."""


def draw(instance: Generalization, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the table, one line a row, cells the darker the higher their level is.

    The shade is the level over the height of the hierarchy. Rows are sorted by the sum
    of their shades; where they would be thinner than a pixel a band shows the mean of
    several. Below every column are its mean level and its height.
    """
    title = f"{instance.name or instance.problem}, k = {instance.k}"
    cost = "" if result.cost is None else f", {instance.loss} {result.cost}"
    ax = titled(ax, f"{title}: {result.status.lower()}{cost}")
    solution = result.solution
    if solution is None or not (solution.groups or instance.copies):
        return draw_no_groups(ax, result, "rows")
    if not isinstance(solution, GeneralizationSolution):
        solution = solution_of_groups(instance, solution.groups)
    levels = np.delete(levels_of(instance, solution), solution.ungrouped, axis=0)
    shares = levels / np.maximum(1, instance.heights)
    order = np.lexsort([*shares.T[::-1], shares.sum(axis=1)])
    paint(ax, bands(shares[order]), len(levels))
    means = zip(levels.mean(axis=0), instance.heights, strict=True)
    name_columns(ax, instance, [f"{mean:.2g} of {height}" for mean, height in means])
    ax.set_yticks([])
    ax.set_ylabel(f"{len(levels)} rows by their levels", color=INK)
    _explain(ax, shares)
    return ax


def _explain(ax: Axes, shares: FloatArray) -> None:
    """Name the shades in a legend: those in use, or five if they are many."""
    from matplotlib.patches import Patch

    shown = np.unique(shares)
    if len(shown) > _MOST_NAMED_SHADES:
        shown = np.linspace(0, 1, 5)
    colours = ramp()
    ends = {0.0: "as it is", 1.0: "top"}
    ax.legend(
        handles=[
            Patch(color=colours(share), label=ends.get(share, f"{share:.2g}"))
            for share in shown.tolist()
        ],
        title="level / height",
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        frameon=False,
        fontsize=8,
        title_fontsize=8,
    )
