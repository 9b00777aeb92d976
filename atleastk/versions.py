"""Which software took part in a run."""

from __future__ import annotations

import platform
import sys
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
    found = {"atleastk": __version__, "python": platform.python_version()}
    for module, distribution in _DISTRIBUTIONS.items():
        if module in sys.modules:
            try:
                found[distribution] = version(distribution)
            except PackageNotFoundError:  # imported from a path, not installed
                found[distribution] = "unknown"
    return found
