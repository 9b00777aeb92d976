"""Connected partition: the start heuristic, without any search."""

from __future__ import annotations

from collections.abc import Iterator

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.results.solution import Solution
from atleastk.solvers.connected_partition.component import searched_of
from atleastk.solvers.connected_partition.region_growing import grown
from atleastk.solvers.connected_partition.tree_parts import tree_parts


def first_answers(instance: ConnectedPartition) -> Iterator[tuple[str, Solution]]:
    """Yield parts that grow, or of many nodes those of a tree, if all weigh enough."""
    whole = searched_of(instance)
    k = min(instance.k, whole.total + 1)  # of any magnitude
    if whole.above is None:
        source, home = "growth", grown(*whole.graph, k, 0)
    else:
        source, home = "tree", tree_parts(whole, k)
    if whole.masses(home)[home].min(initial=k) >= k:
        yield source, Solution.labelled(whole.spread(home))
