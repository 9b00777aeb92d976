"""The exact methods of suppression."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.suppression import Suppression
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]


def solve(search: Search[Suppression]) -> None:
    """Choose and run methods until the search is done."""


METHODS: Sequence[Method[Suppression]] = ()
