"""Files of maps: GeoJSON, shapefiles and GeoPackages, each read as GeoJSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from atleastk.instances.files.paths import AnyPath, plain_name
from atleastk.instances.foreign.geojson import read_geojson
from atleastk.instances.foreign.geopackage import read_geopackage
from atleastk.instances.foreign.shapefile import read_shapefile

MAP_FILES: Final[Mapping[str, Callable[[AnyPath, str | None], dict[str, Any]]]] = {
    ".geojson": read_geojson,
    ".json": read_geojson,
    ".gpkg": read_geopackage,
    ".shp": read_shapefile,
}
"""The readers of map files, by suffix."""


def is_map_file(path: AnyPath) -> bool:
    """Tell by its name whether a file holds polygons."""
    return _suffix(path) in MAP_FILES


def read_map_file(path: AnyPath, layer: str | None = None) -> dict[str, Any]:
    """Return the map in a file as an object of GeoJSON; without a name it is one."""
    return MAP_FILES.get(_suffix(path), read_geojson)(path, layer)


def _suffix(path: AnyPath) -> str:
    """Return the suffix; an archive of no other kind is a shapefile."""
    suffix = Path(plain_name(path)).suffix.lower()
    if not suffix and Path(path).suffix.lower() == ".zip":
        return ".shp"
    return suffix
