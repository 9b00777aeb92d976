"""Connected partition: the exact methods."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]


def solve(search: Search[ConnectedPartition]) -> None:
    """Solve an instance, as far as the budget goes."""


METHODS: Sequence[Method[ConnectedPartition]] = ()
