"""The exact methods of generalization."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.generalization import Generalization
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]


def solve(search: Search[Generalization]) -> None:
    """Choose and run methods until the search is done."""


METHODS: Sequence[Method[Generalization]] = ()
