"""What every picture shares: how it is called, its Axes, its colours."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from atleastk.instances.errors import AtleastkError, BackendUnavailableError
from atleastk.instances.writing import write_bytes
from atleastk.models.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "ACCENT",
    "INK",
    "PALETTE",
    "QUIET",
    "Draw",
    "axes",
    "picture_formats",
    "save",
]

INK: Final = "#1f2933"
QUIET: Final = "#8a94a3"
ACCENT: Final = "#c8442e"
PALETTE: Final = ("#c6d8ea", "#81a4cd", "#3a7ca5", "#16425b")
"""Shades of one hue, from little to much."""


_NO_MATPLOTLIB: Final = "pictures need matplotlib: pip install 'atleastk[plot]'"


class Draw(Protocol):
    """Draws the solution of a result on an instance."""

    def __call__(self, instance: Any, result: Result, ax: Axes | None = None) -> Axes:
        """Return the Axes drawn on; new ones unless `ax` is given."""
        ...


def axes(ax: Axes | None, width: float = 8.0, height: float = 4.5) -> Axes:
    """Return `ax`, or new Axes on a figure that no window system knows of."""
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise BackendUnavailableError(_NO_MATPLOTLIB) from error
    figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
    return figure.add_subplot()


def plain(ax: Axes) -> None:
    """Take away the frame, and draw what is left of it quietly."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(QUIET)
    ax.tick_params(colors=QUIET, labelcolor=INK, length=3)


def picture_formats() -> list[str]:
    """Return the ends of names by which formats of pictures are known."""
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ModuleNotFoundError as error:
        raise BackendUnavailableError(_NO_MATPLOTLIB) from error
    return sorted(FigureCanvasBase.get_supported_filetypes())


def save(ax: Axes, path: Path) -> None:
    """Write the figure of the Axes to a file whose name tells the format: else PNG."""
    figure = ax.get_figure(root=True)
    assert figure is not None, "Axes that were drawn on are on a figure"
    picture = io.BytesIO()
    try:
        figure.savefig(picture, format=path.suffix.removeprefix(".") or "png")
    except (OSError, ValueError) as error:
        message = f"{path}: cannot be written: {error}"
        raise AtleastkError(message) from error
    write_bytes(path, picture.getvalue())
