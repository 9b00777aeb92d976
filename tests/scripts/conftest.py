"""What the tests of scripts share."""

import json
from importlib import import_module

import pytest

from atleastk.instances.bin_covering import BinCovering
from scripts.benchmarks.measured import Measured


@pytest.fixture
def script():
    return lambda name: import_module(f"scripts.{name}")


@pytest.fixture
def run():
    """Makes runs of one instance that proved 7; keywords change their fields."""

    def make(instance=None, events=(), **fields):
        plain = {
            "status": "OPTIMAL",
            "cost": 7,
            "bound": 7,
            "seconds": 0.5,
            "time_limit": 10.0,
            "result": json.dumps({"events": events}),
        }
        some = BinCovering([3, 2, 2], 3, name="some n=3")
        return Measured(instance or some, plain | fields)

    return make
