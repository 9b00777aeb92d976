"""What tests of several floors share."""

from importlib import import_module
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def suppressions():
    """The sweep of the suppression family: random instances, ways to solve them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1] / "scripts")
        return import_module("sweep_suppression")
