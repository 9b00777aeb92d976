"""Which software took part in a run."""

from __future__ import annotations

import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version

__all__ = ["__version__", "versions_in_use"]

__version__ = version("atleastk")

_DISTRIBUTIONS = {
    "gurobipy": "gurobipy",
    "highspy": "highspy",
    "numba": "numba",
    "numpy": "numpy",
    "ortools": "ortools",
    "pandas": "pandas",
    "polars": "polars",
    "pulp": "PuLP",
    "pyarrow": "pyarrow",
    "pyscipopt": "PySCIPOpt",
    "pysat": "python-sat",
    "scipy": "scipy",
}
"""Modules that compute or read tables, and the distributions they come from."""


def versions_in_use() -> dict[str, str]:
    """Return the versions of atleastk, Python and every such module imported so far."""
    return {
        "atleastk": __version__,
        "python": platform.python_version(),
        **{
            distribution: _version_of(distribution)
            for module, distribution in _DISTRIBUTIONS.items()
            if module in sys.modules
        },
    }


@cache
def _version_of(distribution: str) -> str:
    """Return what is installed; reading it again and again outlasts a small solve."""
    try:
        return version(distribution)
    except PackageNotFoundError:  # imported from a path, not installed
        return "unknown"
