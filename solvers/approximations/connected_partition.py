"""Connected partition: the approximation algorithms."""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.solvers.method import Algorithm

__all__ = ["ALGORITHMS"]

ALGORITHMS: Sequence[Algorithm[ConnectedPartition]] = ()
