"""A picture of clusters, for r-gather and cellular clustering.

Points have the colour of their cluster; neighbours differ. Every cluster has the disc
of its radius about its centre. With centres anywhere the disc is about the middle of
its farthest two points, with their distance as diameter; other points may lie outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.instances.clustering import Clustering
from atleastk.models.clustering import ClusteringSolution, completed, measured
from atleastk.models.results.result import Result
from atleastk.models.wording import counted
from atleastk.packages import Axes
from atleastk.plots.drawing import ACCENT, INK, QUIET, draw_no_groups, titled
from atleastk.plots.hues import Hues, hues_apart
from atleastk.plots.planes import DEGREES, Plane, plane_of

_MOST_SPOKES: Final = 4000
"""Clusters with more members have no lines to the centre."""

_MOST_CENTRES: Final = 600
"""More centres are not marked."""

_ROOM: Final = 0.5
"""Outliers that are farther off, as a share of the width of all clusters, are counted
only."""

_LONG: Final = 100_000
"""Lengths from here on are written as whole numbers."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """The drawn parts of a solution."""

    solution: ClusteringSolution
    """Completed with centres, unless they are anywhere."""
    radii: Sequence[int]
    """As the instance measures them: diameters with centres anywhere."""
    plane: Plane
    outlines: FloatArray | None
    """The discs, [cluster, corner, 2]; None if the plane distorts distances."""

    @property
    def tops(self) -> FloatArray:
        """The topmost place of every cluster, [cluster, 2]."""
        if self.outlines is not None:
            highest = self.outlines[:, :, 1].argmax(axis=1)
            return np.asarray(self.outlines[np.arange(len(highest)), highest])
        members = [self.plane.places[list(group)] for group in self.solution.groups]
        return np.array([places[places[:, 1].argmax()] for places in members])


def draw_clusters(
    instance: Clustering,
    result: Result,
    cost: str,
    ax: Axes | None,
    steps: int,
    border: bool = False,
) -> tuple[Axes, Clusters | None]:
    """Draw the clusters of a result; return None for them if there is nothing to draw.

    The title says what the `cost` is. The axes have a unit for every `steps` steps of
    the coordinates; with `border` the widest disc has a border of its own.
    """
    ax = titled(ax, _title(instance, result, cost, steps), tall=True)
    if result.solution is None or not instance.n:
        return draw_no_groups(ax, result, "points"), None
    solution = completed(instance, result.solution)
    plane = plane_of(instance)
    radii = measured(instance, solution)
    pairs = [_farthest(instance, group) for group in solution.groups]
    middles = plane.places[list(solution.centres)]
    if instance.any_centre:
        ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        middles = np.asarray(plane.places[ends].mean(axis=1))
    lengths = np.array([instance.radius(radius) for radius in radii])
    outlines = None if plane.around is None else plane.around(middles, lengths)
    drawn = Clusters(solution, radii, plane, outlines)
    hues = hues_apart(middles)
    if outlines is not None and solution.groups:
        _discs(ax, outlines, lengths, hues, border)
    _spokes(ax, instance, drawn, hues, pairs)
    _points(ax, drawn, hues)
    _marks(ax, drawn, hues)
    _frame(ax, plane, steps)
    return ax, drawn


def _title(instance: Clustering, result: Result, cost: str, steps: int) -> str:
    name = instance.name or instance.problem
    found = [f"{name}\nr = {instance.r}: {result.status.lower()}"]
    if result.cost is not None:
        found.append(f"{cost} {length(instance, result.cost, steps)}")
    if result.solution is not None:
        solution = completed(instance, result.solution)
        found.append(counted(len(solution.groups), "cluster", ","))
        if solution.outliers:
            found.append(counted(len(solution.outliers), "outlier", ","))
    return ", ".join(found)


def length(instance: Clustering, distance: int, steps: int = 1) -> str:
    """Return the radius of a distance as a text, on the earth in kilometres."""
    radius = instance.radius(distance) / steps
    if instance.metric == "great-circle":
        return f"{radius / 1000:,.1f} km"
    return f"{radius:,.6g}" if radius < _LONG else f"{radius:,.0f}"


def _farthest(instance: Clustering, group: Sequence[int]) -> tuple[int, int]:
    """Return two points of a cluster far apart: the farthest with centres anywhere.

    Then their distance is the diameter; otherwise any two far points do.
    """
    if not instance.any_centre:
        return group[0], group[0]
    members = np.array(group, dtype=np.int64)
    best = (-1, group[0], group[0])
    step = instance.space.at_a_time
    for start in range(0, len(members), step):
        chunk = members[start : start + step]
        found = instance.space.between(chunk, members)
        i, j = divmod(int(found.argmax()), len(members))
        best = max(best, (int(found[i, j]), int(chunk[i]), int(members[j])))
    return best[1], best[2]


def _discs(
    ax: Axes, outlines: FloatArray, lengths: FloatArray, hues: Hues, border: bool
) -> None:
    """Draw discs, the widest first - or last, with a border of its own."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgba_array

    colours = to_rgba_array(hues)
    faces, edges = colours.copy(), colours
    faces[:, 3], edges[:, 3] = 0.13, 0.55
    widths = np.full(len(lengths), 0.7)
    order = np.argsort(-lengths, kind="stable")
    if border:
        edges[order[0]], widths[order[0]] = to_rgba_array(ACCENT)[0], 1.6
        order = np.roll(order, -1)
    ax.add_collection(
        PolyCollection(
            list(outlines[order]),
            facecolors=faces[order],
            edgecolors=edges[order],
            linewidths=widths[order],
            zorder=1,
        )
    )


def _spokes(
    ax: Axes,
    instance: Clustering,
    drawn: Clusters,
    hues: Hues,
    pairs: Sequence[tuple[int, int]],
) -> None:
    """Draw lines from points to centres; without centres, between the farthest two."""
    from matplotlib.collections import LineCollection

    if instance.any_centre:
        lines = drawn.plane.places[np.array(pairs, dtype=np.int64).reshape(-1, 2)]
        of_line = hues
    else:
        members, cluster = _listed(drawn.solution)
        if len(members) > _MOST_SPOKES:
            return
        centres = np.array(drawn.solution.centres, dtype=np.int64)[cluster]
        lines = drawn.plane.places[np.stack((members, centres), axis=1)]
        of_line = hues[cluster]
    style: dict[str, Any] = {"linewidths": 0.8, "alpha": 0.55, "zorder": 2}
    ax.add_collection(LineCollection(list(lines), colors=of_line, **style))


def _listed(solution: ClusteringSolution) -> tuple[IntArray, IntArray]:
    sizes = [len(group) for group in solution.groups]
    members = np.array([i for group in solution.groups for i in group], dtype=np.int64)
    return members, np.repeat(np.arange(len(sizes)), sizes)


def _points(ax: Axes, drawn: Clusters, hues: Hues) -> None:
    members, cluster = _listed(drawn.solution)
    across, up = drawn.plane.places[members].T
    size = float(np.clip(9000 / max(1, len(drawn.plane.places)), 2.5, 26))
    edge = 0.5 if size > 6 else 0.0
    ax.scatter(
        across,
        up,
        s=size,
        c=hues[cluster],
        edgecolors="white",
        linewidths=edge,
        zorder=3,
    )


def _marks(ax: Axes, drawn: Clusters, hues: Hues) -> None:
    places, centres = drawn.plane.places, list(drawn.solution.centres)
    if centres and len(centres) <= _MOST_CENTRES:
        across, up = places[centres].T
        size = float(np.clip(2500 / len(centres), 10, 46))
        wide = 0.18 * size**0.5
        mark: dict[str, Any] = {"marker": "D", "edgecolors": INK, "linewidths": wide}
        ax.scatter(across, up, s=size, c=hues, zorder=4, label="centre", **mark)
    outliers = list(drawn.solution.outliers)
    if outliers:
        near = places[outliers][_near(places[outliers], drawn)]
        across, up = near.T
        far = len(outliers) - len(near)
        label = f"outlier ({far} of {len(outliers)} are far off)" if far else "outlier"
        mark = {"marker": "x", "linewidths": 1.4, "zorder": 4}
        ax.scatter(across, up, s=36, c=ACCENT, label=label, **mark)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=2,
            frameon=False,
            fontsize=8,
            labelcolor=INK,
            borderaxespad=0.1,
            handletextpad=0.1,
        )


def _near(places: FloatArray, drawn: Clusters) -> BoolArray:
    """Tell which places are not so far from all clusters that these would be small."""
    members = [i for group in drawn.solution.groups for i in group]
    if not members:
        return np.ones(len(places), dtype=np.bool_)
    inside = drawn.plane.places[members]
    low, high = inside.min(axis=0), inside.max(axis=0)
    room = _ROOM * float((high - low).max())
    there = (places >= low - room) & (places <= high + room)
    return np.asarray(there.all(axis=1) | (room == 0.0))


def _frame(ax: Axes, plane: Plane, steps: int) -> None:
    ax.margins(0.05)
    ax.autoscale_view()
    ax.set_aspect(plane.aspect, adjustable="datalim")
    across, up = plane.axes
    ax.set_xlabel(across, color=INK, fontsize=8)
    ax.set_ylabel(up, color=INK, fontsize=8)
    bent = plane.around is None
    for axis, side, hidden in (
        (ax.xaxis, "bottom", bent),
        (ax.yaxis, "left", bent or not plane.places[:, 1].any()),
    ):
        if hidden:
            axis.set_ticks([])
            ax.spines[side].set_visible(False)
    if plane.axes == DEGREES:
        ax.xaxis.set_major_formatter(lambda x, _: _degrees(x, "E", "W"))
        ax.yaxis.set_major_formatter(lambda x, _: _degrees(x, "N", "S"))
    elif steps > 1:
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(lambda x, _: f"{x / steps:.6g}")
    ax.tick_params(labelsize=8, color=QUIET)


def _degrees(x: float, positive: str, negative: str) -> str:
    side = positive if x > 0 else negative if x < 0 else ""
    return f"{abs(x):.6g}° {side}".rstrip()
