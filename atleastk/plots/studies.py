"""Pictures of studies: ratios, times against the best, and gaps as time goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from atleastk.instances.errors import optional
from atleastk.plots.drawing import INK, begun, nothing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_curves", "draw_gaps", "draw_profile", "draw_ratios"]

Steps = Mapping[str, tuple[Sequence[float], Sequence[float]]]
"""Places and the heights from there on, by name."""

Lines = Mapping[str, tuple[Sequence[float], Sequence[float]]]
"""Places and heights of points, by name."""

_WIDE: Final = 64
"""From this ratio of the greatest number to the least on, an axis is logarithmic: so k
is where it doubles from 2 to 128."""

_TICKS: Final = 12
"""So many places along a line are written below it, each of them."""

_STYLES: Final = ("-", "--", ":", "-.")

_COLOURS: Final = 10
"""Colours of matplotlib's cycle; more lines differ by their style."""


def draw_ratios(ratios: Mapping[str, Sequence[float]], ax: Axes | None = None) -> Axes:
    """Draw, for every algorithm, the share of its ratios that are at most so great."""
    ax = begun(ax, "Instances within a ratio of the optimum")
    greatest = max((max(found) for found in ratios.values() if found), default=1.0)
    lines = {name: _shares(found, greatest) for name, found in ratios.items() if found}
    return _drawn(ax, lines, "cost / optimum", "share of the instances")


def draw_profile(
    factors: Mapping[str, Sequence[float]], instances: int, ax: Axes | None = None
) -> Axes:
    """Draw the share of instances that a method closes within so many best times."""
    ax = begun(ax, "Instances closed within a factor of the best time")
    greatest = max((max(found) for found in factors.values() if found), default=1.0)
    lines = {
        name: _shares(found, greatest, instances)
        for name, found in factors.items()
        if found
    }
    if lines:
        ax.set_xscale("log")
    return _drawn(ax, lines, "seconds / seconds of the best", "share of the instances")


def draw_gaps(gaps: Steps, ax: Axes | None = None) -> Axes:
    """Draw the mean gap between cost and bound as the seconds go on."""
    ax = begun(ax, "Mean gap (cost - bound) / cost")
    if gaps:
        ax.set_xscale("log")
    return _drawn(ax, gaps, "seconds", "gap")


def draw_curves(panels: Mapping[str, Mapping[str, Lines]], along: str) -> Axes:
    """Draw lines along a number: a row for every panel, beside each other its parts.

    Returns the first Axes of the figure.
    """
    if not panels:
        return nothing(begun(None, f"Costs against {along}"), "nothing to be drawn")
    make = optional("matplotlib.figure", "plot", "pictures").Figure
    across = max(len(parts) for parts in panels.values())
    every = (lines for parts in panels.values() for lines in parts.values())
    looks = {
        label: {"color": f"C{i}", "linestyle": _STYLES[i // _COLOURS % len(_STYLES)]}
        for i, label in enumerate(
            dict.fromkeys(label for each in every for label in each)
        )
    }
    figure = make(
        figsize=(4.4 * across, 3.2 * len(panels)), dpi=150, layout="constrained"
    )
    grid = figure.subplots(len(panels), across, squeeze=False)
    heights_of: dict[str, list[float]] = {}
    for parts in panels.values():
        for what, lines in parts.items():
            heights_of.setdefault(what, []).extend(
                h for _, up in lines.values() for h in up
            )
    scales = {what: _scale(heights) for what, heights in heights_of.items()}
    for row, (name, parts) in zip(grid, panels.items(), strict=True):
        for ax, (what, lines) in zip(row, parts.items(), strict=True):
            begun(ax, name)
            for label, (places, heights) in lines.items():
                ax.plot(places, heights, label=label, marker=".", **looks[label])
            met = sorted({place for each, _ in lines.values() for place in each})
            ax.set_xscale(_scale(met))
            if len(met) <= _TICKS:
                ax.set_xticks(met, [f"{place:g}" for place in met])
                ax.minorticks_off()
            ax.set_yscale(scales[what])
            ax.set_xlabel(along, color=INK)
            ax.set_ylabel(what, color=INK)
    drawn = {line.get_label(): line for ax in grid.flat for line in ax.get_lines()}
    handles = [drawn[label] for label in looks]
    figure.legend(handles, list(looks), ncols=5, fontsize=8, loc="outside upper center")
    first: Axes = grid[0, 0]
    return first


def _scale(numbers: Iterable[float]) -> str:
    positive = [number for number in numbers if number > 0]
    wide = bool(positive) and _WIDE * min(positive) <= max(positive)
    return "log" if wide else "linear"


def _shares(
    values: Sequence[float], last: float, count: int | None = None
) -> tuple[Sequence[float], Sequence[float]]:
    """Return the steps of the share of `count` values that are at most so great."""
    total = count or len(values)
    shares = [(i + 1) / total for i in range(len(values))]
    return [*sorted(values), last], [*shares, shares[-1]]


def _drawn(ax: Axes, lines: Steps, along: str, up: str) -> Axes:
    if not lines:
        return nothing(ax, "nothing to be drawn")
    for i, (name, (places, heights)) in enumerate(lines.items()):
        style = _STYLES[i // _COLOURS % len(_STYLES)]
        ax.step(places, heights, where="post", label=name, linestyle=style)
    ax.set_xlabel(along, color=INK)
    ax.set_ylabel(up, color=INK)
    ax.set_ylim(top=1.02)
    ax.legend(frameon=False, fontsize=8, loc="best")
    return ax
