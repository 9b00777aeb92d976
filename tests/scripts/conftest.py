"""What the tests of scripts share."""

from importlib import import_module

import pytest


@pytest.fixture
def script():
    """Imports a script."""
    return lambda name: import_module(f"scripts.{name}")


@pytest.fixture
def trials(script):
    return script("benchmarks.trials")


@pytest.fixture
def cases(script):
    return script("benchmarks.cases_bin_covering")


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
