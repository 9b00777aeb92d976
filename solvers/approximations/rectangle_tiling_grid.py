"""RTILE: the approximation algorithms."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.solvers.method import Algorithm

__all__ = ["ALGORITHMS"]

ALGORITHMS: Sequence[Algorithm[RectangleTilingGrid]] = ()
