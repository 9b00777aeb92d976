"""Shared parts of pictures of rectangles: neighbours, weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from atleastk.models.rectangles import Box
from atleastk.packages import Axes
from atleastk.plots.drawing import ACCENT, INK, write

Outline = tuple[float, float, float, float]
"""Left, bottom, width and height."""

_MOST_LABELLED: Final = 150
"""More boxes are drawn without their weights, which would not fit."""

_LETTER: Final = 0.016
"""The width of a letter, as a share of the side of a picture."""

_LINE: Final = 0.034
"""The height of a letter, as a share of the side of a picture."""


def touching(boxes: Sequence[Box]) -> list[tuple[int, int]]:
    """Return the pairs of disjoint boxes that have a common border, or a corner."""
    return [
        (g, h)
        for h, (a, c, b, d) in enumerate(boxes)
        for g, (a2, c2, b2, d2) in enumerate(boxes[:h])
        if a <= b2 and a2 <= b and c <= d2 and c2 <= d
    ]


def draw_boxes(
    ax: Axes,
    outlines: Sequence[Outline],
    heaviest: int,
    border: str,
    hues: Sequence[str] | None = None,
) -> None:
    """Draw boxes in pale hues, or as borders alone; the heaviest has one of its own."""
    from matplotlib.collections import PatchCollection
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Rectangle

    order = [*(g for g in range(len(outlines)) if g != heaviest), heaviest]
    boxes = [Rectangle(outlines[g][:2], *outlines[g][2:]) for g in order]
    faces = [to_rgba(hues[g], 0.28) for g in order] if hues else "none"
    others = len(order) - 1
    style: dict[str, Any] = {
        "edgecolors": [*[border] * others, ACCENT],
        "linewidths": [*[1.6] * others, 2.4],
        "joinstyle": "miter",
        "zorder": 1 if hues else 4,
        "clip_on": False,
    }
    ax.add_collection(PatchCollection(boxes, facecolors=faces, **style))


def write_weights(
    ax: Axes, outlines: Sequence[Outline], weights: Sequence[int], heaviest: int
) -> None:
    """Write weights into the upper left corners, rotated or not at all if narrow."""
    if len(outlines) > _MOST_LABELLED:
        return
    left, right = ax.get_xlim()
    bottom, top = ax.get_ylim()
    for g, ((x, y, width, height), weight) in enumerate(
        zip(outlines, weights, strict=True)
    ):
        label = f"{weight:,}"
        across, up = width / abs(right - left), height / abs(top - bottom)
        long = _LETTER * (len(label) + 1)
        flat = across >= long and up >= _LINE
        if not flat and not (across >= _LINE and up >= long):
            continue
        corner = (x, y + height if top > bottom else y)
        write(
            ax,
            label,
            corner,
            (3, -3),
            ha="left",
            va="top",
            rotation=0 if flat else 90,
            fontsize=8,
            fontweight="bold",
            color=ACCENT if g == heaviest else INK,
            zorder=6,
        )
