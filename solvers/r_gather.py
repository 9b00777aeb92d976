"""r-gather: the exact methods."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.r_gather import RGather
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]


def solve(search: Search[RGather]) -> None:
    """Solve an instance, as far as the budget goes."""


METHODS: Sequence[Method[RGather]] = ()
