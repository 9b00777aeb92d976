"""A picture of pair partition: points, or items on a circle, and the pairs inside."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import cos, pi, sin
from typing import Final

from atleastk.arrays import FloatArray
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.drawing import PALETTE, draw_nothing, titled, write
from atleastk.plots.hues import HUES
from atleastk.plots.layouts import stretch_of

_MOST_NAMED: Final = 100
"""More items are drawn without their names, which would overlap."""


def draw(
    instance: PairPartition,
    result: Result,
    ax: Axes | None = None,
    places: FloatArray | None = None,
    names: Sequence[str] = (),
) -> Axes:
    """Draw every group in a colour, with lines for its pairs.

    Items are at `places`, if these are given, and have `names` beside them. If some
    pairs cost less than nothing, these alone are lines, grey between groups.
    """
    title = f"{instance.name or instance.problem}: {result.status.lower()}"
    if result.cost is not None:
        title = f"{title} cost {result.cost}"
    ax = titled(ax, title)
    if result.solution is None:
        return draw_nothing(ax, "no solution")
    groups = [list(group) for group in result.solution.groups]
    at = _places(instance, groups)
    if places is not None:
        at = {i: (float(x), float(y)) for i, (x, y) in enumerate(places)}
    hues = PALETTE if places is None else HUES
    wished = {frozenset((i, j)) for i, j, cost in instance.costs or () if cost < 0}
    inside = {frozenset(pair) for group in groups for pair in combinations(group, 2)}
    for i, j in wished - inside:
        ax.plot(*zip(at[i], at[j], strict=True), color="0.85", linewidth=0.6)
    for g, group in enumerate(groups):
        colour = hues[g % len(hues)]
        for i, j in combinations(group, 2):
            if not wished or frozenset((i, j)) in wished:
                xs, ys = zip(at[i], at[j], strict=True)
                ax.plot(xs, ys, color=colour, linewidth=0.6, alpha=0.5)
        xs, ys = zip(*(at[i] for i in group), strict=True)
        ax.scatter(xs, ys, color=colour, s=24, zorder=3)
    for i, name in enumerate(names if len(names) <= _MOST_NAMED else ()):
        write(ax, name, at[i], (0, 4), fontsize=7)
    stretch = 1.0 if places is None else stretch_of(places)
    ax.set_aspect(stretch, adjustable="datalim")
    if places is None and instance.points is None:  # a circle has no scale
        ax.set_axis_off()
    return ax


def _places(
    instance: PairPartition, groups: list[list[int]]
) -> dict[int, tuple[float, float]]:
    """Return where items are: the first two coordinates, or a circle by groups."""
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
