"""What the tests of scripts share: scripts import each other by their plain names."""

from importlib import import_module
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def script(monkeypatch):
    """Imports a script as it would be imported by another one."""
    monkeypatch.syspath_prepend(SCRIPTS)
    return import_module


@pytest.fixture
def trials(script):
    return script("trials")


@pytest.fixture
def cases(script):
    return script("cases_bin_covering")


@pytest.fixture
def run(trials):
    """Makes runs of one trial that proved 7; keywords change their fields."""

    def make(**fields):
        plain = {
            "family": "uniform-1e2",
            "size": "n=9",
            "seed": 0,
            "method": "auto",
            "workers": 2,
            "cores": 2,
            "time_limit": 10.0,
            "instance_sha256": "one",
            "status": "OPTIMAL",
            "trust": "proved",
            "cost": 7,
            "bound": 7,
            "seconds": 0.5,
            "versions": {"atleastk": "1"},
            "sources": "abc",
        }
        return trials.Run(**(plain | fields))

    return make
