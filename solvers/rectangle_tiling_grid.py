"""RTILE: the exact methods."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]


def solve(search: Search[RectangleTilingGrid]) -> None:
    """Solve an instance, as far as the budget goes."""


METHODS: Sequence[Method[RectangleTilingGrid]] = ()
