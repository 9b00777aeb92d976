"""A picture of an anonymised table: which cells are suppressed."""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import BoolArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.deals import in_rows
from atleastk.models.k_anonymity import suppressed
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.drawing import INK, QUIET, draw_no_groups, titled
from atleastk.plots.tables import bands, name_columns, paint

_MOST_RULED_ROWS: Final = 60
"""More rows are drawn without lines between groups."""


def draw(instance: KAnonymity, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the table, one line a row, its suppressed cells dark: `draw_hidden`."""
    solution = result.solution
    hidden = None if solution is None else suppressed(instance, solution)
    return draw_hidden(instance, result, hidden, ax)


def draw_hidden(
    instance: KAnonymity,
    result: Result,
    hidden: BoolArray | None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a table of which these cells are suppressed; None without a solution.

    Rows are sorted by their suppressed cells, those without any at the top; where they
    would be thinner than a pixel a band shows the share of several. Below every column
    is its share of suppressed cells.
    """
    ax = titled(ax, _title(instance, result))
    if result.solution is None or hidden is None or not instance.n:
        return draw_no_groups(ax, result, "rows")
    group_of = np.array(in_rows(instance, result.solution).labels)
    order = np.lexsort([group_of, *hidden.T[::-1], hidden.sum(axis=1)])
    paint(ax, bands(hidden[order]), instance.n)
    if instance.n <= _MOST_RULED_ROWS:
        changes = np.flatnonzero(np.diff(group_of[order])) + 1
        ax.hlines(changes, -0.5, instance.m - 0.5, color=QUIET, linewidth=0.6)
    _label(ax, instance, hidden)
    return ax


def _label(ax: Axes, instance: KAnonymity, hidden: BoolArray) -> None:
    """Name the columns with their shares, and on the left the numbers of stars."""
    name_columns(ax, instance, [f"{share:.1%}" for share in hidden.mean(axis=0)])
    stars = np.sort(hidden.sum(axis=1))
    levels, starts, counts = np.unique(stars, return_index=True, return_counts=True)
    wide = counts >= 0.03 * len(stars)
    ax.set_yticks(
        (starts + counts / 2)[wide],
        [f"{level} of {instance.m}" for level in levels[wide]],
        fontsize=8,
    )
    ax.set_ylabel(f"{instance.n} rows by suppressed cells", color=INK)


def _title(instance: KAnonymity, result: Result) -> str:
    name = instance.name or instance.problem
    title = f"{name}, k = {instance.k}: {result.status.lower()}"
    if result.cost is None:
        return title
    cells = instance.n * instance.m
    share = f", {result.cost / cells:.1%}" if cells else ""
    return f"{title}, {result.cost} of {cells} cells suppressed{share}"
