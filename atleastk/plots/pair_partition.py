"""A picture of pair partition: points, items on a circle, or groups with wishes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import ceil, cos, pi, sin
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.drawing import ACCENT, INK, PALETTE, draw_nothing, titled, write
from atleastk.plots.hues import HUES
from atleastk.plots.layouts import stretch_of

_MOST_NAMED: Final = 100
"""More items are drawn without their names, which would overlap."""

_WIDER: Final = 16 / 9
"""How many times as wide as high a picture of groups is."""

_RADIUS: Final = 0.29
"""The radius of the ring of a group, whose neighbours are at a distance of 1."""

_SMALL: Final = 7.0
"""The height of names in points."""

_LETTER: Final = 4.5
"""About how wide a letter of them is."""

_DOT: Final = 2.5
"""The radius of an item."""

_SIDES: Final = (
    (0.0, 4.0, "center", "bottom"),
    (5.0, 0.0, "left", "center"),
    (-5.0, 0.0, "right", "center"),
    (0.0, -4.0, "center", "top"),
)
"""Where a name may be: how far from its item in points, and how it is aligned."""

_BEFORE: Final = {"left": 0.0, "center": 0.5, "right": 1.0, "bottom": 0.0, "top": 1.0}
"""The share of a name that is left of, or below, where it is aligned."""

_KEPT: Final = "#4f9d69"
_THICK: Final = {"linewidth": 1.2}


_Box = tuple[float, float, float, float]
_Line = tuple[int, int, dict[str, Any]]
"""Two items, and how the line between them is drawn."""


class Wished(NamedTuple):
    """A pair of items that was wished for, and whether that was kept."""

    one: int
    other: int
    kept: bool


def draw(
    instance: PairPartition,
    result: Result,
    ax: Axes | None = None,
    places: FloatArray | None = None,
    names: Sequence[str] = (),
    wishes: Sequence[Wished] | None = None,
    title: str = "",
    axes: Sequence[str] = (),
) -> Axes:
    """Draw every group in a colour, with lines for its pairs.

    Items are at `places`, if these are given, and have `names` beside them. If some
    pairs cost less than nothing, these alone are lines, grey between groups; if groups
    are connected, all that connect them. If there are `wishes` these are the lines,
    green if they are kept and red if not, and groups without places are rings. A
    `title` takes the place of problem, status and cost; `axes` have the names of what
    is across and up.
    """
    cost = "" if result.cost is None else f" cost {result.cost}"
    usual = f"{instance.name or instance.problem}: {result.status.lower()}{cost}"
    ax = titled(ax, title or usual)
    if result.solution is None:
        return draw_nothing(ax, "no solution")
    groups = [list(group) for group in result.solution.groups]
    rings = places is None and wishes is not None
    if places is not None:
        at = {i: (float(x), float(y)) for i, (x, y) in enumerate(places)}
    else:
        at = _rings(groups) if rings else _places(instance, groups)
    hues = PALETTE if places is None and not rings else HUES
    colours = [hues[g % len(hues)] for g in range(len(groups))]
    if wishes is None:
        lines = _lines_of_costs(instance, groups, colours)
    else:
        kept = {"color": _KEPT, "linewidth": 1.4, "alpha": 0.8}
        broken = {"color": ACCENT, "linewidth": 0.4, "alpha": 0.5}
        lines = [(w.one, w.other, kept if w.kept else broken) for w in wishes]
        lines += [] if rings else _inside(groups, colours)
    for one, other, style in lines:
        ax.plot(*zip(at[one], at[other], strict=True), **{"linewidth": 0.6, **style})
    for group, colour in zip(groups, colours, strict=True):
        xs, ys = zip(*(at[i] for i in group), strict=True)
        ax.scatter(xs, ys, color=colour, s=24, zorder=3)
        if rings:
            ax.fill(xs, ys, color=colour, alpha=0.15, zorder=0)
    if places is None:
        ax.set_aspect(1.0, adjustable="datalim")
    else:
        ax.set_aspect(stretch_of(places), adjustable="box")
    if axes:
        ax.set_xlabel(axes[0], color=INK)
        ax.set_ylabel(axes[1], color=INK)
    _write_names(ax, names if len(names) <= _MOST_NAMED else (), at)
    if rings or (places is None and instance.points is None):  # there is no scale
        ax.set_axis_off()
    return ax


def _write_names(
    ax: Axes, names: Sequence[str], at: Mapping[int, tuple[float, float]]
) -> None:
    figure = ax.get_figure(root=True)
    assert figure is not None, "Axes that were drawn on are on a figure"
    figure.draw_without_rendering()  # now it is known where items are
    places = [at[i] for i in range(len(names))]
    points = 72 / figure.dpi * ax.transData.transform(places or np.zeros((0, 2)))
    taken = [_box(x, y, 2 * _DOT, 2 * _DOT, "center", "center") for x, y in points]
    for i, (name, (x, y)) in enumerate(zip(names, points, strict=True)):
        wide = _LETTER * len(name)
        sides = [
            (_covered(box, taken[:i] + taken[i + 1 :]), rank, box)
            for rank, (dx, dy, ha, va) in enumerate(_SIDES)
            for box in [_box(x + dx, y + dy, wide, _SMALL, ha, va)]
        ]
        _, rank, box = min(sides)
        taken.append(box)
        dx, dy, ha, va = _SIDES[rank]
        write(ax, name, at[i], (dx, dy), fontsize=_SMALL, ha=ha, va=va)


def _box(x: float, y: float, wide: float, high: float, ha: str, va: str) -> _Box:
    """Return the left, lower, right and upper end of what is aligned at a place."""
    left, low = x - _BEFORE[ha] * wide, y - _BEFORE[va] * high
    return left, low, left + wide, low + high


def _covered(box: _Box, others: Iterable[_Box]) -> float:
    return sum(
        max(0.0, min(box[2], right) - max(box[0], left))
        * max(0.0, min(box[3], high) - max(box[1], low))
        for left, low, right, high in others
    )


def _inside(groups: Sequence[Sequence[int]], colours: Sequence[str]) -> list[_Line]:
    return [
        (i, j, {"color": colour, "alpha": 0.5})
        for group, colour in zip(groups, colours, strict=True)
        for i, j in combinations(group, 2)
    ]


def _lines_of_costs(
    instance: PairPartition, groups: Sequence[Sequence[int]], colours: Sequence[str]
) -> list[_Line]:
    """Return lines for pairs within groups; for those that count alone if some do."""
    within = _inside(groups, colours)
    listed, edges = instance.costs or (), instance.edges
    if edges is None:
        edges = [(i, j) for i, j, cost in listed if cost < 0 or instance.connected]
    wished = {(min(pair), max(pair)) for pair in edges}
    if not wished:
        return within
    kept = {(min(i, j), max(i, j)): style for i, j, style in within}
    return [
        *((i, j, {"color": "0.85"}) for i, j in wished - kept.keys()),
        *((i, j, style | _THICK) for (i, j), style in kept.items() if (i, j) in wished),
    ]


def _rings(groups: Sequence[Sequence[int]]) -> dict[int, tuple[float, float]]:
    across = ceil((len(groups) * _WIDER) ** 0.5)
    at = {}
    for g, group in enumerate(sorted(groups, key=min)):
        row, column = divmod(g, across)
        for p, item in enumerate(sorted(group)):
            turn = 2 * pi * p / len(group)
            at[item] = (column + _RADIUS * sin(turn), _RADIUS * cos(turn) - row)
    return at


def _places(
    instance: PairPartition, groups: list[list[int]]
) -> dict[int, tuple[float, float]]:
    if instance.points is not None:
        return {
            i: (float(point[0]), float(point[1] if len(point) > 1 else 0))
            for i, point in enumerate(instance.points)
            if point
        } or dict.fromkeys(range(instance.n), (0.0, 0.0))
    order = [item for group in groups for item in group]
    return {
        item: (cos(2 * pi * p / len(order)), sin(2 * pi * p / len(order)))
        for p, item in enumerate(order)
    }
