"""Maps of polygons: connected partition of files and of GeoDataFrames.

Regions are Polygons or MultiPolygons with properties, one of which is the weight. They
are neighbours if they share a border: :mod:`atleastk.instances.datasets.borders` says
how that is found out, exactly or within a tolerance; a map whose borders do not fit
falls into pieces, which the comment of the instance names.

The polygons themselves are for pictures, see :func:`polygons_from_file`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from math import isfinite
from pathlib import Path
from typing import Any, Final, NamedTuple

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.borders import (
    Polygon,
    exact_neighbours,
    islands,
    near_borders,
    near_neighbours,
)
from atleastk.instances.datasets.map_files import read_map_file
from atleastk.instances.fields.attributes import (
    USUAL_WEIGHTS,
    Attribute,
    Usual,
    usual_label,
    usual_name,
    weights_of,
)
from atleastk.instances.fields.errors import InvalidInstanceError, placed, quoted
from atleastk.instances.files.paths import AnyPath

Regions = list[list[Polygon]]

_FEW: Final = 3
"""Texts of a region in an error, at most."""


class _Feature(NamedTuple):
    where: str
    """For errors."""
    properties: Mapping[str, Any]
    geometry: Any


def connected_partition_from_file(
    path: AnyPath,
    weight: Attribute,
    k: int,
    *,
    name: str | None = None,
    tolerance: float | None = None,
    layer: str | None = None,
    read: Mapping[str, Any] | None = None,
) -> ConnectedPartition:
    """Return the map in a file, a node for every feature, in its order.

    Raise `InvalidInstanceError`, which names the file and the feature, if the file is
    not as described, and `BackendUnavailableError` if there is a tolerance and
    `shapely` is not installed.

    Parameters
    ----------
    path
        A file of GeoJSON, a shapefile or a GeoPackage.
    weight
        The property with the weight, or `USUAL`: ``weight`` or ``population``.
        With None every region weighs 1.
    k
        The least weight of a part.
    name
        The property with the name of a region; by default ``name``, in letters of any
        case, if every region has it.
    tolerance
        How far borders may be apart, in the units of the file; 0 for borders that fit
        but for rounding. It needs the extra ``maps``. Without it borders fit exactly,
        and no extra is needed.
    layer
        Which map is meant, of a file that holds several.
    read
        What `read_map_file` returned, if the file is read already.
    """
    document = read_map_file(path, layer) if read is None else read
    return _map(document, str(path), weight, k, name, tolerance, Path(path).name)


def connected_partition_from_geodataframe(
    frame: Any,
    weight: Attribute,
    k: int,
    *,
    name: str | None = None,
    tolerance: float | None = 0.0,
) -> ConnectedPartition:
    """Return the map in a GeoDataFrame of geopandas, a node for every row.

    Parameters, other than the frame, are those of a file; columns are its properties.
    Raise `InvalidInstanceError`, which names the row, if the frame is not as described,
    and `BackendUnavailableError` if there is a tolerance and `shapely` is not
    installed.
    """
    document = getattr(frame, "__geo_interface__", None)
    if not isinstance(document, Mapping):
        raise InvalidInstanceError(
            f"frame: expected a GeoDataFrame of geopandas, got a {type(frame).__name__}"
        )
    return _map(document, "frame", weight, k, name, tolerance, None)


def polygons_from_file(path: AnyPath, layer: str | None = None) -> Regions:
    """Return the polygons of every region in a file, to draw a map with."""
    document = read_map_file(path, layer)
    return [*map(_region, _features(document, str(path)))]


def _map(
    document: Mapping[str, Any],
    source: str,
    weight: Attribute,
    k: int,
    name: str | None,
    tolerance: float | None,
    title: str | None,
) -> ConnectedPartition:
    if tolerance is not None and not tolerance >= 0:
        raise InvalidInstanceError(f"tolerance: expected at least 0, got {tolerance}")
    features = _features(document, source)
    weights = _weights(features, source, weight)
    name = _usual_label(features) if name is None else name
    labels = None
    if name is not None:
        labels = [str(_property(feature, name)) for feature in features]
    regions = [*map(_region, features)]
    if tolerance is None:
        edges = exact_neighbours(regions)
    else:
        edges = near_neighbours(regions, tolerance)
    remarks = islands(len(weights), edges, labels), _lost(regions, edges, tolerance)
    with placed(source):
        return ConnectedPartition(
            weights,
            edges,
            k,
            labels=labels,
            positions=[_middle(region) for region in regions],
            name=title,
            comment="; ".join(filter(None, remarks)) or None,
        )


def _lost(
    regions: Regions, edges: Sequence[tuple[int, int]], tolerance: float | None
) -> str | None:
    """Return a remark on borders that nearly fit, unless there is a tolerance."""
    found = None if tolerance else near_borders(regions, edges)
    if found is None:
        return None
    pairs = "1 pair" if found.pairs == 1 else f"{found.pairs:,} pairs"
    return (
        f"{pairs} of regions nearly touch, and are no neighbours without a tolerance, "
        f"such as {found.tolerance:g} in the unit of the map"
    )


def _features(document: Mapping[str, Any], source: str) -> list[_Feature]:
    """Return the features of a collection."""
    listed = document.get("features")
    if document.get("type") != "FeatureCollection" or not isinstance(listed, Sequence):
        raise InvalidInstanceError(f"{source}: expected a FeatureCollection of GeoJSON")
    if not listed:
        raise InvalidInstanceError(f"{source}: features: the map has no region")
    found = []
    for i, feature in enumerate(listed):
        where = f"{source}: features[{i}]"
        if not isinstance(feature, Mapping):
            raise InvalidInstanceError(f"{where}: expected a Feature of GeoJSON")
        properties = feature.get("properties") or {}
        if not isinstance(properties, Mapping):
            raise InvalidInstanceError(f"{where}: properties: expected an object")
        found.append(_Feature(where, properties, feature.get("geometry")))
    return found


def _property(feature: _Feature, name: str) -> Any:
    properties = feature.properties
    if name not in properties:
        known = ", ".join(map(str, properties)) or "no properties"
        raise InvalidInstanceError(
            f"{feature.where}: no property {quoted(name)}; there are {known}"
        )
    return properties[name]


def _usual_label(features: Sequence[_Feature]) -> str | None:
    name = usual_label(features[0].properties) if features else None
    if name is None or any(one.properties.get(name) is None for one in features):
        return None
    return name


def _weights(features: Sequence[_Feature], source: str, name: Attribute) -> list[int]:
    if name is None or not features:
        return [1] * len(features)
    if isinstance(name, Usual):
        there = dict.fromkeys(found for one in features for found in one.properties)
        name = usual_name(there, USUAL_WEIGHTS, source, "property")
    items = [(one.where, _called(one, name), _property(one, name)) for one in features]
    return weights_of(items, name)


def _called(feature: _Feature, weight: str) -> str | None:
    """Return texts among the properties of a region: what it may be known by."""
    properties = feature.properties.items()
    texts = [text for n, text in properties if n != weight and isinstance(text, str)]
    return ", ".join(texts[:_FEW]) or None


def _region(feature: _Feature) -> list[Polygon]:
    geometry = feature.geometry if isinstance(feature.geometry, Mapping) else {}
    kind, where = geometry.get("type"), feature.where
    if kind not in ("Polygon", "MultiPolygon"):
        raise InvalidInstanceError(
            f"{where}: expected a Polygon or MultiPolygon, got {kind or 'nothing'}"
        )
    given: Any = geometry.get("coordinates")
    try:
        polygons = [given] if kind == "Polygon" else list(given)
        region: list[Polygon] = [
            [_ring(ring) for ring in polygon] for polygon in polygons
        ]
        if not region or not all(region):
            raise ValueError("a polygon without a border")
        return region
    except (TypeError, ValueError, LookupError, OverflowError) as error:
        raise InvalidInstanceError(f"{where}: broken coordinates: {error}") from error


def _ring(places: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Return the places of a ring, the first of them again at the end."""
    ring = [(float(place[0]), float(place[1])) for place in places]
    if len(ring) < 3 or not all(map(isfinite, chain(*ring))):
        raise ValueError(f"not a ring: {ring[:4]}")
    return ring if ring[0] == ring[-1] else [*ring, ring[0]]


def _middle(region: Sequence[Polygon]) -> tuple[float, float]:
    """Return the centre of mass of the largest polygon, without its holes."""
    moments = [_moments(polygon[0]) for polygon in region]
    _, x, y = max(moments, key=lambda found: abs(found[0]))
    return x, y


def _moments(ring: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Return the signed area of a ring and its centre of mass."""
    x0, y0 = ring[0]
    area = across = up = 0.0
    for (a, b), (c, d) in pairwise(ring):
        cross = (a - x0) * (d - y0) - (c - x0) * (b - y0)
        area += cross / 2
        across += cross * (a + c - 2 * x0)
        up += cross * (b + d - 2 * y0)
    if area == 0:
        return 0.0, x0, y0
    return area, x0 + across / (6 * area), y0 + up / (6 * area)
