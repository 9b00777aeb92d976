"""Rectangle tiling: the approximation algorithms."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.solvers.method import Algorithm

__all__ = ["ALGORITHMS"]

ALGORITHMS: Sequence[Algorithm[RectangleTiling]] = ()
