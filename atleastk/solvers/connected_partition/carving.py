"""Carving parts out of a map, one after the other: for few and large parts.

Let the parts of a map be asked to weigh almost the same. Then the connected sets are
too many to be listed, but only one of many thousands has a weight in the window. So a
part is a matter of luck or of much counting, and as soon as there is one, the rest is a
smaller map with one part less.

Two ways to find parts are combined.

Counting: some part holds a given node. So the connected sets that hold it and have the
right weight are listed, and for each of them the rest is searched alike. If no set is
left, there is no partition. Heavy nodes are in few sets; several are tried, since their
numbers of sets differ by orders of magnitude. A set is not grown any further if

- it is too heavy;
- it cuts off nodes that are too light for a part, one of which is left out for good.

Luck, where that takes too many steps: a part grows from a heavy node, or from one at
the border of the rest, by distances along random lengths, until its weight is about
right. Its first nodes stay. Of the nodes at its border, up to 24, each may be in it or
not: the subsets of the right weight are found by meeting in the middle [HS74], which is
to look at 2^24 sets in some 2^13 steps. Those that are connected, and leave a rest that
can be cut into the parts left by counting, are rare enough to be checked one by one.

What comes to nothing is started anew, with more patience. So the search is exact, and
ends with a proof where counting does; there is no guarantee of how soon.

References
----------
[HS74] E. Horowitz, S. Sahni, "Computing Partitions with Applications to the Knapsack
Problem", J. ACM 21(2), 1974.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, FloatArray, IntArray
from atleastk.models.connected_partition import reach
from atleastk.models.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import leaves_parts
from atleastk.solvers.engine.decision import Decision

__all__ = ["decide_by_carving"]

Groups = list[list[int]]

_BORDER: Final = 24
"""Nodes of a border that may be in a part or not; even."""

_CHECKS: Final = 3_000
"""Subsets of the right weight that are looked at per border."""

_BORDERS: Final = 16
"""Borders per part, times the patience."""

_STEPS: Final = 1 << 15
"""Sets looked at per list, times the patience."""

_HEAVY: Final = 0.7
"""So often a part grows from a node chosen by weight."""

_FIRST: Final = 16
"""The first list, of which there is only one, may take so many times the steps."""

_FEW_STEPS: Final = 1 << 9
"""Sets looked at per list when many nodes are tried."""

_HURRY: Final = 8
"""The factor from one attempt to list sets to the next."""

_ROOTS: Final = 16
"""Nodes whose sets are tried to be listed in few steps."""

_FEWER_ROOTS: Final = 3
"""Nodes whose sets are tried to be listed in more steps."""

_MOST_ITEMS: Final = 1 << 20
"""Nodes in a list of sets, at most."""

_ROWS: Final = 11
_LABEL: Final = 5
_INDEX: Final = 6
_WORK: Final = 7


def decide_by_carving(
    component: Component, window: Window, budget: Budget
) -> Decision[Groups]:
    """Decide whether there is a partition into parts of a window, ``1 <= least``."""
    if not window.parts * window.least <= component.total <= window.parts * window.most:
        return Decision.impossible()
    with budget.flagging() as flag:
        carver = _Carver(component, window, budget.seed, flag)
        patience = 1
        while not budget.spent:
            decision = carver.decide(window.parts, patience)
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
        n = component.n
        self._component = component
        self._graph = component.starts, component.ends, component.weights
        self._window = window
        self._flag = flag
        self._rng = np.random.default_rng(seed)
        self._state = np.zeros(n, dtype=np.int64)
        self._ints = np.zeros((_ROWS, n + 1), dtype=np.int64)
        self._ints[_LABEL] = -1
        self._far = np.empty((2, n))
        self._sums = np.empty((4, 1 << _BORDER // 2), dtype=np.int64)
        self._masks = np.empty((4, 1 << _BORDER // 2), dtype=np.int64)
        self._items = np.empty(_MOST_ITEMS, dtype=np.int64)
        self._sizes = np.empty(_MOST_ITEMS, dtype=np.int64)

    def decide(self, parts: int, patience: int) -> Decision[Groups]:
        """Decide whether the rest can be cut into so many parts."""
        if parts == 1:
            return self._last()
        sets = self._listed(parts, patience)
        found = Decision[Groups].unknown()
        ended = sets is not None
        for part in self._carved(parts, patience) if sets is None else sets:
            self._state[part] = 2
            found = self.decide(parts - 1, patience)
            self._state[part] = 0
            if found.found is not None:
                return Decision.of([part.tolist(), *found.found])
            ended &= found.status is Status.INFEASIBLE
        return Decision.impossible() if ended else Decision.unknown()

    def _carved(self, parts: int, patience: int) -> Iterator[IntArray]:
        """Yield different parts of the rest, as they are found by luck."""
        rest = np.flatnonzero(self._state == 0)
        bounds = self._bounds(parts)
        known = set()
        left = patience * _BORDERS
        while left > 0 and not self._flag[0]:
            tried, count = _carve(
                *self._graph,
                bounds,
                self._state,
                self._ints,
                self._far,
                self._sums,
                self._masks,
                rest,
                left,
                self._rng,
                self._flag,
            )
            left -= tried
            part = np.sort(self._ints[0, :count])
            if count > 0 and part.tobytes() not in known:
                known.add(part.tobytes())
                yield part

    def _listed(self, parts: int, patience: int) -> list[IntArray] | None:
        """Return all sets that hold some node and leave the other parts.

        None if too many sets would have to be looked at.
        """
        bounds = self._bounds(parts)
        rest = np.flatnonzero(self._state == 0)
        weights = self._component.weights[rest]
        heavy = rest[np.argsort(-weights, kind="stable")].tolist()
        first = len(rest) == self._component.n
        most = patience * _STEPS * (_FIRST if first else 1)
        steps, roots = _FEW_STEPS, _ROOTS
        while steps <= most and not self._flag[0]:
            for root in heavy[:roots]:
                count = _hold(
                    *self._graph,
                    bounds,
                    self._state,
                    self._ints,
                    root,
                    steps,
                    self._sizes,
                    self._items,
                    self._flag,
                )
                if count >= 0:
                    ends = np.cumsum(self._sizes[:count])
                    items = self._items[: self._sizes[:count].sum()].copy()
                    return np.split(items, ends)[:count]
            steps, roots = _HURRY * steps, _FEWER_ROOTS
        return None

    def _last(self) -> Decision[Groups]:
        """Decide whether the rest is a part."""
        rest: list[int] = np.flatnonzero(self._state == 0).tolist()
        weight = sum(int(self._component.weights[v]) for v in rest)
        connected = len(reach(self._component.neighbours, rest)) == len(rest)
        if connected and self._window.holds(weight):
            return Decision.of([rest])
        return Decision.impossible()

    def _bounds(self, parts: int) -> IntArray:
        """Return the bounds of a part, the number of others, and the weight left."""
        rest = int(self._component.weights[self._state == 0].sum())
        window = self._window
        return np.array([window.least, window.most, parts - 1, rest], dtype=np.int64)


# Nodes have a state: 0 in the rest, 1 met, 2 in a part. The rows of `ints`: 0 and 1 the
# nodes chosen and those in question; a label of every node, -1 between uses; and work.


@inlined
def _grow(
    starts: IntArray,
    ends: IntArray,
    state: IntArray,
    far: FloatArray,
    order: IntArray,
    root: int,
    rng: np.random.Generator,
) -> int:
    """Order the nodes that hang together with a node by distances; return how many.

    A node is as long as chance will have it.
    """
    n = len(state)
    for v in range(n):
        far[0, v] = np.inf
        far[1, v] = 0.3 + rng.random()
    far[0, root] = 0.0
    order[0] = root
    done, met = 0, 1
    while done < met:
        best = done
        for i in range(done + 1, met):
            if far[0, order[i]] < far[0, order[best]]:
                best = i
        v = order[best]
        order[best] = order[done]
        order[done] = v
        done += 1
        for i in range(starts[v], starts[v + 1]):
            u = ends[i]
            if state[u] == 2:
                continue
            if far[0, u] == np.inf:
                order[met] = u
                met += 1
            far[0, u] = min(far[0, u], far[0, v] + far[1, u])
    return met


@inlined
def _subsets(sums: IntArray, masks: IntArray, weight: IntArray, nodes: IntArray) -> int:
    """Put the weights of all subsets in ascending order; return the row they are in."""
    sums[0, 0] = masks[0, 0] = 0
    row, size = 0, 1
    for bit in range(len(nodes)):
        add = weight[nodes[bit]]
        i = j = 0
        for k in range(2 * size):
            if j == size or (i < size and sums[row, i] <= sums[row, j] + add):
                sums[1 - row, k], masks[1 - row, k] = sums[row, i], masks[row, i]
                i += 1
            else:
                sums[1 - row, k] = sums[row, j] + add
                masks[1 - row, k] = masks[row, j] | (1 << bit)
                j += 1
        row, size = 1 - row, 2 * size
    return row


@inlined
def _is_connected(
    starts: IntArray,
    ends: IntArray,
    state: IntArray,
    label: IntArray,
    queue: IntArray,
    nodes: IntArray,
) -> bool:
    """Tell whether nodes hang together; their state is 3."""
    queue[0] = nodes[0]
    label[nodes[0]] = 0
    tail, head = 1, 0
    while head < tail:
        u = queue[head]
        head += 1
        for i in range(starts[u], starts[u + 1]):
            v = ends[i]
            if label[v] < 0 and state[v] == 3:
                label[v] = 0
                queue[tail] = v
                tail += 1
    for i in range(tail):
        label[queue[i]] = -1
    return tail == len(nodes)


@compiled
def _carve(
    starts: IntArray,
    ends: IntArray,
    weight: IntArray,
    bounds: IntArray,
    state: IntArray,
    ints: IntArray,
    far: FloatArray,
    sums: IntArray,
    masks: IntArray,
    rest: IntArray,
    tries: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> tuple[int, int]:
    """Try borders until a part is found; return how many, and the size of the part.

    The nodes of the part are left in the first row of `ints`.
    """
    least, most, others, left = bounds
    chosen, order, label = ints[0], ints[1], ints[_LABEL]
    for tried in range(1, tries + 1):
        if flag[0]:
            break
        root = rest[int(rng.random() * len(rest))]
        if rng.random() < _HEAVY:
            share = rng.random() * left
            for v in rest:
                share -= weight[v]
                if share < 0.0:
                    root = v
                    break
        else:
            met = _grow(starts, ends, state, far, order, root, rng)
            root = order[met - 1]
        met = _grow(starts, ends, state, far, order, root, rng)
        core, mass = 0, 0
        while core < met and mass < least:
            mass += weight[order[core]]
            core += 1
        if mass < least:
            continue
        # Half of the border is in the light part, half behind it.
        sure = max(1, min(core - _BORDER // 2, met - _BORDER))
        mass = 0
        for i in range(sure):
            mass += weight[order[i]]
            chosen[i] = order[i]
        if mass > most:
            continue
        # At the border are those that are not too heavy.
        count = 0
        border = ints[2]
        for i in range(sure, met):
            if count < _BORDER and weight[order[i]] <= most - mass:
                border[count] = order[i]
                count += 1
        half = count // 2
        low, high = border[:half], border[half:count]
        one = _subsets(sums, masks, weight, low)
        two = 2 + _subsets(sums[2:], masks[2:], weight, high)
        for i in range(sure):
            state[chosen[i]] = 2
        checks = 0
        top = (1 << (count - half)) - 1
        for i in range(1 << half):
            missing = least - mass - sums[one, i]
            spare = most - mass - sums[one, i]
            while top >= 0 and sums[two, top] > spare:
                top -= 1
            j = top
            while j >= 0 and sums[two, j] >= missing and checks < _CHECKS:
                checks += 1
                size = sure
                for bit in range(half):
                    if masks[one, i] >> bit & 1:
                        chosen[size] = low[bit]
                        size += 1
                for bit in range(count - half):
                    if masks[two, j] >> bit & 1:
                        chosen[size] = high[bit]
                        size += 1
                total = 0
                for t in range(size):
                    state[chosen[t]] = 3
                    total += weight[chosen[t]]
                good = _is_connected(
                    starts, ends, state, label, ints[_WORK], chosen[:size]
                )
                for t in range(size):
                    state[chosen[t]] = 2
                if good:
                    good = leaves_parts(
                        starts,
                        ends,
                        weight,
                        bounds,
                        chosen[:size],
                        state,
                        label,
                        ints[_WORK:],
                        left - total,
                        others,
                    )
                for t in range(sure, size):
                    state[chosen[t]] = 0
                if good:
                    for t in range(sure):
                        state[chosen[t]] = 0
                    return tried, size
                j -= 1
        for i in range(sure):
            state[chosen[i]] = 0
    return tries, 0


@inlined
def _cuts_off(
    starts: IntArray,
    ends: IntArray,
    weight: IntArray,
    state: IntArray,
    ints: IntArray,
    new: int,
    position: int,
    least: int,
) -> bool:
    """Tell whether the set cuts off nodes that are too light, one of them left out.

    Parameters
    ----------
    new
        The node taken last.
    position
        Nodes met before that are in the set or left out.
    """
    label, index, queue = ints[_LABEL], ints[_INDEX], ints[_WORK]
    begin = tail = 0
    bad = False
    for e in range(starts[new], starts[new + 1]):
        if bad or state[ends[e]] == 2 or label[ends[e]] >= 0:
            continue
        begin = head = tail
        queue[tail] = ends[e]
        label[ends[e]] = begin
        tail += 1
        mass, out, known = 0, False, False
        while head < tail and mass < least and not known:
            u = queue[head]
            head += 1
            mass += weight[u]
            out |= state[u] == 1 and index[u] < position
            for i in range(starts[u], starts[u + 1]):
                v = ends[i]
                if state[v] == 2:
                    continue
                if label[v] < 0:
                    label[v] = begin
                    queue[tail] = v
                    tail += 1
                elif label[v] != begin:
                    known = True
        bad = out and not known and mass < least
    for i in range(tail):
        label[queue[i]] = -1
    return bad


@compiled
def _hold(
    starts: IntArray,
    ends: IntArray,
    weight: IntArray,
    bounds: IntArray,
    state: IntArray,
    ints: IntArray,
    root: int,
    steps: int,
    sizes: IntArray,
    items: IntArray,
    flag: ByteArray,
) -> int:
    """List the sets that hold a node; return how many, -1 if it takes too many steps.

    Of the nodes met, in the order of their discovery, one is taken in and those before
    it are left out for good.
    """
    n = len(state)
    least, most, others, left = bounds
    chosen, met, nexts, mets, masses = ints[0], ints[1], ints[2], ints[3], ints[4]
    index = ints[_INDEX]
    count = length = used = 0
    complete = True
    depth, position, known, mass = 0, 0, 0, weight[root]
    chosen[0] = new = root
    while depth >= 0:
        # A node has been taken in.
        used += 1
        state[new] = 2
        chosen[depth], masses[depth] = new, mass
        for i in range(starts[new], starts[new + 1]):
            v = ends[i]
            if state[v] == 0:
                state[v] = 1
                index[v] = known
                met[known] = v
                known += 1
        nexts[depth], mets[depth] = position, known
        if mass > most or _cuts_off(
            starts, ends, weight, state, ints, new, position, least
        ):
            nexts[depth] = known
        elif mass >= least and leaves_parts(
            starts,
            ends,
            weight,
            bounds,
            chosen[: depth + 1],
            state,
            ints[_LABEL],
            ints[_WORK:],
            left - mass,
            others,
        ):
            if length + n > len(items):
                complete = False
            else:
                sizes[count] = depth + 1
                count += 1
                for i in range(depth + 1):
                    items[length] = chosen[i]
                    length += 1
        if used >= steps or flag[0]:
            complete = False
        # Find the next node to be taken in.
        while depth >= 0:
            position, known = nexts[depth], mets[depth]
            if complete:
                while position < known and masses[depth] + weight[met[position]] > most:
                    position += 1
                if position < known:
                    break
            state[chosen[depth]] = 0 if depth == 0 else 1
            fewer = 0 if depth == 0 else mets[depth - 1]
            for i in range(fewer, known):
                state[met[i]] = 0
            depth -= 1
        if depth >= 0:
            new = met[position]
            mass = masses[depth] + weight[new]
            position += 1
            nexts[depth] = position
            depth += 1
    return count if complete else -1
