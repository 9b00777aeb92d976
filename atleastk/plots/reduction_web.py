"""Pictures of the reduction web, Figures 4.2 and 5.1 of [Chaytor06], with checks.

Problems stand as in Figure 3.4: the region from top to bottom, the quantity from left
to right. Reductions to another region run down a column, those to another quantity
along a row. Minimisations stand in one such block for each kind of cost, as reductions
do not change the cost. Problems from outside of the family are on top.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from atleastk.instances.suppression_names import variant_named
from atleastk.packages import Axes, nx
from atleastk.plots.drawing import ACCENT, INK, PALETTE, QUIET, axes

Point = tuple[float, float]

STATUSES: Final[Mapping[str, tuple[str, str]]] = {
    "checked": (PALETTE[2], "as printed"),
    "refuted": (ACCENT, "refuted as printed; repaired"),
    "undefined": ("#e0a030", "not well-defined as printed; repaired"),
    "wrong": ("#7b2d8b", "refuted as printed; no formula repairs it"),
    "added": ("#3f8f5f", "ours, instead of a refuted one"),
    "unchecked": (QUIET, "not checked"),
}
"""The colour and the label of reductions, by status."""

_REGIONS: Final = ((), ("rows",), ("columns",), ("rows", "columns"))
_QUANTITIES: Final = (
    "DEL",
    "entries SUP",
    "per_row SUP",
    "per_row PART",
    "per_column SUP",
    "per_column PART",
)
_WIDTH, _HEIGHT = 1.85, 1.05
_HALF_WIDTH, _HALF_HEIGHT, _ROUND = 0.62, 0.17, 0.06
"""The size of a box, and of its corners."""

_LINES: Final = ("-", "--")
"""The line styles around marked problems."""

_BLOCKS: Final[Mapping[str, tuple[float, Mapping[int, int]]]] = {
    "columns": (-4.25 * _HEIGHT, {2: 0, 3: 1}),
    "rows": (-6.5 * _HEIGHT, {1: 0, 3: 1}),
}
"""Where the minimisations of columns and of rows begin, and which rows they have."""

_CAPTIONS: Final[Mapping[str, Point]] = {
    "e, r\N{PRIME} or c\N{PRIME}": (0.0, -1.5 * _HEIGHT),
    "c": (-0.45, -4.75 * _HEIGHT),
    "r": (-0.45, -7.0 * _HEIGHT),
}
"""Beside the blocks of minimisations."""


@dataclass(frozen=True, slots=True)
class EdgeCheck:
    """The check of a reduction: its status, and the number of instances it ran on."""

    status: str
    instances: int


def draw_web(
    web: nx.MultiDiGraph[str],
    checks: Mapping[tuple[str, str], EdgeCheck],
    marked: Mapping[str, Collection[str]] | None = None,
    title: str = "",
) -> Axes:
    """Draw all problems and reductions of a web.

    `checks` are by source and target; other reductions are drawn as not checked.
    Problems in `marked`, by their text in the legend, are framed: the first by a full
    line, the second by a dashed one.
    """
    places = positions(web)
    left, right = _span([x for x, _ in places.values()], 1.25, 1.1)
    low, high = _span([y for _, y in places.values()], 1.0, 0.7)
    ax = axes(None, right - left, high - low + 0.45)
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)
    edges = sorted(set(web.edges()))
    found = [checks.get(edge, EdgeCheck("unchecked", 0)) for edge in edges]
    for (source, target), check in zip(edges, found, strict=True):
        _draw_edge(ax, places[source], places[target], check.status)
    lines = zip(_LINES, (marked or {}).values(), strict=False)
    frames = {name: line for line, names in lines for name in names}
    for name, place in places.items():
        _draw_problem(ax, name, place, frames.get(name, ""))
    if "MIN-e-SUP" in places:
        for costs, (x, y) in _CAPTIONS.items():
            ax.text(x, y, f"minimise\n{costs}", color=QUIET, ha="center", va="center")
    _draw_legend(ax, found, marked or {})
    ax.set_title(title, loc="left", color=INK, fontsize=11)
    return ax


def _span(values: list[float], before: float, after: float) -> tuple[float, float]:
    return min(values) - before, max(values) + after


def positions(web: nx.MultiDiGraph[str]) -> dict[str, Point]:
    """Return the positions of the problems of a web."""
    known = {name: place for name in web if (place := _place(name)) is not None}
    top = max(y for _, y in known.values()) + 1.1 * _HEIGHT
    others = [name for name in web if name not in known]
    wished = {
        name: [known[target][0] for target in web.successors(name) if target in known]
        for name in others
    }
    right = -2.0 * _WIDTH
    for name in sorted(others, key=lambda name: min(wished[name], default=0.0)):
        right = max(right + 2.0 * _WIDTH, min(wished[name], default=0.0))
        known[name] = (right, top)
    return known


def _place(name: str) -> Point | None:
    try:
        variant = variant_named(name)
    except LookupError:
        return None
    region = tuple(q for q in ("rows", "columns") if q in variant.named)
    quantities = [q for q in variant.named if q not in region]
    quantity = " ".join([*quantities, variant.type])
    column, row = _QUANTITIES.index(quantity), _REGIONS.index(region)
    top, rows = _BLOCKS.get(variant.minimise, (0.0, {}))
    return column * _WIDTH, top - rows.get(row, row) * _HEIGHT


def _draw_problem(ax: Axes, name: str, place: Point, line: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    x, y = place
    box = FancyBboxPatch(
        (x - _HALF_WIDTH + _ROUND, y - _HALF_HEIGHT + _ROUND),
        2 * (_HALF_WIDTH - _ROUND),
        2 * (_HALF_HEIGHT - _ROUND),
        boxstyle=f"round,pad={_ROUND}",
        facecolor="white" if _place(name) else PALETTE[0],
        edgecolor=ACCENT if line else QUIET,
        linestyle=line or "-",
        linewidth=1.8 if line else 0.8,
        zorder=3,
    )
    ax.add_patch(box)
    text = name.replace("'", "\N{PRIME}")
    ax.text(x, y, text, ha="center", va="center", fontsize=9.2, color=INK, zorder=4)


def _draw_edge(ax: Axes, start: Point, end: Point, status: str) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    points = _route(start, end)
    codes = {2: [Path.MOVETO, Path.LINETO], 4: [Path.MOVETO, *[Path.CURVE4] * 3]}
    quiet = status in ("checked", "unchecked")
    arrow = FancyArrowPatch(
        path=Path(points, codes[len(points)]),
        arrowstyle="-|>",
        mutation_scale=9,
        color=STATUSES[status][0],
        linewidth=1.0 if quiet else 1.5,
        alpha=0.8 if quiet else 1.0,
        zorder=1 if quiet else 2,
    )
    ax.add_patch(arrow)


def _route(start: Point, end: Point) -> list[Point]:
    """Return the line, or the curve, from one box to another around those between.

    Along a row it bows upwards, the more the farther; down a column it bows to the
    right from the top region, and to the left from others.
    """
    (x0, y0), (x1, y1) = start, end
    along, down = (x1 - x0) / _WIDTH, (y0 - y1) / _HEIGHT
    if abs(down) < 0.1:
        if along < 1.1:
            return [(x0 + _HALF_WIDTH, y0), (x1 - _HALF_WIDTH, y1)]
        bow = 0.12 + 0.12 * along
        x0, x1 = x0 + 0.55 - 0.1 * along, x1 - 0.1
        y0, y1 = y0 + _HALF_HEIGHT, y1 + _HALF_HEIGHT
        return [(x0, y0), (x0 + 0.25, y0 + bow), (x1 - 0.25, y1 + bow), (x1, y1)]
    if abs(along) > 0.1:
        return [(x0, y0 - _HALF_HEIGHT), (x1 - 0.4, y1 + _HALF_HEIGHT)]
    if down < 1.3:
        return [(x0, y0 - _HALF_HEIGHT), (x1, y1 + _HALF_HEIGHT)]
    side = 1 if y0 == 0.0 else -1
    bow = side * min(0.1 + 0.16 * down, 0.75)
    x0, x1 = x0 + side * _HALF_WIDTH, x1 + side * _HALF_WIDTH
    return [(x0, y0), (x0 + bow, y0 - 0.3), (x1 + bow, y1 + 0.3), (x1, y1)]


def _draw_legend(
    ax: Axes, found: Iterable[EdgeCheck], marked: Mapping[str, Collection[str]]
) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import FancyBboxPatch

    handles: list[Any] = []
    found = list(found)
    for status, (colour, label) in STATUSES.items():
        mine = [check.instances for check in found if check.status == status]
        if mine:
            counted = f" ({min(mine):,} instances or more each)"
            text = f"{len(mine)} {label}{counted if min(mine) else ''}"
            handles.append(Line2D([], [], color=colour, linewidth=2, label=text))
    for line, text in zip(_LINES, marked, strict=False):
        if marked[text]:
            frame = FancyBboxPatch((0, 0), 1, 1, facecolor="white", linestyle=line)
            frame.set(edgecolor=ACCENT, label=text)
            handles.append(frame)
    ax.legend(
        handles=handles,
        loc="lower center",
        borderaxespad=0.0,
        ncols=2,
        frameon=False,
        labelcolor=INK,
        fontsize=9.5,
        handlelength=1.6,
        columnspacing=1.5,
    )
