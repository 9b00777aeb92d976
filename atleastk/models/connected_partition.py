"""Connected partition: the check of solutions, and bounds.

Definition, complexity and references: :mod:`atleastk.instances.connected_partition`.

Facts
-----
- *Feasible* iff every component of the graph weighs at least k.
- *The number of parts* p of a component of weight W is at most floor(W / k), and with p
  parts every part weighs at most W - (p - 1) k, the heaviest at least W / p.
- *The same of capped weights*: p is at most floor(c(V) / k) where c(v) = min(w(v), k),
  since a part weighs at least k under c as well.
- *The cost is monotone* in K (parts of at most K), but feasibility is not in p.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from atleastk.arrays import IntArray, distinct
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import (
    Solution,
    Verdict,
    labels_of,
    partition_violations,
)
from atleastk.models.windows import least_level


def check(instance: ConnectedPartition, solution: Solution) -> Verdict:
    """Recompute the weight of the heaviest part and list the violations."""
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    weights = PackedGroups.of(solution.groups).sums(instance.amounts).tolist()
    whole = _all_connected(instance, solution)
    for g, weight in enumerate(weights):
        if weight < instance.k:
            violations.append(f"group {g} weighs {weight}, below k = {instance.k}")
        if whole:
            continue
        group = solution.groups[g]
        reached = reach(instance.neighbours, group)
        if len(reached) < len(group):
            away = min(set(group).difference(reached))
            violations.append(
                f"group {g} is not connected: no path from {group[0]} to {away}"
            )
    return Verdict(max(weights, default=0), tuple(violations))


def _all_connected(instance: ConnectedPartition, solution: Solution) -> bool:
    """Tell whether all groups are connected by the edges inside."""
    home = labels_of(solution.groups, instance.n)
    u, v = instance.ends
    inside = home[u] == home[v]
    roots = distinct(least_reached(instance.n, u[inside], v[inside]))
    return len(roots) == len(solution.groups)


def least_reached(
    n: int, u: IntArray, v: IntArray, known: IntArray | None = None
) -> IntArray:
    """Return the least node of the component of every node, for edges (u, v).

    Every root is hung below the least one beside it, until no edge joins two trees:
    roots get fewer each time, in practice by a factor. Of every node one that it is
    connected with may be known, which is its own and the least of those that have it.
    """
    root = np.arange(n) if known is None else known.copy()
    while True:
        a, b = root[u], root[v]
        apart = a != b
        if not apart.any():
            return root
        u, v, a, b = (ends[apart] for ends in (u, v, a, b))
        np.minimum.at(root, np.maximum(a, b), np.minimum(a, b))
        above = root[root]
        while (above != root).any():
            root, above = above, above[above]


def reach(neighbours: Sequence[Sequence[int]], nodes: Iterable[int]) -> set[int]:
    """Return the nodes reachable from the first of some nodes within them."""
    inside = list(nodes)
    left = set(inside[1:])
    found = set(inside[:1])
    ends = inside[:1]
    while ends:
        for v in neighbours[ends.pop()]:
            if v in left:
                left.remove(v)
                found.add(v)
                ends.append(v)
    return found


def components(instance: ConnectedPartition) -> list[list[int]]:
    """Return the components of the graph, each ascending, by their first node."""
    return [nodes.tolist() for nodes in components_by(instance.n, *instance.ends)]


def components_by(
    n: int, u: IntArray, v: IntArray, known: IntArray | None = None
) -> list[IntArray]:
    """Return the components of edges (u, v), each ascending, by their first node.

    `known` as in `least_reached`.
    """
    if not n:
        return []
    least = least_reached(n, u, v, known)
    if not least.any():
        return [np.arange(n)]
    order = np.argsort(least, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(least[order])) + 1)


def breadth_first(neighbours: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the nodes of every component of a graph in breadth-first order."""
    new = [True] * len(neighbours)
    for root in range(len(neighbours)):
        if new[root]:
            new[root] = False
            order = [root]
            for v in order:
                for u in neighbours[v]:
                    if new[u]:
                        new[u] = False
                        order.append(u)
            yield order


def most_by_counting(instance: ConnectedPartition) -> int:
    """Return the sum of floor(c(V) / k) over the components: no more parts exist."""
    k, capped = instance.k, np.minimum(instance.amounts, instance.k)
    parts = components_by(instance.n, *instance.ends)
    return sum(int(capped[part].sum()) // k for part in parts)


def counting_bound(weights: Sequence[int], k: int) -> int:
    """Return max(k, max w, ceil(W / floor(W / k))) of a component of weight W >= k."""
    return least_level(sum(weights), k, max(weights))
