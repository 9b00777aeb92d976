"""A picture of a connected partition: a graph, or a map, coloured by parts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray, IntArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.models.results.result import Result
from atleastk.packages import Axes
from atleastk.plots.drawing import ACCENT, INK, draw_no_groups, heading, titled, write
from atleastk.plots.hues import hues_of
from atleastk.plots.layouts import places_of, stretch_of

_MOST_LABELLED: Final = 40
"""More parts are drawn without their numbers and weights, which would overlap."""

Polygons = Sequence[Sequence[Sequence[Sequence[float]]]]
"""The polygons of a region, each an outer ring and the rings of holes."""


Corner = tuple[float, float]
"""Across and up."""

_NEAR: Final = 1e-5
"""Corners nearer than this share of a map are one: far less than can be seen."""


class _Parts(NamedTuple):
    """The drawn parts of a map."""

    instance: ConnectedPartition
    places: FloatArray  # of the nodes
    of_node: IntArray  # the part of each
    weights: Sequence[int]
    hues: Sequence[str]
    heaviest: int
    mapped: bool  # whether regions are drawn

    @property
    def sizes(self) -> FloatArray:
        """The areas of nodes in square points, smaller on a map."""
        weights = np.array(self.instance.weights, dtype=np.float64)
        shares = weights / max(weights.max(), 1.0)
        largest = float(np.clip(9000 / self.instance.n, 8, 330))
        largest *= 0.35 if self.mapped else 1
        return np.asarray(largest * (0.04 + 0.96 * shares))


def draw(
    instance: ConnectedPartition,
    result: Result,
    ax: Axes | None = None,
    polygons: Sequence[Polygons] | None = None,
    asked: str | None = None,
) -> Axes:
    """Draw the graph at its positions, or laid out if there are none.

    Parts have colours, neighbouring parts different ones; the heaviest has a border of
    its own. The areas of nodes are their weights; nodes of weight 0 are rings. With
    `polygons`, the region of every node as `polygons_from_file` returns it, these are
    drawn in place of the edges. The title says what was `asked`, by default k.
    """
    if polygons is not None and len(polygons) != instance.n:
        raise InvalidInstanceError(f"polygons: {len(polygons)} for {instance.n} nodes")
    groups = () if result.solution is None else result.solution.groups
    weights = [sum(instance.weights[node] for node in group) for group in groups]
    title = heading(instance, asked or f"k = {instance.k:,}", result, weights, "part")
    title += " (red border)" if weights else ""
    ax = titled(ax, title, tall=True)
    ax.set_axis_off()
    if result.solution is None or not instance.n:
        return draw_no_groups(ax, result, "nodes")
    part = np.array(result.solution.labels)
    borders = {(int(part[u]), int(part[v])) for u, v in instance.edges}
    hues = hues_of(len(weights), ((a, b) for a, b in borders if a != b))
    heaviest = max(range(len(weights)), key=weights.__getitem__)
    places, mapped = places_of(instance), polygons is not None
    drawn = _Parts(instance, places, part, weights, hues, heaviest, mapped)
    if polygons is None:
        _edges(ax, drawn)
    else:
        _regions(ax, polygons, drawn)
    _nodes(ax, drawn)
    if len(weights) <= _MOST_LABELLED:
        _write_weights(ax, drawn)
    ax.margins(0.07, 0.1)
    ax.autoscale_view()
    ax.set_aspect(stretch_of(places), adjustable="datalim")
    return ax


def _edges(ax: Axes, drawn: _Parts) -> None:
    """Draw edges within parts in their colours, others thin, all below the nodes."""
    from matplotlib.collections import LineCollection

    part = drawn.of_node
    ends = np.array(drawn.instance.edges, dtype=np.int64).reshape(-1, 2)
    inside = part[ends[:, 0]] == part[ends[:, 1]]
    marked = inside & (part[ends[:, 0]] == drawn.heaviest)
    width = float(np.clip(52 / max(1, drawn.instance.n) ** 0.5, 1.2, 6))
    pale = [_pale(drawn.hues[g]) for g in part[ends[inside, 0]].tolist()]
    layers: list[tuple[Any, Any, float]] = [
        (~inside, "#d4dae1", 0.7),
        (marked, ACCENT, width + 3),
        (inside, pale, width),
    ]
    for order, (chosen, colour, wide) in enumerate(layers, start=1):
        lines = list(drawn.places[ends[chosen]])
        style: dict[str, Any] = {"capstyle": "round", "zorder": order}
        ax.add_collection(
            LineCollection(lines, colors=colour, linewidths=wide, **style)
        )


def _pale(hue: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(hue)
    return (1 + red) / 2, (1 + green) / 2, (1 + blue) / 2


def _regions(ax: Axes, polygons: Sequence[Polygons], drawn: _Parts) -> None:
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    shapes = []
    for region in polygons:
        rings = [Path(np.array(ring), closed=True) for face in region for ring in face]
        shapes.append(PathPatch(Path.make_compound_path(*rings)))
    part, heaviest = drawn.of_node, drawn.heaviest
    faces = [_pale(drawn.hues[g]) for g in part.tolist()]
    ax.add_collection(
        PatchCollection(
            shapes, facecolors=faces, edgecolors="white", linewidths=0.5, zorder=1
        )
    )
    parts = range(len(drawn.weights))
    corners = np.concatenate([path.get_path().vertices for path in shapes])
    near = _NEAR * float(np.ptp(corners, axis=0).max()) or 1.0
    sides = [_outline(polygons, np.flatnonzero(part == g), near) for g in parts]
    others = [side for g, of in enumerate(sides) if g != heaviest for side in of]
    for lines, colour, width in ((others, INK, 0.9), (sides[heaviest], ACCENT, 2.4)):
        borders = LineCollection(lines, colors=colour, linewidths=width, zorder=3)
        borders.set_capstyle("round")
        ax.add_collection(borders)


def _outline(
    polygons: Sequence[Polygons], nodes: IntArray, near: float
) -> list[list[Corner]]:
    """Return the outline of a part: the sides of one of its regions only.

    Corners that are `near` each other are one: borders may fit but for rounding.
    """
    found: dict[tuple[tuple[int, int], ...], list[list[Corner]]] = defaultdict(list)
    for node in nodes.tolist():
        for face in polygons[node]:
            for ring in face:
                corners = [(float(x), float(y)) for x, y, *_ in ring]
                for side in pairwise(corners):
                    ends = sorted((round(x / near), round(y / near)) for x, y in side)
                    found[tuple(ends)].append(sorted(side))
    return [sides[0] for sides in found.values() if len(sides) == 1]


def _nodes(ax: Axes, drawn: _Parts) -> None:
    heavy = drawn.of_node == drawn.heaviest
    hues = [drawn.hues[g] for g in drawn.of_node.tolist()]
    faces = np.array(hues, dtype=object)
    edges = np.where(heavy, ACCENT, "white").astype(object)
    if drawn.mapped:
        faces[:], edges[:] = INK, "none"
    rings = np.array([weight == 0 for weight in drawn.instance.weights])
    edges[rings & ~heavy] = faces[rings & ~heavy]
    faces[rings] = "white"
    ax.scatter(
        drawn.places[:, 0],
        drawn.places[:, 1],
        s=drawn.sizes,
        c=faces.tolist(),
        edgecolors=edges.tolist(),
        linewidths=np.where(heavy, 1.5, 0.8).tolist(),
        alpha=0.75 if drawn.mapped else None,
        zorder=4,
    )


def _write_weights(ax: Axes, drawn: _Parts) -> None:
    places, sizes, heaviest = drawn.places, drawn.sizes, drawn.heaviest
    for g, weight in enumerate(drawn.weights):
        members = np.flatnonzero(drawn.of_node == g)
        away = places[members] - places[members].mean(axis=0)
        node = members[(away**2).sum(axis=1).argmin()]
        write(
            ax,
            f"{g + 1}\n{weight:,}",
            (places[node, 0], places[node, 1]),
            (0, float(sizes[node] / np.pi) ** 0.5 + 1.5),
            fontsize=7.5,
            fontweight="bold" if g == heaviest else "normal",
            color=ACCENT if g == heaviest else INK,
            zorder=6,
        )
