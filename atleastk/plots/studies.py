"""Pictures of studies: ratios, times against the best, and gaps as time goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Any, Final

from atleastk.instances.fields.errors import optional
from atleastk.packages import Axes, Figure
from atleastk.plots.drawing import INK, draw_nothing, titled

Steps = Mapping[str, tuple[Sequence[float], Sequence[float]]]
"""Places and the heights from there on, by name."""

Lines = Mapping[str, tuple[Sequence[float], Sequence[float]]]
"""Places and heights of points, by name."""

_WIDE: Final = 64
"""The ratio of the greatest number to the least from which an axis is logarithmic, as
for k that doubles from 2 to 128."""

_TICKS: Final = 12
"""The most places along a line that are written below it, where there is room."""

_ROOM: Final = 0.09
"""The share of a line that a number below it needs."""

_COLOURS: Final = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7"),
    *("#e69f00", "#56b4e9", "#000000"),
)
"""The colours of Okabe and Ito (2008), distinguishable also by the colour-blind."""

_STYLES: Final = ("-", "--", ":", "-.")
"""Coprime to the number of colours: 28 lines differ, and neighbours in both style and
colour, so that they are distinguishable in grey print."""


def draw_ratios(
    ratios: Mapping[str, Sequence[float]],
    ax: Axes | None = None,
    of: str = "cost",
    to: str = "optimum",
) -> Axes:
    """Draw the distribution function of the ratios of every algorithm.

    They are of costs to optima, or of what else it is. The legend begins with the least
    mean.
    """
    ax = titled(ax, f"Instances within a ratio of the {to}")
    found = {name: each for name, each in ratios.items() if each}
    greatest = max(map(max, found.values()), default=1.0)
    ranked = sorted(found, key=lambda name: sum(found[name]) / len(found[name]))
    lines = {name: _shares(found[name], greatest) for name in ranked}
    ax.set_xscale(_scale([1.0, greatest]))
    return _drawn(ax, lines, f"{of} / {to}", "share of the instances")


def draw_profile(factors: Mapping[str, Sequence[float]], instances: int) -> Axes:
    """Draw performance profiles: instances closed within a factor of the best time."""
    ax = titled(None, "Instances closed within a factor of the best time")
    greatest = max((max(found) for found in factors.values() if found), default=1.0)
    lines = {
        name: _shares(found, greatest, instances)
        for name, found in factors.items()
        if found
    }
    if lines:
        ax.set_xscale("log")
    return _drawn(ax, lines, "seconds / seconds of the best", "share of the instances")


def draw_gaps(gaps: Steps) -> Axes:
    """Draw the mean gap between cost and bound as the seconds go on."""
    ax = titled(None, "Mean gap (cost - bound) / cost")
    if gaps:
        ax.set_xscale("log")
    first = min((places[0] for places, _ in gaps.values()), default=0.0)
    last = max((places[-1] for places, _ in gaps.values()), default=0.0)
    lines = {
        name: ([first, *places, last], [1.0, *heights, heights[-1]])
        for name, (places, heights) in gaps.items()
    }
    return _drawn(ax, lines, "seconds", "gap")


def draw_curves(panels: Mapping[str, Mapping[str, Lines]], along: str) -> Axes:
    """Draw lines along a number: a row for every panel, its parts side by side.

    Returns the first Axes of the figure.
    """
    if not panels:
        return draw_nothing(
            titled(None, f"Costs against {along}"), "nothing to be drawn"
        )
    make = optional("matplotlib.figure", "plot", "pictures").Figure
    across = max(len(parts) for parts in panels.values())
    every = (lines for parts in panels.values() for lines in parts.values())
    labels = dict.fromkeys(label for each in every for label in each)
    looks = {label: _look(i) for i, label in enumerate(labels)}
    size = 4.4 * across, 3.2 * len(panels)
    figure = make(figsize=size, dpi=150, layout="constrained")
    grid = figure.subplots(len(panels), across, squeeze=False)
    heights_of: dict[str, list[float]] = {}
    for parts in panels.values():
        for what, lines in parts.items():
            heights = heights_of.setdefault(what, [])
            heights += (h for _, up in lines.values() for h in up)
    scales = {what: _scale(up) for what, up in heights_of.items()}
    for row, (name, parts) in zip(grid, panels.items(), strict=True):
        for ax, (what, lines) in zip(row, parts.items(), strict=True):
            titled(ax, name)
            for label, line in lines.items():
                ax.plot(*line, label=label, marker=".", **looks[label])
            met = sorted({place for each, _ in lines.values() for place in each})
            ax.set_xscale(_scale(met))
            if len(met) <= _TICKS:
                ticks = _apart(met, _scale(met))
                words = [f"{x:.2g}" if 0 < x < 1 else f"{x:g}" for x in ticks]
                ax.set_xticks(ticks, words)
                ax.minorticks_off()
            ax.set_yscale(scales[what])
            ax.set_xlabel(along, color=INK)
            ax.set_ylabel(what, color=INK)
    drawn = {line.get_label(): line for ax in grid.flat for line in ax.get_lines()}
    ordered = {label: drawn[label] for label in looks}
    _legend(figure, ordered, loc="outside upper center", ncols=5)
    first: Axes = grid[0, 0]
    return first


def _scale(numbers: Iterable[float]) -> str:
    positive = [number for number in numbers if number > 0]
    wide = bool(positive) and _WIDE * min(positive) <= max(positive)
    return "log" if wide else "linear"


def _apart(places: Sequence[float], scale: str) -> Sequence[float]:
    """Return the places, ascending, whose numbers have room beside each other."""
    along = [log(p) if scale == "log" and p > 0 else p for p in places]
    room = (along[-1] - along[0]) * _ROOM
    kept = [0]
    for i in range(1, len(places)):
        if along[i] - along[kept[-1]] >= room:
            kept.append(i)
    return [places[i] for i in kept]


def _shares(
    values: Sequence[float], last: float, count: int | None = None
) -> tuple[Sequence[float], Sequence[float]]:
    """Return the steps of the distribution function of `count` values.

    They begin at 1, the least possible value.
    """
    total = count or len(values)
    shares = [i / total for i in range(len(values) + 1)]
    return [1.0, *sorted(values), last], [*shares, shares[-1]]


def _look(i: int) -> dict[str, Any]:
    colour, style = _COLOURS[i % len(_COLOURS)], _STYLES[i % len(_STYLES)]
    return {"color": colour, "linestyle": style}


def _legend(place: Axes | Figure, lines: Mapping[str, Any], **where: Any) -> None:
    # The blank shows names that begin with "_", which matplotlib leaves out.
    names = [f" {name}" for name in lines]
    legend = place.legend(list(lines.values()), names, fontsize=8, **where)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _drawn(ax: Axes, lines: Steps, along: str, up: str) -> Axes:
    if not lines:
        return draw_nothing(ax, "nothing to be drawn")
    drawn = {
        name: ax.step(places, heights, where="post", **_look(i))[0]
        for i, (name, (places, heights)) in enumerate(lines.items())
    }
    ax.set_xlabel(along, color=INK)
    ax.set_ylabel(up, color=INK)
    ax.set_ylim(0.0, 1.02)
    beside = (1.0, 1.0)
    _legend(ax, drawn, loc="upper left", bbox_to_anchor=beside, frameon=False)
    return ax
