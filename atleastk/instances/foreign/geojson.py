"""GeoJSON, as far as polygons of maps go; and the layers that other files have."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from atleastk.instances.fields.attributes import unknown_name
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files import files
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.foreign.coordinate_systems import System, crs_of

Document = dict[str, Any]
Rings = Sequence[Sequence[Sequence[float]]]
"""The outer ring of a polygon, and those of its holes."""


def read_geojson(path: AnyPath, layer: str | None = None) -> Document:
    """Return the object of a file."""
    if layer is not None:
        raise InvalidInstanceError(
            f"{path}: GeoJSON has no layers; leave out {layer!r}"
        )
    return files.read(path)


def layer_of(path: AnyPath, layers: Collection[str], wanted: str | None) -> str:
    """Return the wanted layer of a file; without one, the only one."""
    if wanted is not None and wanted not in layers:
        raise InvalidInstanceError(unknown_name(wanted, layers, str(path), "layer"))
    if wanted is None and len(layers) != 1:
        known = ", ".join(sorted(layers)) or "none"
        raise InvalidInstanceError(
            f"{path}: say which layer is meant; there are {known}"
        )
    return wanted or next(iter(layers))


def feature_collection(
    features: Sequence[Document], system: System | None = None
) -> Document:
    """Return a map of these features; it says of which system its coordinates are."""
    return {"type": "FeatureCollection", **crs_of(system), "features": list(features)}


def feature(
    properties: Mapping[str, Any], polygons: Sequence[Rings] | None
) -> Document:
    """Return a region; without polygons its geometry is null."""
    geometry = {"type": "MultiPolygon", "coordinates": polygons}
    return {
        "type": "Feature",
        "properties": dict(properties),
        "geometry": None if polygons is None else geometry,
    }
