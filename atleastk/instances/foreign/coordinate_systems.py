"""Coordinate systems of maps, as far as GeoJSON can name them.

Coordinates of GeoJSON are degrees of longitude and latitude [RFC7946]. Programs still
read the member ``crs`` of the format before it, which has the code of another system.
Well-known text may end with that code, and files ``.prj`` of Esri have a name in its
place: the codes of the most common names are known here. What has no code is degrees to
those programs, whatever its numbers are.

[RFC7946] H. Butler et al., "The GeoJSON Format", RFC 7946, 2016.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

_DEGREES: Final = ("EPSG:4326", "OGC:CRS84")
"""The system of GeoJSON without a word."""

_NAME: Final = re.compile(r'\s*\w+\s*[\[(]\s*"((?:[^"]|"")*)"')
"""The beginning of well-known text."""

_CODE: Final = re.compile(
    r'(?:AUTHORITY|ID)\["(EPSG|ESRI|OGC)",\s*"?(\w+)"?\]\s*\]\s*$'
)
"""Its end: the code of the whole, not of a part."""

_URN: Final = re.compile(r"urn:ogc:def:crs:.*|(EPSG|ESRI):\d+")
"""The names that programs understand."""

_CODES: Final[Mapping[str, int]] = {
    "GCS_WGS_1984": 4326,
    "GCS_North_American_1927": 4267,
    "GCS_North_American_1983": 4269,
    "GCS_ETRS_1989": 4258,
    "WGS_1984_Web_Mercator_Auxiliary_Sphere": 3857,
    "NAD_1983_Contiguous_USA_Albers": 5070,
    "NAD_1983_Statistics_Canada_Lambert": 3347,
    "GDA_1994_Australia_Albers": 3577,
    "NZGD_2000_New_Zealand_Transverse_Mercator": 2193,
    "ETRS_1989_LAEA": 3035,
    "ETRS_1989_LCC": 3034,
    "British_National_Grid": 27700,
    "RGF_1993_Lambert_93": 2154,
    "CH1903_LV03": 21781,
    "CH1903+_LV95": 2056,
    "MGI_Austria_Lambert": 31287,
    "RD_New": 28992,
    "Belge_Lambert_1972": 31370,
    "SWEREF99_TM": 3006,
    "EUREF_FIN_TM35FIN": 3067,
}
"""The EPSG codes of names in files of Esri."""

_ZONES: Final = (
    (re.compile(r"WGS_1984_UTM_Zone_(\d+)N"), 32600, range(1, 61)),
    (re.compile(r"WGS_1984_UTM_Zone_(\d+)S"), 32700, range(1, 61)),
    (re.compile(r"NAD_1983_UTM_Zone_(\d+)N"), 26900, range(1, 24)),
    (re.compile(r"ETRS_1989_UTM_Zone_(\d+)N"), 25800, range(28, 38)),
    (re.compile(r"DHDN_3_Degree_Gauss_Zone_(\d+)"), 31464, range(2, 6)),
)
"""Names with the number of a zone, the code before zone 1, and the zones."""

System = str
"""A code such as ``EPSG:25832``; a name where no code is known."""


def system_of_text(text: str) -> System | None:
    """Return the system in well-known text; None if it is none."""
    name = _NAME.match(text)
    if name is None:
        return None
    code = _CODE.search(text)
    if code is not None:
        return f"{code[1]}:{code[2]}"
    return _of_name(name[1])


def _of_name(name: str) -> System:
    number = _CODES.get(name)
    for pattern, before, zones in _ZONES:
        found = pattern.fullmatch(name)
        if found is not None and int(found[1]) in zones:
            number = before + int(found[1])
    return name if number is None else f"EPSG:{number}"


def crs_of(system: System | None) -> dict[str, Any]:
    """Return the member that says the system; nothing if it is unknown, or degrees."""
    if system is None or system in _DEGREES:
        return {}
    name = system
    if _URN.fullmatch(system):
        name = "urn:ogc:def:crs:" + system.replace(":", "::")
    return {"crs": {"type": "name", "properties": {"name": name}}}


def misread(document: Mapping[str, Any], places: Iterable[Sequence[float]]) -> str:
    """Return why other programs misread the places of a map; empty if they do not."""
    match document.get("crs"):
        case {"properties": {"name": str(name)}}:
            if _URN.fullmatch(name):
                return ""
            return f'coordinates are of "{name}", which GeoJSON cannot say'
    if all(abs(x) <= 360 and abs(y) <= 90 for x, y in places):
        return ""
    return "coordinates are no degrees, and the map does not say what they are"
