"""Connected partition: the start heuristic, without any search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.results.solution import Solution
from atleastk.solvers.connected_partition.region_growing import grown


def first_answers(instance: ConnectedPartition) -> Iterator[tuple[str, Solution]]:
    """Yield the result of region growing, if all parts weigh enough."""
    starts, ends = (row.tolist() for row in instance.adjacency)
    home, heavy = grown(starts, ends, instance.weights, instance.k)
    if all(weight < 0 or weight >= instance.k for weight in heavy):
        yield "growth", Solution.labelled(np.array(home, dtype=np.int64))
