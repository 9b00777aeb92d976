"""The exact methods of k_ambiguity."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]


def solve(search: Search[KAmbiguity]) -> None:
    """Choose and run methods until the search is done."""


METHODS: Sequence[Method[KAmbiguity]] = ()
