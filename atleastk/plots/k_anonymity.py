"""A picture of an anonymised table: which cells are suppressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.k_anonymity import suppressed
from atleastk.models.result import Result
from atleastk.plots.drawing import INK, PALETTE, QUIET, axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

__all__ = ["bands", "draw", "draw_hidden", "nothing", "paint", "ramp", "short"]

_MOST_BANDS: Final = 600
"""About the height of the picture in pixels."""
_MOST_RULED_ROWS: Final = 60
_MOST_LEVEL_LABELS: Final = 8
_MOST_LETTERS: Final = 14


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

    Rows are sorted by what they suppress, those without a suppressed cell at the top;
    where they would be thinner than a pixel a band shows the share of several. Below
    every column is its share of suppressed cells.
    """
    ax = axes(ax)
    ax.set_title(_title(instance, result), loc="left", color=INK)
    plain(ax)
    if result.solution is None or hidden is None or not instance.n:
        told = "no solution" if result.solution is None else "no rows"
        return nothing(ax, told)
    group_of = np.empty(instance.n, dtype=np.int64)
    for g, group in enumerate(result.solution.groups):
        group_of[list(group)] = g
    order = _order(hidden, group_of)
    paint(ax, bands(hidden[order]), instance.n)
    if instance.n <= _MOST_RULED_ROWS:
        changes = np.flatnonzero(np.diff(group_of[order])) + 1
        ax.hlines(changes, -0.5, instance.m - 0.5, color=QUIET, linewidth=0.6)
    ax.vlines(np.arange(1, instance.m) - 0.5, 0, instance.n, color="white", linewidth=2)
    _label(ax, instance, hidden)
    return ax


def nothing(ax: Axes, told: str) -> Axes:
    """Say why there is nothing to draw."""
    ax.text(0.5, 0.5, told, transform=ax.transAxes, ha="center")
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def _order(hidden: BoolArray, group_of: IntArray) -> IntArray:
    """Sort rows by their number of suppressed cells, then by columns, then by group."""
    keys = [group_of, *(hidden[:, j] for j in reversed(range(hidden.shape[1])))]
    return np.lexsort([*keys, hidden.sum(axis=1)])


def bands(cells: NDArray[Any]) -> FloatArray:
    """Return the mean of the cells in bands of about equally many rows."""
    edges = np.linspace(0, len(cells), min(len(cells), _MOST_BANDS) + 1).astype(int)
    sums = np.add.reduceat(cells.astype(np.float64), edges[:-1], axis=0)
    shares: FloatArray = sums / np.diff(edges)[:, None]
    return shares


def ramp() -> Colormap:
    """Return the shades from cells that are shown to cells that are not."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("hidden", ("#eef2f6", *PALETTE[1:]))


def paint(ax: Axes, shares: FloatArray, rows: int) -> None:
    """Draw bands of so many rows, shaded by what they do not show, 0 to 1."""
    ax.imshow(
        shares,
        cmap=ramp(),
        vmin=0,
        vmax=1,
        aspect="auto",
        interpolation="nearest",
        extent=(-0.5, shares.shape[1] - 0.5, rows, 0),
    )
    for side in ax.spines.values():
        side.set_visible(False)
    ax.tick_params(length=0)


def _label(ax: Axes, instance: KAnonymity, hidden: BoolArray) -> None:
    """Name the columns with their shares, and on the left the numbers of stars."""
    names = instance.columns or [f"column {j}" for j in range(instance.m)]
    shares = hidden.mean(axis=0)
    many = instance.m > _MOST_LEVEL_LABELS + 2
    labels = [
        f"{short(name)}{' ' if many else chr(10)}{share:.1%}"
        for name, share in zip(names, shares, strict=True)
    ]
    more: dict[str, Any] = {"rotation": 60, "ha": "right"} if many else {}
    ax.set_xticks(range(instance.m), labels, fontsize=8, **more)
    stars = np.sort(hidden.sum(axis=1))
    levels, starts, counts = np.unique(stars, return_index=True, return_counts=True)
    wide = counts >= 0.03 * len(stars)
    ax.set_yticks(
        (starts + counts / 2)[wide],
        [f"{level} of {instance.m}" for level in levels[wide]],
        fontsize=8,
    )
    ax.set_ylabel(f"{instance.n} rows by suppressed cells", color=INK)


def short(name: str) -> str:
    """Return the name of a column, cut if it is long."""
    return name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS - 1]}…"


def _title(instance: KAnonymity, result: Result) -> str:
    name = instance.name or instance.problem
    told = f"{name}, k = {instance.k}: {result.status.lower()}"
    if result.cost is None:
        return told
    cells = instance.n * instance.m
    share = f", {result.cost / cells:.1%}" if cells else ""
    return f"{told}, {result.cost} of {cells} cells suppressed{share}"
