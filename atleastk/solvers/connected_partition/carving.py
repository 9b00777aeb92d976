"""Backtracking that cuts one part after the other out of a map ("carving").

For few and large parts of almost the same weight: the connected sets are too many to be
listed, but only one of many thousands has a weight in the window. Once one is found,
the rest is a smaller map with one part less. Two methods to find parts are combined.

Enumeration: some part holds a given node. So the connected sets that hold it and have
the right weight are listed, and for each of them the rest is searched alike. If no set
is left, there is no partition. Heavy nodes are in few sets; several are tried, since
their numbers of sets differ by orders of magnitude.

Random sampling, where that takes too many steps: a part grows from a heavy node, or
from one at the border of the rest, by distances along random lengths, until its weight
is about right. Its first nodes stay. Of up to 24 nodes at its border, each may be in it
or not: subsets of the right weight are found by meeting in the middle, which looks at
2^24 sets in some 2^13 steps. Those that are connected, and leave a rest that
can be cut into the other parts by counting, are rare enough to be checked one by one.

If nothing is found, the search restarts with more patience. So it is exact, and proves
infeasibility where enumeration does; there is no guarantee of how soon.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.connected_partition import reach
from atleastk.models.results.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.compiled.subsets import subset_sums
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import (
    leaves_parts,
    sets_that_hold,
)
from atleastk.solvers.connected_partition.graph import FREE, TAKEN, Graph, Marks
from atleastk.solvers.engine.decision import Decision

Groups = list[list[int]]

_BORDER: Final = 24
"""Nodes at a border that may be in a part or not; even. Both halves have 2^12 subsets.

None of the following constants is tuned.
"""

_CHECKS: Final = 3_000
"""Subsets of the right weight to look at per border."""

_BORDERS: Final = 16
"""Borders to try per part, times the patience."""

_STEPS: Final = 1 << 15
"""Sets to look at per list, times the patience."""

_HEAVY: Final = 0.7
"""The chance that a part grows from a node drawn by weight, not from a far one."""

_FIRST: Final = 16
"""How many times as long the first list may take: there is only one."""

_FEW_STEPS: Final = _STEPS >> 6
"""Sets to look at per list at first, when the sets of many nodes are tried."""

_HURRY: Final = 8
"""The factor of these steps from one attempt to list sets to the next."""

_ROOTS: Final = 16
"""Nodes whose sets are tried to be listed in the first steps."""

_FEWER_ROOTS: Final = 3
"""Nodes whose sets are tried to be listed in more steps."""

_CHOSEN: Final = 3
"""The state of a node in a set that may not be connected."""


def decide_by_carving(
    component: Component, window: Window, budget: Budget
) -> Decision[Groups]:
    """Decide whether there is a partition into parts of a window, ``1 <= least``."""
    if not window.admits(component.total):
        return Decision.impossible()
    with budget.flagging() as flag:
        carver = _Carver(component, window, budget.seed, flag)
        patience = 1
        while not budget.spent:
            decision = carver.decide(patience)
            if decision.status is not Status.UNKNOWN:
                return decision
            patience *= 2
    return Decision.unknown()


class _Carver:
    """A map of which some parts may be taken."""

    def __init__(
        self,
        component: Component,
        window: Window,
        seed: int,
        flag: ByteArray,
    ) -> None:
        self._component = component
        self._window = window
        self._flag = flag
        self._rng = np.random.default_rng(seed)
        self._map = Marks.none_of(component.n)

    def decide(self, patience: int) -> Decision[Groups]:
        """Decide about the window, depth first: one part after the other is taken."""
        taken: list[IntArray] = []
        ways: list[Iterator[IntArray]] = []
        complete: list[bool] = []
        while True:
            # Enter what is left: a part, or several, one of which is to be taken.
            left = self._window.parts - len(taken)
            if left == 1:
                last = self._last()
                if last.found is not None:
                    return Decision.of(
                        [*(part.tolist() for part in taken), *last.found]
                    )
                ended = True
            elif self._flag[0]:  # listed sets would be tried one after the other
                return Decision.unknown()
            else:
                sets = self._listed(left, patience)
                complete.append(sets is not None)
                ways.append(
                    self._carved(left, patience) if sets is None else iter(sets)
                )
            # Take the next part; where there is none, give back the one before.
            while len(ways) <= len(taken) or (part := next(ways[-1], None)) is None:
                if len(ways) > len(taken):
                    ways.pop()
                    ended = complete.pop()
                if not taken:
                    return Decision.impossible() if ended else Decision.unknown()
                self._map.state[taken.pop()] = FREE
                complete[-1] &= ended
            self._map.state[part] = TAKEN
            taken.append(part)

    def _carved(self, parts: int, patience: int) -> Iterator[IntArray]:
        """Yield different parts of the rest, as random sampling finds them."""
        rest = self._rest()
        bounds = self._bounds(parts, rest)
        known = set()
        left = patience * _BORDERS
        while left > 0 and not self._flag[0]:
            tried, found = _carve(
                self._component.graph,
                bounds,
                self._map,
                rest,
                left,
                self._rng,
                self._flag,
            )
            left -= tried
            part = np.sort(found)
            if len(part) and part.tobytes() not in known:
                known.add(part.tobytes())
                yield part

    def _listed(self, parts: int, patience: int) -> list[IntArray] | None:
        """Return all sets that hold some node and leave the other parts.

        None if too many sets would have to be looked at.
        """
        rest = self._rest()
        bounds = self._bounds(parts, rest)
        order = np.argsort(-self._component.weights[rest], kind="stable")
        heavy = rest[order].tolist()
        first = len(rest) == self._component.n
        most = patience * _STEPS * (_FIRST if first else 1)
        steps, roots = _FEW_STEPS, _ROOTS
        while steps <= most and not self._flag[0]:
            for root in heavy[:roots]:
                sets = sets_that_hold(
                    self._component.graph,
                    bounds,
                    self._map,
                    root,
                    steps,
                    self._flag,
                )
                if sets is not None:
                    return sets
            steps, roots = _HURRY * steps, _FEWER_ROOTS
        return None

    def _last(self) -> Decision[Groups]:
        """Decide whether the rest is a part."""
        rest: list[int] = self._rest().tolist()
        weight = sum(int(self._component.weights[v]) for v in rest)
        connected = len(reach(self._component.neighbours, rest)) == len(rest)
        if connected and self._window.holds(weight):
            return Decision.of([rest])
        return Decision.impossible()

    def _rest(self) -> IntArray:
        """Return the nodes that are in no part, ascending."""
        return np.flatnonzero(self._map.state == FREE)

    def _bounds(self, parts: int, rest: IntArray) -> tuple[int, int, int, int]:
        """Return the bounds of a part, the number of others, and the weight left."""
        left = int(self._component.weights[rest].sum())
        return self._window.least, self._window.most, parts - 1, left


@compiled
def _carve(
    graph: Graph,
    bounds: tuple[int, int, int, int],
    where: Marks,
    rest: IntArray,  # the nodes that are left
    tries: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> tuple[int, IntArray]:
    """Try borders until a part is found; return how many, and the part.

    It is empty if none is found. The bounds are the least and the greatest weight of a
    part, how many other parts there are to be, and the weight that is left.
    """
    least, most, _, left = bounds
    weights, chosen = graph.weights, np.empty(len(rest), np.int64)
    nodes = np.empty(_BORDER, np.int64)
    for tried in range(1, tries + 1):
        if flag[0]:
            break
        # A part grows from a node drawn by weight, or from one far away from another.
        root = rest[int(rng.random() * len(rest))]
        if rng.random() < _HEAVY:
            root = _drawn_by_weight(weights, rest, root, rng.random() * left)
        else:
            root = _by_distance(graph, where, root, rng)[-1]
        order = _by_distance(graph, where, root, rng)
        met, core, mass = len(order), 0, 0
        while core < met and mass < least:
            mass += weights[order[core]]
            core += 1
        if mass < least:
            continue
        # Half of the border is in the lightest part in this order, half behind it. What
        # comes before the border is in the part.
        sure = max(1, min(core - _BORDER // 2, met - _BORDER))
        mass, count = number(0), number(0)
        for i in range(sure):
            mass += weights[order[i]]
            chosen[i] = order[i]
        if mass > most:
            continue
        # At the border are those that are not too heavy.
        for i in range(sure, met):
            if count < _BORDER and weights[order[i]] <= most - mass:
                nodes[count] = order[i]
                count += 1
        for i in range(sure):
            where.state[chosen[i]] = TAKEN
        size = _choose(graph, bounds, where, chosen, sure, nodes[:count], mass)
        for i in range(sure):
            where.state[chosen[i]] = FREE
        if size > 0:
            return tried, chosen[:size]
    return tries, chosen[:0]


@inlined
def _drawn_by_weight(weights: IntArray, rest: IntArray, root: int, share: float) -> int:
    """Return the node whose weight is at a share of the sum, else the root."""
    for v in rest:
        share -= weights[v]
        if share < 0.0:
            return int(v)
    return root


@inlined
def _by_distance(
    graph: Graph, where: Marks, root: int, rng: np.random.Generator
) -> IntArray:
    """Return the nodes connected with a node, ordered by distance (Dijkstra).

    Each node has a random length, and a distance is the sum of those of a path. The
    nearest node is searched for in O(n), so the whole takes O(n^2) at worst.
    """
    starts, ends, weights = graph
    order, length = np.empty(len(weights), np.int64), np.empty(len(weights))
    distance = np.full(len(weights), np.inf)
    for v in range(len(length)):
        length[v] = 0.3 + rng.random()
    distance[root] = 0.0
    order[0] = root
    done, met = 0, 1
    while done < met:
        # Settle the nearest of the nodes met.
        best = done
        for i in range(done + 1, met):
            if distance[order[i]] < distance[order[best]]:
                best = i
        v = order[best]
        order[best] = order[done]
        order[done] = v
        done += 1
        # Relax its edges.
        for i in range(starts[v], starts[v + 1]):
            u = ends[i]
            if where.state[u] == TAKEN:
                continue
            if distance[u] == np.inf:
                order[met] = u
                met += 1
            distance[u] = min(distance[u], distance[v] + length[u])
    return order[:met]


@compiled
def _choose(
    graph: Graph,
    bounds: tuple[int, int, int, int],
    where: Marks,
    chosen: IntArray,  # the nodes of the part
    sure: int,  # so many of them are in it anyway; they are taken
    border: IntArray,  # the nodes in question
    mass: int,  # of the nodes that are in the part anyway
) -> int:
    """Find a part by meeting in the middle; return its size, 0 if none is found."""
    weights, state, count = graph.weights, where.state, len(border)
    half = count // 2
    low, high = border[:half], border[half:]
    first, ones = subset_sums(weights[low])
    second, twos = subset_sums(weights[high])
    checks = 0
    top = (1 << (count - half)) - 1
    for i in range(1 << half):
        # With a heavier first half, the second can only be lighter: `top` falls.
        missing = bounds[0] - mass - first[i]
        spare = bounds[1] - mass - first[i]
        while top >= 0 and second[top] > spare:
            top -= 1
        j = top
        while j >= 0 and second[j] >= missing and checks < _CHECKS:
            checks += 1
            size = _put(chosen, sure, low, ones[i])
            size = _put(chosen, size, high, twos[j])
            part = chosen[:size]
            # A part is connected, and by counting what it leaves can be cut into parts.
            for v in part:
                state[v] = _CHOSEN
            good = _is_connected(graph, where, part)
            for v in part:
                state[v] = TAKEN
            left = bounds[3] - mass - first[i] - second[j]
            ends = bounds[0], bounds[1]
            good = good and leaves_parts(graph, where, ends, part, left, bounds[2])[0]
            for v in part[sure:]:
                state[v] = FREE
            if good:
                return size
            j -= 1
    return 0


@inlined
def _put(chosen: IntArray, size: int, nodes: IntArray, mask: int) -> int:
    """Put the nodes of a mask behind those chosen; return how many are chosen now."""
    for bit in range(len(nodes)):
        if mask >> bit & 1:
            chosen[size] = nodes[bit]
            size += 1
    return size


@inlined
def _is_connected(graph: Graph, where: Marks, nodes: IntArray) -> bool:
    """Return whether nodes are connected; they are all that are chosen."""
    starts, ends, _ = graph
    state, label, queue = where.state, where.label, where.work[0]
    queue[0] = nodes[0]
    label[nodes[0]] = 0
    tail, head = 1, 0
    while head < tail:
        u = queue[head]
        head += 1
        for i in range(starts[u], starts[u + 1]):
            v = ends[i]
            if label[v] < 0 and state[v] == _CHOSEN:
                label[v] = 0
                queue[tail] = v
                tail += 1
    for i in range(tail):
        label[queue[i]] = -1
    return tail == len(nodes)
