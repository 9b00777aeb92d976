"""Neighbours on a map: polygons that share a border of positive length.

Polygons that meet in points only are no neighbours. Those of a map do not overlap.

*Exactly*: borders are shared where sides of polygons lie on one line and overlap, in
rational arithmetic. So corners of one polygon on a side of another are no obstacle, but
borders that differ in a last digit are.

*Within a tolerance*, by the package `shapely`: polygons are neighbours if, for it, its
half or its quarter, more than four times as much of the border of one is no farther
than that from the other. Polygons that touch at a right angle, in one point, have at
most half as much. And a border that is short beside the tolerance is long beside a part
of it: if borders are e apart, tolerances of 6 e and more mistake no such corner for a
border, and lose no border that is longer than they are.

Borders that nearly fit, within a hundredth of the size of a region, are noticed; and so
are islands: a piece of a map that weighs less than k makes a connected partition
impossible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import dist
from statistics import median
from typing import Any, Final, NamedTuple

from atleastk.instances.fields.errors import (
    BackendUnavailableError,
    InvalidInstanceError,
    optional,
)
from atleastk.packages import nx

Place = tuple[float, float]
Ring = Sequence[Place]
Polygon = Sequence[Ring]
"""The outer ring, and those of holes."""
Side = tuple[Place, Place]
Pair = tuple[int, int]

_PARTS: Final = (1, 2, 4)
"""What a tolerance is divided by: measured on 399 regions whose corners were moved."""

_NEAR: Final = 0.01
"""The share of the size of a region within which borders nearly fit: measured on these
regions, where it finds all borders that are lost, and none that is none."""


_MOST_NAMED: Final = 5
"""The most regions that a remark lists: not tuned."""


class NearBorders(NamedTuple):
    """Pairs of regions whose borders fit within a tolerance, and not exactly."""

    pairs: int
    tolerance: float


def exact_neighbours(regions: Sequence[Sequence[Polygon]]) -> list[Pair]:
    """Return the pairs of regions that share a border, each made of polygons."""
    holders: dict[Side, set[int]] = defaultdict(set)
    for i, region in enumerate(regions):
        for side in _sides(region):
            holders[side].add(i)
    found = {
        pair for held in holders.values() for pair in combinations(sorted(held), 2)
    }
    alone = [(side, min(held)) for side, held in holders.items() if len(held) == 1]
    found.update(_overlapping(alone))
    return sorted(found)


def near_neighbours(
    regions: Sequence[Sequence[Polygon]], tolerance: float
) -> list[Pair]:
    """Return the pairs of regions that share a border within a tolerance.

    Raise `InvalidInstanceError` if a polygon crosses itself, and
    `BackendUnavailableError` if `shapely`, the extra ``maps``, is not installed.
    """
    return _near(*_shapes(regions), tolerance, set())


def near_borders(
    regions: Sequence[Sequence[Polygon]], known: Iterable[Pair]
) -> NearBorders | None:
    """Return the pairs besides the known neighbours whose borders nearly fit.

    None if there are none, and without `shapely` or with polygons that cross
    themselves: then nothing is known.
    """
    try:
        shapely, shapes = _shapes(regions)
    except (BackendUnavailableError, InvalidInstanceError):
        return None
    boxes = [shapely.bounds(shape).tolist() for shape in shapes]
    sizes = [dist(box[:2], box[2:]) for box in boxes]
    tolerance = float(f"{_NEAR * median(sizes):.0e}") if sizes else 0.0
    pairs = len(_near(shapely, shapes, tolerance, set(known)))
    return NearBorders(pairs, tolerance) if pairs else None


def islands(
    n: int, edges: Iterable[tuple[int, int]], labels: Sequence[str] | None
) -> str | None:
    """Return a remark on smaller components; None for a connected graph."""
    graph: nx.Graph[int] = nx.empty_graph(n)
    graph.add_edges_from(edges)
    pieces = sorted(map(sorted, nx.connected_components(graph)), key=len, reverse=True)
    if len(pieces) < 2:
        return None
    apart = sorted(node for piece in pieces[1:] for node in piece)
    named = [labels[i] if labels else str(i) for i in apart[:_MOST_NAMED]]
    more = f" and {len(apart) - _MOST_NAMED} more" if len(apart) > _MOST_NAMED else ""
    return (
        f"{len(pieces)} pieces without a border between them; not joined to the "
        f"largest: {', '.join(named)}{more}"
    )


def _near(
    shapely: Any, shapes: Sequence[Any], tolerance: float, known: Collection[Pair]
) -> list[Pair]:
    """Return the pairs that share a border within a tolerance and are not known."""
    if not shapes:
        return []
    tree = shapely.STRtree(shapes)
    first, second = tree.query(shapes, predicate="dwithin", distance=tolerance)
    pairs = sorted(zip(first.tolist(), second.tolist(), strict=True))
    return [
        (u, v)
        for u, v in pairs
        if u < v
        and (u, v) not in known
        and any(_fit(shapely, shapes[u], shapes[v], tolerance / i) for i in _PARTS)
    ]


def _fit(shapely: Any, u: Any, v: Any, tolerance: float) -> bool:
    """Tell whether more than four times a tolerance of a border is within it."""
    wide = v if tolerance == 0 else shapely.buffer(v, tolerance)
    shared = shapely.intersection(shapely.boundary(u), wide)
    return bool(shapely.length(shared) > 4 * tolerance)


def _sides(region: Sequence[Polygon]) -> Iterator[Side]:
    for polygon in region:
        for ring in polygon:
            for u, v in pairwise(ring):
                if u != v:
                    yield (u, v) if u < v else (v, u)


def _overlapping(sides: Sequence[tuple[Side, int]]) -> Iterator[Pair]:
    """Return the pairs of regions with sides that overlap without being the same."""
    lines = defaultdict(list)
    for (u, v), i in sides:
        x, y = map(Fraction, u)
        across, up = Fraction(v[0]) - x, Fraction(v[1]) - y
        slope = up / across if across else None
        height = x if slope is None else y - slope * x
        along = 1 if slope is None else 0
        lines[slope, height].append((u[along], v[along], i))
    for held in lines.values():
        held.sort()
        reaching: list[tuple[float, int]] = []
        for low, high, i in held:
            reaching = [(end, j) for end, j in reaching if end > low]
            yield from ((min(i, j), max(i, j)) for _, j in reaching if i != j)
            reaching.append((high, i))


def _shapes(regions: Sequence[Sequence[Polygon]]) -> tuple[Any, list[Any]]:
    """Return the package and what it makes of the regions."""
    shapely = optional("shapely", "maps", "borders within a tolerance")
    shapes = []
    for i, region in enumerate(regions):
        parts = [shapely.Polygon(polygon[0], polygon[1:]) for polygon in region]
        for part in parts:
            if not part.is_valid:
                reason = shapely.is_valid_reason(part)
                raise InvalidInstanceError(
                    f"region {i}: {reason}; repair it, as by make_valid of geopandas"
                )
        shapes.append(shapely.union_all(parts))
    return shapely, shapes
