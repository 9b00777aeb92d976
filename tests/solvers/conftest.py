from importlib import import_module

import pytest

from atleastk.solvers.brute_force.bin_covering import partitions


@pytest.fixture(scope="session")
def sweep():
    """Random sizes and maps."""
    return import_module("scripts.sweeps.drawn_weights")


@pytest.fixture(scope="session")
def tables():
    """Random tables."""
    return import_module("scripts.sweeps.drawn_tables")


@pytest.fixture(scope="session")
def profile():
    """All (number of bins, least level, greatest level) that partitions have."""

    def profiled(sizes):
        seen = set()
        for groups in partitions(len(sizes)):
            levels = [sum(sizes[i] for i in group) for group in groups]
            seen.add((len(groups), min(levels), max(levels)))
        return seen

    return profiled
