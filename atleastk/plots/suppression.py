"""A picture of a table after suppression: cells, the region, importance classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import in_words
from atleastk.models.results.result import Result
from atleastk.models.suppression import (
    SuppressionSolution,
    mask_of,
    measures,
    solution_of_groups,
)
from atleastk.packages import Axes
from atleastk.plots.drawing import ACCENT, INK, draw_no_groups, titled
from atleastk.plots.tables import bands, name_columns, paint


def draw(instance: Suppression, result: Result, ax: Axes | None = None) -> Axes:
    """Draw the table, one line a row, its suppressed cells dark.

    Bars show the region where there is one: its columns above the table, its rows on
    the left. Classes of an importance order are drawn apart, the most important ones
    first, at the top or on the left. Within a class, rows are sorted by being in the
    region and by their suppressed cells.
    """
    solution = result.solution
    if solution is None or not instance.n:
        return draw_no_groups(titled(ax, _title(instance, result, {})), result, "rows")
    if not isinstance(solution, SuppressionSolution):
        solution = solution_of_groups(instance, solution.groups)
    found = measures(instance, solution)
    ax = titled(ax, _title(instance, result, found))
    hidden = mask_of(instance, solution)
    in_rows, in_columns = _region(instance, solution, hidden)
    row_class = _classes(instance.row_order, instance.n)
    column_class = _classes(instance.column_order, instance.m)
    across = np.argsort(column_class, kind="stable")
    keys = (*hidden.T[::-1], hidden.sum(axis=1), in_rows, row_class)
    down = np.lexsort(keys)
    paint(ax, bands(hidden[down][:, across]), instance.n)
    _bars(ax, in_rows[down], in_columns[across])
    _borders(ax, row_class[down], column_class[across])
    notes = [str(count) for count in hidden.sum(axis=0).tolist()]
    for j in instance.intact:
        notes[j] = "intact"
    name_columns(ax, instance, notes, across.tolist())
    _name_classes(ax, row_class[down])
    named = "by importance" if instance.row_order else "by suppressed cells"
    ax.set_ylabel(f"{instance.n} rows {named}", color=INK)
    return ax


def _title(instance: Suppression, result: Result, found: dict[str, int]) -> str:
    asked = instance.variant or f"minimise {instance.minimise}"
    parts = [f"{asked}, k = {instance.k}: {result.status.lower()}"]
    if found and instance.minimise != "none":
        parts.append(f"{in_words(instance.minimise)} {found[instance.minimise]}")
    parts += [
        f"{in_words(quantity)} {found[quantity]} of {limit}"
        for quantity, limit in instance.limits.items()
        if found
    ]
    return ", ".join(parts)


def _region(
    instance: Suppression, solution: SuppressionSolution, hidden: BoolArray
) -> tuple[BoolArray, BoolArray]:
    """Return which rows and which columns belong to the region; none without one."""
    columns: BoolArray = np.zeros(instance.m, dtype=np.bool_)
    if instance.region == ("rows", "columns"):
        columns[list(solution.columns)] = True
    elif "columns" in instance.region:
        columns = np.asarray(hidden.any(axis=0))
    rows: BoolArray = np.zeros(instance.n, dtype=np.bool_)
    if "rows" in instance.region:
        rows = np.asarray(hidden[:, ~columns].any(axis=1))
    return rows, columns


def _classes(order: Any, count: int) -> IntArray:
    found = np.zeros(count, dtype=np.int64)
    for c, members in enumerate(order or ()):
        found[list(members)] = c
    return found


def _bars(ax: Axes, rows: BoolArray, columns: BoolArray) -> None:
    """Draw a bar above every column of the region, and beside its rows."""
    n, m = len(rows), len(columns)
    above, beside = -0.015 * n, -0.5 - 0.015 * m
    for low, high in _runs(columns):
        ends = (low - 0.45, high - 0.55)
        ax.plot(ends, (above, above), color=ACCENT, linewidth=3, clip_on=False)
    for low, high in _runs(rows):
        ax.plot((beside, beside), (low, high), color=ACCENT, linewidth=3, clip_on=False)
    ax.set_xlim(-0.5 - 0.03 * m, m - 0.5)
    ax.set_ylim(n, -0.03 * n)


def _runs(flags: BoolArray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(flags.astype(np.int8), prepend=0, append=0))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _borders(ax: Axes, row_class: IntArray, column_class: IntArray) -> None:
    n, m = len(row_class), len(column_class)
    beside = np.flatnonzero(np.diff(column_class)) + 0.5
    ax.vlines(beside, 0, n, color=INK, linewidth=1.2)
    below = np.flatnonzero(np.diff(row_class)) + 1
    ax.hlines(below, -0.5, m - 0.5, color=INK, linewidth=1.2)


def _name_classes(ax: Axes, row_class: IntArray) -> None:
    """Mark the classes of rows on the left, where there are several."""
    starts = np.flatnonzero(np.diff(row_class, prepend=-1))
    ends = np.append(starts[1:], len(row_class))
    middles = (starts + ends) / 2 if len(starts) > 1 else starts[:0]
    labels = [f"class {c}" for c in range(len(middles))]
    ax.set_yticks(middles, labels, fontsize=8)
