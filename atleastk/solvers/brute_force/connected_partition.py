"""Connected partition: brute force.

Every set of at most ten nodes is an admissible part or not, by definition; every
partition of the nodes into admissible parts (at most 115,975) is tried, without bounds,
components, or any other code of the solvers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.solvers.brute_force.bin_covering import cheapest, refuse_more


def optimum(instance: ConnectedPartition) -> tuple[int, list[list[int]]] | None:
    """Return the least cost and the groups of a best solution; None if infeasible."""
    n = instance.n
    refuse_more(n, 10, "nodes")
    admissible = {}
    for part in range(1, 2**n):
        nodes = _nodes(part)
        weight = sum(instance.weights[node] for node in nodes)
        if weight >= instance.k and is_connected(nodes, instance.edges):
            admissible[part] = weight
    best = cheapest(
        _partitions(2**n - 1, admissible),
        lambda parts: max((admissible[part] for part in parts), default=0),
    )
    return None if best is None else (best[0], list(map(_nodes, best[1])))


def is_connected(nodes: Sequence[int], edges: Sequence[Sequence[int]]) -> bool:
    """Tell whether no edge has to be added to join some nodes, at least one."""
    joined = {nodes[0]}
    for _ in nodes:
        for u, v in edges:
            if u in nodes and v in nodes and not joined.isdisjoint((u, v)):
                joined |= {u, v}
    return len(joined) == len(nodes)


def _nodes(part: int) -> list[int]:
    return [node for node in range(part.bit_length()) if part >> node & 1]


def _partitions(left: int, admissible: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield every partition of a set into admissible parts once."""
    if not left:
        yield []
        return
    first = left & -left
    for part in admissible:
        if part & first and part & ~left == 0:
            for rest in _partitions(left & ~part, admissible):
                yield [part, *rest]
