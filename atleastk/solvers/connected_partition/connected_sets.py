"""All connected sets of nodes that may be a part of a partition of a map.

The sets whose least node is v grow from {v}: of the neighbours met so far, in the order
of their discovery, one is taken in and those before it are left out for good. So every
connected set is met once. What is not grown any further:

- a set that is too heavy, or cannot become heavy enough with what is not left out;
- a set that is seen to split into two parts, if that is asked for.

What is grown but not listed, the remainder filter: a set S for which a component of the
graph without S cannot be cut into parts by counting. If m parts weigh R in all then
R / most <= m <= R / least; and these m add up over the components. Components are
searched from all nodes next to S at a time, until one is left, so the filter costs
little where S cuts off little.

Fact
----
Let S split into two connected sets of at least k each. A partition with S, into p parts
of at least k and at most K, leads to one into p + 1 parts. So S is not needed if p + 1
parts are known to be impossible; nor is a connected set that contains S.

References: S. Wernicke, "Efficient detection of network motifs" (2006); D. Avis and
K. Fukuda, "Reverse search for enumeration" (1996).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.connected_partition.component import Component

__all__ = ["ConnectedSets", "connected_sets", "leaves_parts"]


CHUNK = 1 << 18
"""Nodes of sets that are listed in one go."""


@dataclass(frozen=True)
class ConnectedSets:
    """Connected sets of nodes of a component, each once.

    Attributes
    ----------
    starts, items
        The nodes of set i, ascending: ``items[starts[i]:starts[i + 1]]``.
    weights
        The weight of every set.
    """

    starts: IntArray
    items: IntArray
    weights: IntArray

    def __len__(self) -> int:
        return len(self.weights)

    def nodes(self, i: int) -> list[int]:
        """Return the nodes of set i."""
        nodes: list[int] = self.items[self.starts[i] : self.starts[i + 1]].tolist()
        return nodes

    def only(self, chosen: BoolArray | IntArray) -> ConnectedSets:
        """Return the sets of a mask or of numbers."""
        numbers = np.arange(len(self))[chosen]
        sizes = np.diff(self.starts)[numbers]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        items = self.items[np.repeat(self.starts[numbers], sizes) + inside]
        return ConnectedSets(starts, items, self.weights[numbers])


def connected_sets(
    component: Component,
    least: int,
    most: int,
    budget: Budget,
    limit: int,
    *,
    parts: int | None = None,
    split: int | None = None,
) -> ConnectedSets | None:
    """List the connected sets that can be a part, or None if they are too many.

    Parameters
    ----------
    least, most
        The bounds of the weight of every part, ``1 <= least``.
    limit
        List no more sets than this.
    parts
        The number of parts, if it is known, for the remainder filter.
    split
        Leave out sets that are seen to split into two connected sets of so much each.
        That is right only if a part more is known to be impossible.
    """
    n = component.n
    longest = max(n, 1)
    chunk = max(CHUNK, longest)
    ints = np.zeros((11, longest + 1), dtype=np.int64)
    ints[6] = -1
    place = np.array([-1, -1], dtype=np.int64)
    sizes = np.empty(chunk, dtype=np.int64)
    items = np.empty(chunk, dtype=np.int64)
    weights = np.empty(chunk, dtype=np.int64)
    bounds = np.array(
        [
            least,
            most,
            -1 if parts is None else parts - 1,
            0 if split is None else split,
            component.total,
        ],
        dtype=np.int64,
    )
    found: list[tuple[IntArray, IntArray, IntArray]] = []
    count = 0
    with budget.flagging() as flag:
        while place[0] < n:
            sets, length = _list(
                component.starts,
                component.ends,
                component.weights,
                bounds,
                ints,
                place,
                sizes,
                items,
                weights,
                flag,
            )
            count += sets
            if budget.spent or count > limit:
                return None
            found.append(
                (sizes[:sets].copy(), items[:length].copy(), weights[:sets].copy())
            )
    lengths, nodes, masses = (
        np.concatenate([np.empty(0, dtype=np.int64), *column])
        for column in zip(*found, strict=True)
    )
    return ConnectedSets(np.concatenate(([0], np.cumsum(lengths))), nodes, masses)


# The rows of `ints`: per depth, the node taken in, the next neighbour to try, how many
# neighbours were met, and the weight; per place the neighbours met; per node its state
# and a label, -1 between uses; a queue; and three per group of nodes, or node.
# The states are 0 unmet, 1 met, 2 in the set.


@inlined
def _reaches(
    starts: IntArray,
    ends: IntArray,
    weight: IntArray,
    ints: IntArray,
    root: int,
    depth: int,
    least: int,
    most: int,
) -> bool:
    """Tell whether the set can grow to `least`."""
    met, state, seen, queue = ints[4], ints[5], ints[6], ints[7]
    mass = ints[3, depth]
    room = most - mass
    tail = 0
    for i in range(ints[1, depth], ints[2, depth]):
        if weight[met[i]] <= room:
            seen[met[i]] = 0
            queue[tail] = met[i]
            tail += 1
            mass += weight[met[i]]
    head = 0
    while mass < least and head < tail:
        for i in range(starts[queue[head]], starts[queue[head] + 1]):
            v = ends[i]
            if v > root and state[v] == 0 and seen[v] < 0 and weight[v] <= room:
                seen[v] = 0
                queue[tail] = v
                tail += 1
                mass += weight[v]
        head += 1
    for i in range(tail):
        seen[queue[i]] = -1
    return bool(mass >= least)


@inlined
def _splits(
    starts: IntArray,
    ends: IntArray,
    weight: IntArray,
    ints: IntArray,
    depth: int,
    split: int,
) -> bool:
    """Tell whether cutting an edge of a tree leaves `split` on both sides.

    The tree is that of breadth-first search from the heaviest node of the set.
    """
    chosen, state, parent, queue, below = ints[0], ints[5], ints[6], ints[7], ints[10]
    mass = ints[3, depth]
    first = chosen[0]
    for i in range(depth + 1):
        if weight[chosen[i]] > weight[first]:
            first = chosen[i]
    queue[0] = first
    parent[first] = first
    tail = 1
    for head in range(depth + 1):
        u = queue[head]
        below[u] = weight[u]
        for i in range(starts[u], starts[u + 1]):
            v = ends[i]
            if state[v] == 2 and parent[v] < 0:
                parent[v] = u
                queue[tail] = v
                tail += 1
    found = False
    for i in range(depth, 0, -1):
        u = queue[i]
        if below[u] >= split and mass - below[u] >= split:
            found = True
        below[parent[u]] += below[u]
    for i in range(depth + 1):
        parent[queue[i]] = -1
    return found


@inlined
def leaves_parts(
    starts: IntArray,
    ends: IntArray,
    weight: IntArray,
    bounds: IntArray,
    nodes: IntArray,
    state: IntArray,
    label: IntArray,
    work: IntArray,
    rest: int,
    others: int,
) -> bool:
    """Tell whether by counting every component of what is left can be cut into parts.

    Parameters
    ----------
    bounds
        The least and the greatest weight of a part, and more.
    nodes
        The nodes taken last: components that are not next to them count as one.
    state
        Of every node; 2 if it is taken.
    label, work
        Memory: a label of -1 for every node, and four rows.
    rest, others
        The weight that is left, and into how many parts it is to be cut; negative if
        that does not matter.
    """
    least, most = bounds[0], bounds[1]
    queue, joined, pending, masses = work[0], work[1], work[2], work[3]
    groups = 0
    for u in nodes:
        for j in range(starts[u], starts[u + 1]):
            v = ends[j]
            if state[v] != 2 and label[v] < 0:
                label[v] = groups
                joined[groups] = groups
                pending[groups] = 1
                masses[groups] = weight[v]
                queue[groups] = v
                groups += 1
    active = groups
    head, tail = 0, groups
    fewest, greatest = 0, 0
    good = True
    while active > 1 and good:
        u = queue[head]
        head += 1
        group = label[u]
        while joined[group] != group:
            group = joined[group]
        for i in range(starts[u], starts[u + 1]):
            v = ends[i]
            if state[v] == 2:
                continue
            if label[v] < 0:
                label[v] = group
                pending[group] += 1
                masses[group] += weight[v]
                queue[tail] = v
                tail += 1
                continue
            other = label[v]
            while joined[other] != other:
                other = joined[other]
            if other != group:
                joined[other] = group
                pending[group] += pending[other]
                masses[group] += masses[other]
                active -= 1
        pending[group] -= 1
        if pending[group] == 0:
            active -= 1
            rest -= masses[group]
            low = max(-(-masses[group] // most), 1)
            high = masses[group] // least
            good = low <= high
            fewest += low
            greatest += high
    for i in range(tail):
        label[queue[i]] = -1
    low, high = max(-(-rest // most), active), rest // least
    good = good and low <= high
    return good and (others < 0 or fewest + low <= others <= greatest + high)


@compiled
def _list(
    starts: IntArray,
    ends: IntArray,
    weight: IntArray,
    bounds: IntArray,
    ints: IntArray,
    place: IntArray,
    sizes: IntArray,
    items: IntArray,
    weights: IntArray,
    flag: ByteArray,
) -> tuple[int, int]:
    """Write sets until there is no room for one more; `place` is where to go on.

    `place` is the least node and the depth, -1 if its first set is still to come.
    """
    n = len(weight)
    least, most, others, split, total = bounds
    chosen, nexts, mets, masses = ints[0], ints[1], ints[2], ints[3]
    met, state = ints[4], ints[5]
    root, depth = place[0], place[1]
    count = 0
    length = 0
    while length + n <= len(items) and count < len(sizes):
        if depth < 0:
            root += 1
            if root >= n or flag[0]:
                break
            new, mass, position, known = root, 0, 0, 0
        else:
            position, known = nexts[depth], mets[depth]
            if position == known:
                state[chosen[depth]] = 0 if depth == 0 else 1
                fewer = 0 if depth == 0 else mets[depth - 1]
                for i in range(fewer, known):
                    state[met[i]] = 0
                depth -= 1
                continue
            new, mass = met[position], masses[depth]
            position += 1
            nexts[depth] = position
            if flag[0]:
                break
        mass += weight[new]
        if mass > most:
            continue
        depth += 1
        chosen[depth], masses[depth] = new, mass
        state[new] = 2
        for i in range(starts[new], starts[new + 1]):
            if ends[i] > root and state[ends[i]] == 0:
                state[ends[i]] = 1
                met[known] = ends[i]
                known += 1
        nexts[depth], mets[depth] = position, known
        if mass < least:
            if not _reaches(starts, ends, weight, ints, root, depth, least, most):
                nexts[depth] = known
        elif (
            split > 0
            and mass - split >= split
            and _splits(starts, ends, weight, ints, depth, split)
        ):
            nexts[depth] = known
        elif leaves_parts(
            starts,
            ends,
            weight,
            bounds,
            chosen[: depth + 1],
            state,
            ints[6],
            ints[7:],
            total - mass,
            others,
        ):
            sizes[count], weights[count] = depth + 1, mass
            count += 1
            for i in range(depth + 1):
                j = length + i
                while j > length and items[j - 1] > chosen[i]:
                    items[j] = items[j - 1]
                    j -= 1
                items[j] = chosen[i]
            length += depth + 1
    place[0], place[1] = root, depth
    return count, length
