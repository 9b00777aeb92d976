"""Which software took part in a run."""

from __future__ import annotations

import platform
import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__version__ = version("atleastk")

_COMPUTING = {
    "gurobipy": "gurobipy",
    "highspy": "highspy",
    "numba": "numba",
    "numpy": "numpy",
    "ortools": "ortools",
    "pulp": "PuLP",
    "pyscipopt": "PySCIPOpt",
    "pysat": "python-sat",
    "scipy": "scipy",
}
"""Modules that compute, and the distributions they come from."""

_DISTRIBUTIONS = _COMPUTING | {name: name for name in ("pandas", "polars", "pyarrow")}
"""Those, and modules that read tables."""


_UNKNOWN = "unknown"


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


def versions_installed() -> dict[str, str]:
    """Return the versions of all that may take part in a run, imported or not.

    ``sources`` is a fingerprint of this package's own files.
    """
    return {
        "atleastk": __version__,
        "sources": _sources(),
        "python": platform.python_version(),
        **{
            distribution: found
            for distribution in _COMPUTING.values()
            if (found := _version_of(distribution)) != _UNKNOWN
        },
    }


@cache
def _sources() -> str:
    """Return a fingerprint of this package's own files, as they are imported."""
    digest = sha256()
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def _version_of(distribution: str) -> str:
    """Return an installed version, cached: reading it takes longer than a small run."""
    try:
        return version(distribution)
    except PackageNotFoundError:  # imported from a path, not installed
        return _UNKNOWN
