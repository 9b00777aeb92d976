"""Node orders of small vertex separation: the border of every prefix is short.

The border of a prefix are the nodes after it that are next to it. Every order starts at
a node far from the others' and takes, of the border, a node that brings fewest new
nodes into the border, and of these the one that has been in it for longest: a greedy
heuristic for the vertex separation of a graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from atleastk.solvers.connected_partition.component import Component

Order = list[int]


def sweep_orders(component: Component, starts: int) -> list[Order]:
    """Return orders from `starts` far nodes, and reversed, the shortest border first.

    The cost of an order is what :func:`separation` sums up.
    """
    forward = [_greedy(component, node) for node in _far(component, starts)]
    orders = [turned for order in forward for turned in (order, order[::-1])]
    return sorted(orders, key=lambda order: separation(component, order))


def separation(component: Component, order: Sequence[int]) -> float:
    """Return the sum of two to the length of the border of every prefix."""
    placed: set[int] = set()
    border: set[int] = set()
    cost = 0.0
    for node in order:
        placed.add(node)
        border.discard(node)
        border.update(v for v in component.neighbours[node] if v not in placed)
        cost += 2.0 ** min(len(border), 1000)
    return cost


def _far(component: Component, count: int) -> list[int]:
    """Return nodes each of which is farthest from those before."""
    chosen = [_farthest(component, [0])]
    while len(chosen) < min(count, component.n):
        chosen.append(_farthest(component, chosen))
    return chosen


def _farthest(component: Component, sources: Iterable[int]) -> int:
    queue = list(sources)
    seen = set(queue)
    for node in queue:
        new = [v for v in component.neighbours[node] if v not in seen]
        seen.update(new)
        queue += new
    return queue[-1]


def _greedy(component: Component, first: int) -> Order:
    around = component.neighbours
    unseen = [len(found) for found in around]
    seen = [False] * component.n
    # Dictionaries keep the order of insertion, so the first least is the oldest.
    border: dict[int, None] = {}
    order: Order = []

    def enter(node: int) -> None:
        seen[node] = True
        border[node] = None
        for v in around[node]:
            unseen[v] -= 1

    enter(first)
    while border:
        node = min(border, key=unseen.__getitem__)
        del border[node]
        order.append(node)
        for v in around[node]:
            if not seen[v]:
                enter(v)
    return order
