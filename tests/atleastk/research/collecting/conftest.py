"""What tests of the library share: a record of a small instance."""

import pytest

import atleastk
from atleastk.research.collecting.record import Record


@pytest.fixture
def instance():
    """Bins whose optimum, 12, has a certificate, and of which all is quickly known."""
    return atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8, name="seven sizes")


@pytest.fixture
def record(instance):
    return Record.of(
        instance, name="seven", family="tests", source="by hand", licence="none"
    )


@pytest.fixture
def optimal(instance):
    return atleastk.solve(instance, workers=1, certify=True)
