import runpy
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from atleastk.solvers.brute_force.bin_covering import partitions

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture(scope="session")
def sweep():
    """Random instances, ways to solve them, and the judge that compares."""
    return SimpleNamespace(**runpy.run_path(str(SCRIPTS / "sweep_bin_covering.py")))


@pytest.fixture(scope="session")
def tables():
    """Random tables, ways to make them anonymous, and the judge that compares."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPTS)
        return import_module("sweep_k_anonymity")


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
