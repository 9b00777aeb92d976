"""Connected partition: the start heuristic, without any search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from atleastk.models.results.solution import Solution
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.region_growing import grown
from atleastk.solvers.connected_partition.tree_parts import tree_parts


def first_answers(whole: Component, k: int) -> Iterator[tuple[str, Solution]]:
    """Yield parts that grow, or those of a tree if there is one, if all weigh enough.

    It takes the graph of an instance as one component.
    """
    k = min(k, whole.total + 1)  # of any magnitude
    if whole.above is None:
        source, home = "growth", grown(*whole.graph, k, 0)
    else:
        source, home = "tree", tree_parts(whole, k)
    heavy = np.zeros(home.max(initial=-1) + 1, dtype=np.int64)
    np.add.at(heavy, home, whole.weights)
    if heavy[home].min(initial=k) >= k:
        yield source, Solution.labelled(whole.spread(home))
