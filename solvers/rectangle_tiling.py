"""Rectangle tiling: the exact methods."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]


def solve(search: Search[RectangleTiling]) -> None:
    """Solve an instance, as far as the budget goes."""


METHODS: Sequence[Method[RectangleTiling]] = ()
