import json
from importlib import import_module
from types import ModuleType

import pytest

from atleastk.runs import registry


@pytest.fixture(scope="session")
def fakes() -> ModuleType:
    """The hostile stand-in of bin covering."""
    return import_module("fakes")


@pytest.fixture(scope="session")
def sorted_rows() -> ModuleType:
    """The quick stand-in of k-anonymity."""
    return import_module("sorted_rows")


@pytest.fixture
def quick(sorted_rows, monkeypatch):
    monkeypatch.setattr(registry, "PROBLEMS", sorted_rows.registered(sorted_rows.cut))


@pytest.fixture
def stand_in(fakes, monkeypatch):
    def register(problem=fakes.PROBLEM):
        monkeypatch.setattr(registry, "PROBLEMS", fakes.registered(problem))
        return problem

    return register


@pytest.fixture
def instance_file(tmp_path):
    """A small bin covering file; the optimum is 16."""
    path = tmp_path / "small.json"
    document = {"problem": "bin-covering", "sizes": [10, 6, 6, 6], "k": 10}
    path.write_text(json.dumps(document))
    return path


SQUARES = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"called": f"r{i}", "people": 3 + i % 2},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[i, 0], [i + 1, 0], [i + 1, 1], [i, 1], [i, 0]]],
            },
        }
        for i in range(4)
    ],
}


@pytest.fixture
def squares(tmp_path):
    path = tmp_path / "squares.geojson"
    path.write_text(json.dumps(SQUARES), encoding="utf-8")
    return path
