"""Connected partition: the start heuristic, without any search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.results.solution import Solution
from atleastk.solvers.connected_partition.region_growing import grown, grown_fast

_SOME: Final = 30_000
"""Nodes up to which no loop is compiled: it takes 0.1 s without."""


def first_answers(instance: ConnectedPartition) -> Iterator[tuple[str, Solution]]:
    """Yield the result of region growing, if all parts weigh enough."""
    grow = grown if instance.n <= _SOME else grown_fast
    k = min(instance.k, int(instance.amounts.sum()) + 1)  # of any magnitude
    home = grow(*instance.adjacency, instance.amounts, k, 0)
    heavy = np.zeros(home.max(initial=-1) + 1, dtype=np.int64)
    np.add.at(heavy, home, instance.amounts)
    if heavy.min(initial=k) >= k:
        yield "growth", Solution.labelled(home)
