"""Shared parts of all pictures: signature, Axes, colours, files."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from atleastk.instances.fields.errors import AtleastkError, optional
from atleastk.instances.files.writing import write_bytes
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.wording import counted
from atleastk.packages import Axes, Figure

INK: Final = "#1f2933"
QUIET: Final = "#8a94a3"
ACCENT: Final = "#c8442e"
PALETTE: Final = ("#c6d8ea", "#81a4cd", "#3a7ca5", "#16425b")
"""Shades of one hue, from little to much."""

_TRUE_TYPE: Final = 42
"""Type of fonts in PDF: publishers refuse type 3, the default of matplotlib."""


class Draw(Protocol):
    """Draws the solution of a result on an instance."""

    def __call__(self, instance: Any, result: Result, ax: Axes | None = None) -> Axes:
        """Return the Axes drawn on; new ones unless `ax` is given."""
        ...


def axes(ax: Axes | None, width: float = 8.0, height: float = 4.5) -> Axes:
    """Return `ax`, or new Axes on a figure without a window."""
    if ax is not None:
        return ax
    make = optional("matplotlib.figure", "plot", "pictures").Figure
    figure: Figure = make(figsize=(width, height), dpi=150, layout="constrained")
    return figure.add_subplot()


def titled(ax: Axes | None, title: str, tall: bool = False) -> Axes:
    """Return Axes with a title and a light frame; new ones unless `ax` is given.

    Tall ones are for the plane; their title is small, for two lines.
    """
    ax = axes(ax, height=6.0 if tall else 4.5)
    size: dict[str, Any] = {"fontsize": 10} if tall else {}
    shown = title.encode("utf-8", "backslashreplace").decode()  # lone surrogates
    ax.set_title(shown, loc="left", color=INK, parse_math=False, **size)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(QUIET)
    ax.tick_params(colors=QUIET, labelcolor=INK, length=3)
    return ax


def heading(
    instance: Instance, asked: str, result: Result, weights: Sequence[int], group: str
) -> str:
    """Return a title: the problem, its status, and the groups of these weights."""
    title = f"{instance.name or instance.problem}\n{asked}: {result.status.lower()}"
    if not weights:
        return title
    return (
        f"{title}, {counted(len(weights), group, ',')}, the heaviest {max(weights):,}"
    )


def draw_no_groups(ax: Axes, result: Result, items: str) -> Axes:
    """Write that there is no solution, or that it has no items."""
    return draw_nothing(ax, "no solution" if result.solution is None else f"no {items}")


def draw_nothing(ax: Axes, why: str) -> Axes:
    """Write why there is nothing to draw."""
    ax.text(0.5, 0.5, why, transform=ax.transAxes, ha="center")
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def write(
    ax: Axes,
    text: str,
    place: tuple[float, float],
    off: tuple[float, float],
    **style: Any,
) -> None:
    """Write text with a white halo, offset from a place by some points."""
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2.5, foreground="white")]
    style = {
        "ha": "center",
        "va": "bottom",
        "color": INK,
        "path_effects": halo,
        **style,
    }
    ax.annotate(text, place, off, textcoords="offset points", **style)


def draw_gap(
    ax: Axes,
    at: Sequence[float],
    costs_and_bounds: Mapping[str, Sequence[int | None]],
    **style: Any,
) -> None:
    """Draw costs and bounds, the gap shaded; None leaves a hole."""
    above, below = (
        [float("nan") if value is None else float(value) for value in line]
        for line in costs_and_bounds.values()
    )
    step: Any = "post" if style else None
    ax.fill_between(at, below, above, step=step, color=PALETTE[0], alpha=0.45)
    usual: dict[str, Any] = {"linewidth": 1.8, "markersize": 4, **style}
    names = zip(costs_and_bounds, (above, below), (ACCENT, PALETTE[2]), strict=True)
    for name, values, colour in names:
        ax.plot(at, values, "o-", color=colour, label=name, **usual)


def picture_formats() -> list[str]:
    """Return the suffixes of the formats of pictures."""
    canvases = optional("matplotlib.backend_bases", "plot", "pictures")
    return sorted(canvases.FigureCanvasBase.get_supported_filetypes())


def save(ax: Axes, path: Path) -> None:
    """Write the figure of the Axes, in the format of the file name, by default PNG."""
    figure = ax.get_figure(root=True)
    assert figure is not None, "Axes that were drawn on are on a figure"
    style = optional("matplotlib", "plot", "pictures").rc_context
    picture = io.BytesIO()
    try:
        with style({"pdf.fonttype": _TRUE_TYPE}):
            figure.savefig(picture, format=path.suffix.removeprefix(".") or "png")
    except (OSError, ValueError) as error:
        raise AtleastkError(f"{path}: cannot be written: {error}") from error
    write_bytes(path, picture.getvalue())
