"""Neighbours on a map: polygons that share a border of positive length.

Polygons that meet in points only are no neighbours. Those of a map do not overlap.

*Exactly*: borders are shared where sides of polygons lie on one line and overlap, in
rational arithmetic. So corners of one polygon on a side of another are no obstacle, but
borders that differ in a last digit are.

*Within a tolerance*, by the package `shapely`: polygons are neighbours if more than
four times the tolerance of the border of one is no farther than the tolerance from the
other. Polygons that touch at a right angle, in one point, have at most half as much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from atleastk.instances.fields.errors import InvalidInstanceError, optional

Place = tuple[float, float]
Ring = Sequence[Place]
Polygon = Sequence[Ring]
"""The outer ring, and those of holes."""
Side = tuple[Place, Place]
Pair = tuple[int, int]


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
    shapely = optional("shapely", "maps", "borders within a tolerance")
    shapes = [_shape(shapely, i, region) for i, region in enumerate(regions)]
    tree = shapely.STRtree(shapes)
    first, second = tree.query(shapes, predicate="dwithin", distance=tolerance)
    wide = shapes if tolerance == 0 else shapely.buffer(shapes, tolerance)
    found = []
    for u, v in zip(first.tolist(), second.tolist(), strict=True):
        if u < v:
            shared = shapely.intersection(shapely.boundary(shapes[u]), wide[v])
            if shapely.length(shared) > 4 * tolerance:
                found.append((u, v))
    return sorted(found)


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
        (x, y), (across, up) = map(Fraction, u), _direction(u, v)
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


def _shape(shapely: Any, i: int, region: Sequence[Polygon]) -> Any:
    parts = [shapely.Polygon(polygon[0], polygon[1:]) for polygon in region]
    for part in parts:
        if not part.is_valid:
            reason = shapely.is_valid_reason(part)
            raise InvalidInstanceError(
                f"region {i}: {reason}; repair it, as by make_valid of geopandas"
            )
    return shapely.union_all(parts)


def _direction(u: Place, v: Place) -> tuple[Fraction, Fraction]:
    return Fraction(v[0]) - Fraction(u[0]), Fraction(v[1]) - Fraction(u[1])
