"""What the tests of scripts share."""

from importlib import import_module

import pytest


@pytest.fixture
def script():
    return lambda name: import_module(f"scripts.{name}")
