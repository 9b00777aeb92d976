"""Lower bounds of a component without a search for partitions.

Let S be a set of nodes that holds v and may be a part: it is connected, weighs at least
k, and every component of G - S weighs at least k.

Completion
----------
The part of v weighs at least the least c(v) of these weights. If it is S then the cost
is at least S itself, and at least R / floor(R / k) for every component of weight R of
G - S; the least of these numbers over all S is a level of v, and no partition is below
the greatest level of a node. The sets that hold v are searched by weight; the search
ends as soon as it cannot raise anything, and when it has become too long, in which case
v says nothing beyond max(k, w(v)).

Heavy parts
-----------
Within level K the nodes with c(v) >= c are in at least H(c) / K parts, H(c) their
weight, all of which weigh c or more. So p parts weigh at least

    p k  +  integral over c > k of ceil(H(c) / K),

and if that is above W there are no p parts within K. And of the p + 1 heaviest nodes
two are in the same of p parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.models.connected_partition import counting_bound
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph
from atleastk.solvers.engine.part_counts import PartCounts

_STEPS: Final = 30_000_000
"""Sets and nodes to look at for a component: 0.4 s, measured on 3,000 nodes."""

_STEPS_OF_A_NODE: Final = 200_000
"""Sets and nodes to look at for one node: at least 150 nodes have their turn."""

_INSIDE: Final = 1 << 62
"""The mark of a node in the set: more than any number of looks."""


@dataclass(frozen=True)
class Completion:
    """Lower bounds of the weights of the parts of given nodes.

    Attributes
    ----------
    floor
        No partition costs less.
    lightest
        The part of node v weighs at least ``lightest[v]``, unless a partition costs
        the ceiling that was given or more.
    """

    floor: int
    lightest: IntArray


def completion(
    component: Component, k: int, ceiling: int, budget: Budget
) -> Completion:
    """Bound the parts of all nodes; the floor is at most `ceiling`, a known cost."""
    lightest = np.maximum(component.weights, k)
    floor = min(counting_bound(component.weights.tolist(), k), ceiling)
    with budget.flagging() as flag:
        raised = _complete(
            component.graph, k, ceiling, floor, lightest, _walk(component.n), flag
        )
    return Completion(int(raised), lightest)


def part_counts(
    component: Component, k: int, known: Completion, cost: int
) -> PartCounts:
    """Return the open levels below a known cost for every number of parts."""
    most = max(1, int(np.count_nonzero(component.weights)))
    counts = PartCounts(component.total, k, known.floor, most)
    counts.cap(cost)
    falling = sorted(component.weights.tolist(), reverse=True)
    heavy = _Heavy(component, k, known.lightest)
    for least, parts in counts.open_levels:
        level = least
        if parts < len(falling):
            level = max(level, falling[parts - 1] + falling[parts])
        level = heavy.least_level(parts, level, cost)
        if level > least:
            counts.refute(parts, level - 1)
    return counts


class _Heavy:
    """How many parts there can be, since some are heavier than k."""

    def __init__(self, component: Component, k: int, lightest: IntArray) -> None:
        self._k, self._total = k, component.total
        order = np.argsort(-lightest, kind="stable")
        order = order[: np.count_nonzero(lightest > k)]
        bounds = np.append(lightest[order], k)
        last = np.flatnonzero(bounds[1:] < bounds[:-1])
        # Both factors together stay below W + K, which may need the last bit.
        self._held = np.cumsum(component.weights[order])[last].astype(np.uint64)
        self._steps = (-np.diff(np.append(bounds[last], k))).astype(np.uint64)
        self._most: dict[int, int] = {}

    def least_level(self, parts: int, low: int, high: int) -> int:
        """Return the least level from `low` to `high` that admits this many parts."""
        if self._most_parts(low) >= parts:
            return low
        while low < high:
            middle = (low + high) // 2
            if self._most_parts(middle) >= parts:
                high = middle
            else:
                low = middle + 1
        return low

    def _most_parts(self, level: int) -> int:
        if level not in self._most:
            counts = (self._held + np.uint64(level - 1)) // np.uint64(level)
            surplus = int((self._steps * counts).sum())
            self._most[level] = (self._total - surplus) // self._k
        return self._most[level]


class _Walk(NamedTuple):
    """A depth-first enumeration of the connected sets that hold a node.

    Attributes
    ----------
    met
        The nodes in the set and next to it, in the order of their discovery.
    is_met
        Whether a node is among those.
    taken
        By depth: the place among the nodes met of the node taken, or to be tried next.
    known
        By depth: how many nodes were met before one was taken.
    seen
        By node: `_INSIDE` in the set, else the last look at the rest that reached it.
    looks
        Of length 1: how many looks at the rest there have been.
    queue
        Nodes of a component of the rest.
    """

    met: IntArray  # [place]
    is_met: BoolArray  # [node]
    taken: IntArray  # [depth]
    known: IntArray  # [depth]
    seen: IntArray  # [node]
    looks: IntArray  # [1]
    queue: IntArray  # [place]


def _walk(n: int) -> _Walk:
    """Return the walk of a graph of n nodes before its first step."""
    return _Walk(
        met=np.empty(n, dtype=np.int64),
        is_met=np.zeros(n, dtype=np.bool_),
        taken=np.empty(n + 1, dtype=np.int64),
        known=np.empty(n + 1, dtype=np.int64),
        seen=np.zeros(n, dtype=np.int64),
        looks=np.zeros(1, dtype=np.int64),
        queue=np.empty(n, dtype=np.int64),
    )


@compiled
def _complete(
    graph: Graph,
    k: int,
    ceiling: int,
    floor: int,
    lightest: IntArray,
    walk: _Walk,
    flag: ByteArray,
) -> int:
    """Raise what parts weigh at least, node by node; return the floor."""
    left = _STEPS
    for v in range(len(lightest)):
        if floor >= ceiling or left <= 0 or flag[0]:
            break
        light, level, steps = _complete_node(
            graph, k, v, ceiling, floor, lightest[v], walk, flag
        )
        # Sets that have not all been searched say nothing: they return zeros.
        lightest[v] = max(lightest[v], light)
        floor = max(floor, level)
        left -= steps
    return floor


@inlined
def _complete_node(
    graph: Graph,
    k: int,
    node: int,
    ceiling: int,
    floor: int,
    least: int,
    walk: _Walk,
    flag: ByteArray,
) -> tuple[int, int, int]:
    """Search the sets that hold a node; return their least weight and least level.

    Both are at most the ceiling. They are 0 if not all sets were searched, either
    because the numbers cannot rise above `least` and `floor` any more or because it
    took too long. The third number returned counts steps: sets, and nodes that were
    looked at beside them.

    Every connected set is met once: of the nodes next to it, one is taken and those met
    before it are left out for good. No set grows to the least level known or beyond.
    """
    starts, ends, weights = graph
    met, is_met, taken, known, seen = walk[:5]
    light, level = ceiling, ceiling
    steps, weight = _STEPS_OF_A_NODE, 0
    met[0], is_met[node] = node, True
    count, depth, taken[0], known[0] = 1, 0, 0, 1
    while depth >= 0:
        if (light <= least and level <= floor) or steps < 0 or flag[0]:
            light, level = 0, 0
            break
        if taken[depth] >= count or (depth == 0 and taken[0] > 0):
            # All was tried here: the node taken before leaves the set, and what was met
            # by it is forgotten.
            depth -= 1
            if depth >= 0:
                u = met[taken[depth]]
                seen[u] = 0
                weight -= weights[u]
                while count > known[depth + 1]:
                    count -= 1
                    is_met[met[count]] = False
                taken[depth] += 1
            continue
        steps -= 1
        u = met[taken[depth]]
        if weight + weights[u] >= level:
            taken[depth] += 1
            continue
        # The set grows by u, and may be a part if the rest can be cut into parts.
        seen[u] = _INSIDE
        weight += weights[u]
        if weight >= k and (weight < light or weight < level):
            reached, looked = _level_of_rest(graph, k, walk)
            steps -= looked
            if reached >= 0:
                light = min(light, weight)
                level = min(level, max(weight, reached))
        # New neighbours of u may be taken after it.
        known[depth + 1] = count
        for i in range(starts[u], starts[u + 1]):
            if not is_met[ends[i]]:
                is_met[ends[i]] = True
                met[count] = ends[i]
                count += 1
        taken[depth + 1] = taken[depth] + 1
        depth += 1
    for i in range(count):
        is_met[met[i]] = False
        seen[met[i]] = 0
    return light, level, _STEPS_OF_A_NODE - max(steps, 0)


@inlined
def _level_of_rest(graph: Graph, k: int, walk: _Walk) -> tuple[int, int]:
    """Return a bound of the cost of the nodes outside the set, and the nodes looked at.

    A component of weight R costs at least R / floor(R / k), rounded up; the bound is
    the greatest of these. It is -1 if a component weighs less than k, and 0 if nothing
    is left. O(n + m).
    """
    starts, ends, weights = graph
    seen, queue = walk.seen, walk.queue
    walk.looks[0] += 1
    look = walk.looks[0]
    level, looked = 0, 0
    for root in range(len(weights)):
        if seen[root] >= look:
            continue
        # Search a component of the rest, breadth first.
        seen[root] = look
        queue[0] = root
        head, tail, rest = 0, 1, 0
        while head < tail:
            u = queue[head]
            head += 1
            rest += weights[u]
            for i in range(starts[u], starts[u + 1]):
                v = ends[i]
                if seen[v] < look:
                    seen[v] = look
                    queue[tail] = v
                    tail += 1
        # By counting it has rest // k parts at most, and a level that follows.
        looked += tail
        if rest < k:
            return -1, looked
        level = max(level, -(-rest // (rest // k)))
    return level, looked
