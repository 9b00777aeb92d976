"""A picture of bins: stacks of items, with lines at k and at the cost."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from atleastk.instances.covering import Covering
from atleastk.models.covering import levels
from atleastk.models.results.result import Result
from atleastk.models.wording import counted
from atleastk.packages import Axes
from atleastk.plots.drawing import ACCENT, INK, PALETTE, draw_nothing, titled

_MOST_EDGED_ITEMS = 400
"""More items are drawn without edges, which would hide them."""

_MOST_LABELLED_ITEMS = 120
"""More items are drawn without their sizes, which would not fit."""

_MOST_LABELLED_BINS = 24
"""More bins are drawn without the sizes of items, which would not fit."""

_MOST_STACKED_BINS = 150
"""More bins are drawn as an outline: their items would be thinner than a pixel."""

_LEAST_SPAN = 6.0
"""The least width of the axis in bins, so that few do not become wide."""

_BAR = 0.82
"""The width of a bar, as a share of the distance of two."""


def draw(
    instance: Covering, result: Result, ax: Axes | None = None, digits: int = 0
) -> Axes:
    """Draw the bins as stacks of their items, the fullest bin first.

    The last `digits` of sizes are decimals.
    """
    return draw_stacks(instance, result, ax, "bin", in_order=False, digits=digits)


def draw_stacks(
    instance: Covering,
    result: Result,
    ax: Axes | None,
    what: str,
    *,
    in_order: bool,
    digits: int = 0,
) -> Axes:
    """Draw groups as stacks of their items, largest at the bottom.

    Where items would be thinner than their edges the edges are left out; where bars
    would be thinner than a hair only the outline of the levels is drawn. With
    `in_order` groups, and items within them, are drawn in the given order.
    """
    ax = titled(ax, _title(instance, result, what, digits))
    ax.set_xlabel(f"{what}s" if in_order else f"{what}s, fullest first", color=INK)
    ax.set_ylabel("level", color=INK)
    if result.solution is None:
        return draw_nothing(ax, "no solution")
    unit = 10**digits
    filled = levels(instance, result.solution)
    heights = [level / unit for level in filled]
    groups = list(zip(heights, result.solution.groups, strict=True))
    if not in_order:
        groups.sort(key=lambda entry: -entry[0])
    heights = [height for height, _ in groups]
    stacks = [[instance.sizes[i] / unit for i in group] for _, group in groups]
    if len(stacks) > _MOST_STACKED_BINS:
        edges = np.arange(len(heights) + 1) - 0.5
        ax.stairs(heights, edges, fill=True, color=PALETTE[-2])
    else:
        if not in_order:
            stacks = [sorted(stack, reverse=True) for stack in stacks]
        _stack(ax, stacks, instance.k / unit)
    fullest, k = max(heights), instance.k / unit
    close = fullest - k < 0.06 * fullest
    below, above = ("top", "bottom") if close else ("center", "center")
    _line(ax, k, f"k = {_in_units(instance.k, digits)}", INK, "--", below)
    label = "cost" if instance.objective == "max" else "fullest"
    if fullest > k:
        _line(
            ax, fullest, f"{label} {_in_units(max(filled), digits)}", ACCENT, "-", above
        )
    slack = max(0.0, _LEAST_SPAN - len(stacks)) / 2
    ax.set_xlim(-0.5 - slack, len(stacks) - 0.5 + slack)
    ax.set_ylim(0, 1.05 * fullest)
    ax.locator_params(axis="x", integer=True)
    if not in_order:
        ax.set_xticks([])
    return ax


def _stack(ax: Axes, stacks: Sequence[Sequence[float]], k: float) -> None:
    """Draw every item as a block, the darker the larger, its label off the line."""
    from matplotlib.colors import LinearSegmentedColormap

    sizes = np.array([size for stack in stacks for size in stack], dtype=float)
    places = np.repeat(np.arange(len(stacks)), [len(stack) for stack in stacks])
    tops = np.concatenate([np.cumsum(stack, dtype=float) for stack in stacks])
    shade = (sizes - sizes.min()) / max(1.0, float(np.ptp(sizes)))
    ramp = LinearSegmentedColormap.from_list("sizes", PALETTE)
    few = len(sizes) <= _MOST_EDGED_ITEMS
    ax.bar(
        places,
        sizes,
        width=_BAR,
        bottom=tops - sizes,
        color=ramp(shade),
        edgecolor="white",
        linewidth=0.6 if few else 0.0,
    )
    if len(sizes) <= _MOST_LABELLED_ITEMS and len(stacks) <= _MOST_LABELLED_BINS:
        for place, top, size, tone in zip(places, tops, sizes, shade, strict=True):
            if size > 0.035 * tops.max():
                colour = "white" if tone > 0.4 else INK
                height = _label_height(top - size, top, k, 0.03 * tops.max())
                ax.annotate(
                    f"{size:.6g}",
                    (float(place), height),
                    color=colour,
                    ha="center",
                    va="center_baseline",
                    fontsize=8,
                )


def _label_height(bottom: float, top: float, k: float, near: float) -> float:
    """Return the middle of a block, or of its greater part if the line cuts it."""
    middle = (bottom + top) / 2
    if abs(middle - k) >= near:
        return float(middle)
    return float((bottom + k) / 2 if k - bottom > top - k else (k + top) / 2)


def _line(ax: Axes, level: float, label: str, colour: str, style: str, va: str) -> None:
    ax.axhline(level, color=colour, linewidth=1.2, linestyle=style)
    ax.annotate(
        label,
        (1.0, level),
        xycoords=("axes fraction", "data"),
        xytext=(5, 0),
        textcoords="offset points",
        va=va,
        color=colour,
        fontweight="bold",
        annotation_clip=False,
    )


def _title(instance: Covering, result: Result, what: str, digits: int) -> str:
    name = instance.name or instance.problem
    if result.groups is None:
        return f"{name}: {result.status}"
    bins = f"{instance.n} items in {counted(len(result.groups), what)}"
    cost = _in_units(result.cost or 0, digits)
    return f"{name}: {bins}, {result.status.lower()} cost {cost}"


def _in_units(size: int, digits: int) -> str:
    return f"{Decimal(f'{size}e-{digits}'):f}"
