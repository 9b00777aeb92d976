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

from atleastk.instances.connected_partition import ConnectedPartition
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
    cost = 0
    whole = _all_connected(instance, solution)
    for g, group in enumerate(solution.groups):
        weight = sum(instance.weights[node] for node in group)
        cost = max(cost, weight)
        if weight < instance.k:
            violations.append(f"group {g} weighs {weight}, below k = {instance.k}")
        reached = set(group) if whole else reach(instance.neighbours, group)
        if len(reached) < len(group):
            away = min(set(group) - reached)
            violations.append(
                f"group {g} is not connected: no path from {group[0]} to {away}"
            )
    return Verdict(cost, tuple(violations))


def _all_connected(instance: ConnectedPartition, solution: Solution) -> bool:
    """Tell whether all groups are connected, by union-find over the edges inside."""
    home = labels_of(solution.groups, instance.n).tolist()
    top = list(range(instance.n))
    trees = instance.n
    for u, v in instance.edges:
        if home[u] == home[v]:
            while top[u] != u:
                top[u] = u = top[top[u]]
            while top[v] != v:
                top[v] = v = top[top[v]]
            if u != v:
                top[u] = v
                trees -= 1
    return trees == len(solution.groups)


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
    return [sorted(order) for order in breadth_first(instance.neighbours)]


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
    k, weights = instance.k, instance.weights
    return sum(
        sum(min(weights[v], k) for v in part) // k for part in components(instance)
    )


def counting_bound(weights: Sequence[int], k: int) -> int:
    """Return max(k, max w, ceil(W / floor(W / k))) of a component of weight W >= k."""
    return least_level(sum(weights), k, max(weights))
