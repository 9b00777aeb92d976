"""Lower bounds of a component without a search for partitions.

Let S be a set of nodes that holds v and may be a part: it is connected, weighs at least
k, and every component of G - S weighs at least k.

Completion
----------
If the part of v is S then the cost is at least S itself, and at least R / floor(R / k)
for every component of weight R of G - S; the least of these numbers over all S is a
level of v, and no partition is below the greatest level of a node. Below a known cost
the part of v weighs at least the least c(v) of all S of lower levels. Both are found by
bisection: whether a set holds v within a level, and a weight, is what
:mod:`~atleastk.solvers.connected_partition.connected_sets` searches for. What takes too
long ends that, and says nothing.

Pockets
-------
The components of G - v but the heaviest are pockets. S without that one is connected,
and leaves of the pockets what S leaves; so it is searched for there, with no least
weight, and a small pocket does not take too long.

Heavy parts
-----------
Within level K the nodes with c(v) >= c are in at least H(c) / K parts, H(c) their
weight, all of which weigh c or more. So p parts weigh at least

    p k  +  integral over c > k of ceil(H(c) / K),

and if that is above W there are no p parts within K. And of the p + 1 heaviest nodes
two are in the same of p parts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.connected_partition import counting_bound
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import weight_of_some_set
from atleastk.solvers.connected_partition.graph import Marks
from atleastk.solvers.connected_partition.reduction import pockets_of
from atleastk.solvers.engine.part_counts import PartCounts

_STEPS: Final = 30_000_000
"""Sets, and nodes beside them, to look at for a component: half a second, measured on
grids of 900 to 90,000 nodes."""

_POCKET: Final = 4
"""Costs that a pocket weighs at most: not tuned."""

_Place = tuple[Component, int, int]
"""Where sets are searched for, a node there that they hold, and their least weight."""


@dataclass(frozen=True)
class Completion:
    """Lower bounds of the weights of the parts of given nodes."""

    floor: int  # no partition costs less
    lightest: IntArray
    """The part of node v weighs at least ``lightest[v]``, unless a partition costs the
    ceiling that was given or more."""


def completion(
    component: Component, k: int, ceiling: int, budget: Budget
) -> Completion:
    """Bound the parts of all nodes; the floor is at most `ceiling`, a known cost."""
    lightest = np.maximum(component.weights, k)
    floor = min(counting_bound(component.weights.tolist(), k), ceiling)
    marks, left = Marks.none_of(component.n), _STEPS
    with budget.flagging() as flag:

        def held(at: _Place, heaviest: int, most: int) -> int | None:
            nonlocal left
            where, root, least = at
            steps = min(left, 200_000)  # of one node at once
            bounds = least, heaviest, k, most
            found, unused = weight_of_some_set(where, bounds, marks, root, steps, flag)
            left -= steps - unused
            return found

        def within(at: _Place, level: int) -> int | None:
            found = held(at, level, level)
            return found if found is None or found < 0 else level

        nodes = ((v, (component, v, k)) for v in range(component.n))
        for node, at in chain(_pockets(component, _POCKET * ceiling), nodes):
            if floor >= ceiling or left <= 0 or flag[0]:
                break
            floor = _raised(floor, ceiling, partial(within, at))
            lighter = partial(held, at, most=ceiling - 1)
            lightest[node] = _raised(int(lightest[node]), ceiling, lighter)
    return Completion(floor, lightest)


def _pockets(component: Component, most: int) -> Iterator[tuple[int, _Place]]:
    """Yield cut nodes with their pockets of at most some weight."""
    for node, pockets in pockets_of(component, most):
        root = int(np.searchsorted(pockets, node))
        yield node, (component.within(np.insert(pockets, root, node)), root, 0)


def _raised(low: int, high: int, held: Callable[[int], int | None]) -> int:
    """Return a number from `low` on up to the least one within which something is held.

    At most `high`. What is `held` within a number is not above it, -1 if nothing is;
    None ends the search.
    """
    number = low
    while low < high:
        found = held(number)
        if found is None:
            break
        if found < 0:
            low = number + 1
        else:
            high = found
        number = (low + high) // 2
    return low


def part_counts(
    component: Component, k: int, known: Completion, cost: int
) -> PartCounts:
    """Return the open levels below a known cost for every number of parts."""
    most = max(1, int(np.count_nonzero(component.weights)))
    counts = PartCounts(component.total, k, known.floor, most)
    counts.cap(cost)
    falling = sorted(component.weights.tolist(), reverse=True)
    heavy = _Heavy(component, k, known.lightest)
    for least, parts in [*counts.open_levels()]:
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
        return low + bisect_left(range(low, high), parts, key=self._most_parts)

    def _most_parts(self, level: int) -> int:
        if level not in self._most:
            counts = (self._held + np.uint64(level - 1)) // np.uint64(level)
            surplus = int((self._steps * counts).sum())
            self._most[level] = (self._total - surplus) // self._k
        return self._most[level]
