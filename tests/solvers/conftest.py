import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from atleastk.solvers.brute_force.bin_covering import partitions

SWEEP = Path(__file__).parents[2] / "scripts" / "sweep_bin_covering.py"


@pytest.fixture(scope="session")
def sweep():
    """Random instances, ways to solve them, and the judge that compares."""
    return SimpleNamespace(**runpy.run_path(str(SWEEP)))


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
