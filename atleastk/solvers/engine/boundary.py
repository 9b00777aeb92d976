"""Orders of the nodes of a graph in which few of them are between taken and not.

Nodes are taken one by one. The *boundary* are the nodes taken that have neighbours
still to come: what dynamic programs over graphs remember.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_TAKEN: Final = 5_000
"""Steps of all these orders together, about: large graphs are tried from few nodes."""

Neighbours = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Step:
    """A node is taken."""

    node: int
    beside: tuple[int, ...]  # where the boundary before has its neighbours
    stay: tuple[int, ...]  # the boundary after: places before, or the last for the node


def order_of(neighbours: Neighbours) -> list[int]:
    """Return the best of some orders with a small boundary."""
    return next(iter(orders_of(neighbours)), [])


def orders_of(neighbours: Neighbours, most: int = 100) -> list[list[int]]:
    """Return orders with a small boundary, from `most` starts at most, the best first.

    The next node is the one that leaves the boundary smallest. Components come one
    after the other, each but the first from a node of least degree. An order counts
    as much as the subsets of all its boundaries.
    """
    n = len(neighbours)
    fresh = sorted(range(n), key=lambda v: (len(neighbours[v]), v))
    tried = max(1, min(most, _TAKEN // max(1, n)))
    orders = [_from(neighbours, fresh, first) for first in fresh[:tried]]
    return sorted(orders, key=lambda order: _weight(neighbours, order))


def width(neighbours: Neighbours, order: Sequence[int]) -> int:
    """Return the greatest number of nodes in the boundary of an order."""
    return max((len(step.stay) for step in steps_of(neighbours, order)), default=0)


def steps_of(neighbours: Neighbours, order: Sequence[int]) -> Iterator[Step]:
    """Yield the steps of an order."""
    left = [len(found) for found in neighbours]
    boundary: list[int] = []
    for node in order:
        around = set(neighbours[node])
        for u in around:
            left[u] -= 1
        beside = tuple(place for place, u in enumerate(boundary) if u in around)
        wider = [*boundary, node]
        stay = tuple(place for place, u in enumerate(wider) if left[u])
        yield Step(node, beside, stay)
        boundary = [wider[place] for place in stay]


def _from(neighbours: Neighbours, fresh: Sequence[int], first: int) -> list[int]:
    """Return the order from a node on, with fresh components as they are listed.

    Takes O(edges + nodes times boundary).
    """
    left = [len(found) for found in neighbours]  # neighbours still to come
    leaving = [0] * len(neighbours)  # nodes that leave the boundary with a node
    taken: set[int] = set()
    beside: dict[int, int] = {}
    order: list[int] = []
    waiting = [*reversed(fresh), first]
    while len(order) < len(neighbours):
        if beside:
            v = min(beside, key=lambda v: ((left[v] > 0) - leaving[v], beside[v]))
            del beside[v]
        else:
            v = waiting.pop()
            if v in taken:
                continue
        taken.add(v)
        order.append(v)
        for u in neighbours[v]:
            left[u] -= 1
            if u not in taken:
                beside.setdefault(u, len(order))
        for u in (v, *neighbours[v]):
            if u in taken and left[u] == 1:
                leaving[next(w for w in neighbours[u] if w not in taken)] += 1
    return order


def _weight(neighbours: Neighbours, order: Sequence[int]) -> int:
    return sum(2 ** len(step.stay) for step in steps_of(neighbours, order))
