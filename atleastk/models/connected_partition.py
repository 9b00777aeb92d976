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

from atleastk.arrays import IntArray, by_label
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
    home, (u, v) = labels_of(solution.groups, instance.n), instance.ends
    inside = home[u] == home[v]
    parts = component_numbers(instance.n, u[inside], v[inside])
    whole = int(parts.max(initial=-1)) + 1 == len(solution.groups)
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


def component_numbers(n: int, u: IntArray, v: IntArray) -> IntArray:
    """Return the number of the component of every node, for edges (u, v).

    Numbers are in the order of least nodes. Every node is hung below the least one
    beside it, and trees become nodes, until no edge is left: they get fewer each time,
    in practice by a factor.
    """
    found, left = np.arange(n), n
    while len(u):
        root = np.arange(left)
        np.minimum.at(root, np.maximum(u, v), np.minimum(u, v))
        number = np.cumsum(root == np.arange(left)) - 1
        above = root[root]
        while (above != root).any():
            root, above = above, above[above]
        number = number[root]
        found, u, v = number[found], number[u], number[v]
        apart = u != v
        u, v, left = u[apart], v[apart], int(number.max()) + 1
    return found


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


def components_by(n: int, u: IntArray, v: IntArray) -> list[IntArray]:
    """Return the components of edges (u, v), each ascending, by their first node."""
    return by_label(component_numbers(n, u, v))


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
