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
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.connected_partition import counting_bound
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.engine.part_counts import PartCounts

__all__ = ["Completion", "completion", "part_counts"]


_STEPS: Final = 30_000_000
_STEPS_OF_A_NODE: Final = 200_000
"""Sets and nodes that are looked at."""


@dataclass(frozen=True)
class Completion:
    """What parts weigh that hold given nodes.

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
            component.starts,
            component.ends,
            component.weights,
            np.array(
                [k, ceiling, floor, _STEPS, _STEPS_OF_A_NODE],
                dtype=np.int64,
            ),
            lightest,
            flag,
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
        """Return the least level from `low` up to `high` that admits so many parts."""
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


@compiled
def _complete(
    starts: IntArray,
    ends: IntArray,
    weights: IntArray,
    numbers: IntArray,
    lightest: IntArray,
    flag: ByteArray,
) -> int:
    """Raise what parts weigh at least, node by node; return the floor."""
    n = len(weights)
    k, ceiling, floor, left = numbers[0], numbers[1], numbers[2], numbers[3]
    ways = np.empty(n, dtype=np.int64)  # nodes met, in this order
    met = np.zeros(n, dtype=np.bool_)
    inside = np.zeros(n, dtype=np.bool_)
    at = np.empty(n + 1, dtype=np.int64)  # the way taken at every depth
    size = np.empty(n + 1, dtype=np.int64)  # how many ways there were before
    seen = np.zeros(n, dtype=np.int64)
    queue = np.empty(n, dtype=np.int64)
    stamp = 0
    for v in range(n):
        if floor >= ceiling or left <= 0 or flag[0]:
            break
        light = ceiling
        level = ceiling
        steps = numbers[4]
        ways[0] = v
        met[v] = True
        count = 1
        depth = 0
        at[0] = 0
        size[0] = 1
        weight = 0
        whole = True
        while depth >= 0:
            if light <= lightest[v] and level <= floor:
                whole = False  # nothing to be raised
                break
            if steps < 0 or flag[0]:
                whole = False
                break
            if at[depth] >= count or (depth == 0 and at[0] > 0):
                # back: the node taken last leaves the set, its ways are forgotten
                depth -= 1
                if depth >= 0:
                    u = ways[at[depth]]
                    inside[u] = False
                    weight -= weights[u]
                    while count > size[depth + 1]:
                        count -= 1
                        met[ways[count]] = False
                    at[depth] += 1
                continue
            steps -= 1
            u = ways[at[depth]]
            if weight + weights[u] >= level:
                at[depth] += 1
                continue
            inside[u] = True
            weight += weights[u]
            if weight >= k and (weight < light or weight < level):
                stamp += 1
                reached = weight
                fits = True
                for root in range(n):
                    if inside[root] or seen[root] == stamp:
                        continue
                    seen[root] = stamp
                    queue[0] = root
                    head, tail, rest = 0, 1, 0
                    while head < tail:
                        x = queue[head]
                        head += 1
                        rest += weights[x]
                        for i in range(starts[x], starts[x + 1]):
                            y = ends[i]
                            if not inside[y] and seen[y] != stamp:
                                seen[y] = stamp
                                queue[tail] = y
                                tail += 1
                    steps -= tail
                    if rest < k:
                        fits = False
                        break
                    reached = max(reached, -(-rest // (rest // k)))
                if fits:
                    light = min(light, weight)
                    level = min(level, reached)
            size[depth + 1] = count
            for i in range(starts[u], starts[u + 1]):
                y = ends[i]
                if not met[y]:
                    met[y] = True
                    ways[count] = y
                    count += 1
            at[depth + 1] = at[depth] + 1
            depth += 1
        while count > 0:
            count -= 1
            met[ways[count]] = False
            inside[ways[count]] = False
        left -= numbers[4] - max(steps, 0)
        if whole:
            lightest[v] = max(lightest[v], light)
            floor = max(floor, level)
    return int(floor)
