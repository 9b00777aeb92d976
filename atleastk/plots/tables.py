"""Shared parts of pictures of tables: bands of rows, shades, names of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from atleastk.arrays import FloatArray
from atleastk.instances.generalization import Generalization
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.plots.drawing import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap


_MOST_BANDS: Final = 600
"""The most bands of rows: about the height of the picture in pixels."""

_MOST_UPRIGHT: Final = 10
"""Names of more columns are turned."""

_MOST_LETTERS: Final = 14
"""The most letters of the name of a column; longer ones are cut."""


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
    """Draw bands of rows, shaded by their share of hidden cells."""
    ax.imshow(
        shares,
        cmap=ramp(),
        vmin=0,
        vmax=1,
        aspect="auto",
        interpolation="nearest",
        extent=(-0.5, shares.shape[1] - 0.5, rows, 0),
    )
    columns = shares.shape[1]
    ax.vlines(np.arange(1, columns) - 0.5, 0, rows, color="white", linewidth=2)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.tick_params(length=0)


def name_columns(
    ax: Axes,
    instance: KAnonymity | Generalization,
    notes: Sequence[str],
    order: Sequence[int] | None = None,
) -> None:
    """Write the names of the columns in an order, each with a note."""
    names = instance.columns or [f"column {j}" for j in range(instance.m)]
    turned = instance.m > _MOST_UPRIGHT
    end = " " if turned else "\n"
    short = [
        n if len(n) <= _MOST_LETTERS else f"{n[: _MOST_LETTERS - 1]}…" for n in names
    ]
    labels = [f"{short[j]}{end}{notes[j]}" for j in order or range(instance.m)]
    more: dict[str, Any] = {"rotation": 60, "ha": "right"} if turned else {}
    ax.set_xticks(range(instance.m), labels, fontsize=8, parse_math=False, **more)
