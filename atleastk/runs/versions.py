"""Which software took part in a run."""

from __future__ import annotations

import platform
import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from atleastk.runs.own_sources import imports_sha256

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


_SOURCES: Final = (
    *("*.py", "instances/**/*.py", "models/**/*.py", "runs/**/*.py"),
    *("solvers/**/*.py", "research/*.py", "research/studies/*.py"),
)
"""Where what computes stands in this package."""

_ALGORITHMS: Final = "algorithms"
"""The folders of shipped algorithms, each of which studies know by itself."""

_STARTS: Final = frozenset(("ALGORITHMS",))
"""What exact methods import of these only to begin with its solutions."""

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

    ``sources`` is a fingerprint of this package's own files, without what only shows
    results, and without algorithms that no exact method needs.
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
    """Return a fingerprint of this package's own files, as they are imported.

    Of algorithms only what exact methods make use of, but for solutions to begin with.
    """
    digest, users = sha256(), list[Path]()
    root = Path(__file__).parents[1]
    for path in sorted({path for place in _SOURCES for path in root.glob(place)}):
        if path.parent.name != _ALGORITHMS:
            content = path.read_bytes()
            digest.update(path.relative_to(root).as_posix().encode() + content)
            users += [path] * (f".{_ALGORITHMS}.".encode() in content)
    digest.update(imports_sha256(users, _ALGORITHMS, _STARTS).encode())
    return digest.hexdigest()[:12]


@cache
def _version_of(distribution: str) -> str:
    """Return an installed version, cached: reading it takes longer than a small run."""
    try:
        return version(distribution)
    except PackageNotFoundError:  # imported from a path, not installed
        return _UNKNOWN
