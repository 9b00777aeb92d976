"""r-gather: the algorithms of [Aggarwal10]."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.r_gather import RGather
from atleastk.solvers.method import Algorithm

__all__ = ["ALGORITHMS"]

ALGORITHMS: Sequence[Algorithm[RGather]] = ()
