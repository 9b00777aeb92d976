"""Connected partition: the start heuristic, without any search."""

from __future__ import annotations

from collections.abc import Iterator

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.results.solution import Solution
from atleastk.solvers.connected_partition.region_growing import grown


def first_answers(instance: ConnectedPartition) -> Iterator[tuple[str, Solution]]:
    """Yield the result of region growing, if all parts weigh enough."""
    weights = instance.weights
    parts = grown(instance.neighbours, weights, instance.k)
    if all(sum(weights[v] for v in part) >= instance.k for part in parts):
        yield "growth", Solution.of(parts)
