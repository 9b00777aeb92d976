"""Enumeration of the connected sets of nodes that may be a part of a map.

The sets that hold v grow from {v}, those whose least node is v without lesser nodes: of
the neighbours met so far, in the order of their discovery, one is taken in and those
before it are left out for good. So every connected set is met once. Not grown any
further are

- a set that is too heavy, or cannot become heavy enough with nodes not left out;
- a set that is seen to split into two parts, if the caller asks for that;
- of those that hold a node, a set that cuts off nodes too light for a part, one of
  which is left out for good.

Grown but not listed, by the remainder filter, is a set S for which a component of the
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
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import FREE, MET, TAKEN, Graph, Marks

_ENDLESS: Final = 2**62
"""Steps, or nodes, that nobody counts."""

_MOST_HELD: Final = 1 << 20
"""Nodes of all sets that hold a node, about: 8 MiB; chosen, not measured."""


@dataclass(frozen=True)
class ConnectedSets:
    """Connected sets of nodes of a component, each once."""

    starts: IntArray  # [set + 1]
    items: IntArray  # [entry]: of set i, ascending: ``items[starts[i]:starts[i + 1]]``
    weights: IntArray  # [set]

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


class _Wanted(NamedTuple):
    """The sets that are listed, and the parts that they leave."""

    lightest: int  # the least weight of a set
    heaviest: int  # and the greatest
    least: int  # the least weight of any other part
    most: int  # and the greatest
    others: int  # into how many parts other nodes are cut; -1 if that does not matter
    split: int  # the weight that not both halves of a set may have
    total: int  # the weight of all free nodes


class _Scope(NamedTuple):
    """Where sets are looked for, and how long."""

    first: int  # the first root
    last: int  # the root to end before
    holding: bool  # whether nodes below the root may come in
    limit: int  # how many sets are listed at most
    room: int  # and of how many nodes
    steps: int  # how many sets are looked at at most
    priced: bool = False  # whether nodes that are looked at beside a set are steps, too


def connected_sets(
    component: Component,
    least: int,  # at least 1
    most: int,
    budget: Budget,
    limit: int,
    *,
    parts: int | None = None,  # how many, if known, for the remainder filter
    split: int | None = None,
) -> ConnectedSets | None:
    """List the connected sets that can be a part of such a weight.

    None if they are more than a limit. Without those that are seen to `split` into two
    connected sets of at least this weight each: that is right only if a part more is
    known to be impossible.
    """
    total, others = component.total, -1 if parts is None else parts - 1
    half = total + 1 if split is None else split
    wanted = _Wanted(least, most, least, most, others, half, total)
    scope = _Scope(0, component.n, False, limit, _ENDLESS, _ENDLESS)
    marks = Marks.none_of(component.n)
    with budget.flagging() as flag:
        complete, *listed, _ = _list(component.graph, marks, wanted, scope, flag)
    return ConnectedSets(*listed) if complete and not budget.spent else None


def sets_that_hold(
    graph: Graph,
    bounds: tuple[int, int, int, int],
    marks: Marks,  # free nodes, and those taken, which are in no set
    root: int,
    steps: int,  # sets to look at
    flag: ByteArray,
) -> list[IntArray] | None:
    """Return the sets that hold a node; None if they are too many.

    The bounds are the least and the greatest weight of a set, into how many parts the
    other free nodes are to be cut, and the weight of all free nodes.
    """
    least, most, others, left = bounds
    wanted = _Wanted(least, most, least, most, others, left + 1, left)
    scope = _Scope(root, root + 1, True, _MOST_HELD, _MOST_HELD, steps)
    complete, starts, items, _, _ = _list(graph, marks, wanted, scope, flag)
    return [items[a:b] for a, b in pairwise(starts)] if complete else None


def weight_of_some_set(
    component: Component,
    bounds: tuple[int, int, int, int],  # of the weights of a set and of other parts
    marks: Marks,  # all nodes are free
    root: int,
    steps: int,  # sets, and nodes beside them, to look at
    flag: ByteArray,
) -> tuple[int | None, int]:
    """Return the weight of a set that holds a node, and how many steps are left.

    -1 if there is none; None if it takes more steps to find out.
    """
    total = component.total
    wanted = _Wanted(*bounds, -1, total + 1, total)
    scope = _Scope(root, root + 1, True, 0, _ENDLESS, steps, True)
    complete, _, _, weights, left = _list(component.graph, marks, wanted, scope, flag)
    if len(weights):
        return int(weights[0]), left
    return (-1 if complete else None), left


@compiled
def _list(
    graph: Graph, marks: Marks, wanted: _Wanted, scope: _Scope, flag: ByteArray
) -> tuple[bool, IntArray, IntArray, IntArray, int]:
    """List sets, by one more at most than there may be.

    Return whether these are all; where each starts in a list of nodes; this list; their
    weights; and how many steps are left. Time: linear in the edges of the graph per set
    that is looked at.
    """
    starts, ends, weights, state = graph.starts, graph.ends, graph.weights, marks.state
    n, total, split = len(weights), wanted.total, wanted.split
    # Per depth: the node taken in, the weight of the set with it, the next of the
    # neighbours to be tried, and how many of these are known. The neighbours of the set
    # are in the order of their discovery; and where a node is among them.
    chosen, masses = np.empty(n, np.int64), np.empty(n, np.int64)
    following, known = np.empty(n, np.int64), np.empty(n, np.int64)
    met, place = np.empty(n, np.int64), np.empty(n, np.int64)
    firsts, items = np.zeros(64, np.int64), np.empty(1024, np.int64)
    found = np.empty(64, np.int64)
    root, depth, steps = scope.first - 1, -1, scope.steps
    count, length, complete = 0, 0, False
    while steps > 0 and not flag[0]:
        if count > scope.limit or length > scope.room:
            break
        if depth < 0:
            # All sets of the root are listed: go on with the next one.
            root += 1
            if root >= scope.last:
                complete = True
                break
            new, mass, position, before = root, 0, 0, 0
        elif following[depth] == known[depth]:
            # All sets that hold this one are listed: take its last node out, and forget
            # what was met since it came in.
            state[chosen[depth]] = FREE if depth == 0 else MET
            before = 0 if depth == 0 else known[depth - 1]
            for i in range(before, known[depth]):
                state[met[i]] = FREE
            depth -= 1
            continue
        else:
            # The next node may come in; those met before it are left out for good.
            position, before = following[depth] + 1, known[depth]
            new, mass = met[position - 1], masses[depth]
            following[depth] = position
        mass += weights[new]
        if mass > wanted.heaviest:
            continue
        depth += 1
        steps -= 1
        chosen[depth], masses[depth], following[depth] = new, mass, position
        # Meet the neighbours of the node that are not known yet.
        state[new] = TAKEN
        for i in range(starts[new], starts[new + 1]):
            if (scope.holding or ends[i] > root) and state[ends[i]] == FREE:
                state[ends[i]] = MET
                met[before], place[ends[i]] = ends[i], before
                before += 1
        known[depth] = before
        # List the set if it may be a part. A set that can never become one is not grown
        # any further.
        cut, looked = False, 0
        if scope.holding:
            cut, looked = _cuts_off(graph, marks, place, new, position, wanted.least)
            steps -= looked if scope.priced else 0
        if cut:
            following[depth] = known[depth]
        elif mass < wanted.lightest:
            around = met[position : known[depth]]
            hopes = scope.holding or _reaches(graph, marks, around, root, mass, wanted)
            following[depth] = following[depth] if hopes else known[depth]
        elif mass - split >= split and _splits(
            graph, marks, chosen[: depth + 1], mass, split
        ):
            following[depth] = known[depth]
        else:
            taken, ends_of_parts = chosen[: depth + 1], (wanted.least, wanted.most)
            good, looked = leaves_parts(
                graph, marks, ends_of_parts, taken, total - mass, wanted.others
            )
            steps -= looked if scope.priced else 0
            if good:
                if length + depth >= len(items):
                    items = longer(items, 2 * len(items) + n)
                if count + 1 == len(firsts):
                    firsts, found = longer(firsts, 2 * count), longer(found, 2 * count)
                _write_sorted(chosen, depth + 1, items, length)
                length += depth + 1
                found[count], firsts[count + 1] = mass, length
                count += 1
    # Free the nodes of a set that is given up, and those met.
    for i in range(depth + 1):
        state[chosen[i]] = FREE
    for i in range(known[depth] if depth >= 0 else 0):
        state[met[i]] = FREE
    return complete, firsts[: count + 1], items[:length], found[:count], steps


@inlined
def _write_sorted(nodes: IntArray, count: int, items: IntArray, length: int) -> None:
    """Append the first nodes to the items, in ascending order."""
    for i in range(count):
        j = length + i
        while j > length and items[j - 1] > nodes[i]:
            items[j] = items[j - 1]
            j -= 1
        items[j] = nodes[i]


@inlined
def _reaches(
    graph: Graph, marks: Marks, around: IntArray, root: int, mass: int, wanted: _Wanted
) -> bool:
    """Return whether the set can grow to the least weight.

    Counted are the nodes above the root that fit in and that a path leads to: from the
    set through nodes that fit in and are not left out. `around` begins these paths.
    """
    starts, ends, weights = graph.starts, graph.ends, graph.weights
    state, seen, queue = marks.state, marks.label, marks.work[0]
    room, least = wanted.heaviest - mass, wanted.lightest
    tail = 0
    # Breadth-first search from the neighbours, until there is weight enough.
    for v in around:
        if weights[v] <= room:
            seen[v] = 0
            queue[tail] = v
            tail += 1
            mass += weights[v]
    head = 0
    while mass < least and head < tail:
        for i in range(starts[queue[head]], starts[queue[head] + 1]):
            v = ends[i]
            if v > root and state[v] == FREE and seen[v] < 0 and weights[v] <= room:
                seen[v] = 0
                queue[tail] = v
                tail += 1
                mass += weights[v]
        head += 1
    # Clean up.
    for i in range(tail):
        seen[queue[i]] = -1
    return bool(mass >= least)


@inlined
def _cuts_off(
    graph: Graph,
    marks: Marks,
    place: IntArray,
    new: int,  # the node taken last
    position: int,  # nodes met before that are in the set or left out
    least: int,
) -> tuple[bool, int]:
    """Return whether the set cuts off nodes that are too light, one of them left out.

    And how many nodes were looked at.
    """
    starts, ends, weights = graph
    state, label, queue = marks.state, marks.label, marks.work[0]
    tail = 0
    bad = False
    for e in range(starts[new], starts[new + 1]):
        if bad or state[ends[e]] == TAKEN or label[ends[e]] >= 0:
            continue
        # Search from a neighbour until there is weight enough, or what was searched
        # from another: that had weight enough, or none of it was left out for good.
        begin = head = tail
        queue[tail] = ends[e]
        label[ends[e]] = begin
        tail += 1
        mass, out, known = 0, False, False
        while head < tail and mass < least and not known:
            u = queue[head]
            head += 1
            mass += weights[u]
            out |= state[u] == MET and place[u] < position
            for i in range(starts[u], starts[u + 1]):
                v = ends[i]
                if state[v] == TAKEN:
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
    return bad, tail


@inlined
def _splits(graph: Graph, marks: Marks, nodes: IntArray, mass: int, split: int) -> bool:
    """Return whether cutting an edge of a tree leaves `split` on both sides.

    The tree is that of breadth-first search from the heaviest node of the set.
    """
    starts, ends, weights = graph.starts, graph.ends, graph.weights
    state, parent = marks.state, marks.label
    queue, below = marks.work[0], marks.work[3]
    first = nodes[0]
    for v in nodes:
        if weights[v] > weights[first]:
            first = v
    queue[0] = first
    parent[first] = first
    tail = 1
    for head in range(len(nodes)):
        u = queue[head]
        below[u] = weights[u]
        for i in range(starts[u], starts[u + 1]):
            v = ends[i]
            if state[v] == TAKEN and parent[v] < 0:
                parent[v] = u
                queue[tail] = v
                tail += 1
    # Children come after their parents: subtrees are summed up from the last on.
    found = False
    for i in range(len(nodes) - 1, 0, -1):
        u = queue[i]
        if below[u] >= split and mass - below[u] >= split:
            found = True
        below[parent[u]] += below[u]
    for i in range(len(nodes)):
        parent[queue[i]] = -1
    return found


@inlined
def leaves_parts(
    graph: Graph,
    marks: Marks,
    bounds: tuple[int, int],  # of the weight of a part
    nodes: IntArray,  # those taken last
    rest: int,  # the weight that is left
    others: int,  # into how many parts it is to be cut; below 0 if that is no matter
) -> tuple[bool, int]:
    """Return whether by counting every component of the rest can be cut into parts.

    And how many nodes were looked at. The components next to `nodes` are searched at a
    time, from groups of nodes that are joined where they meet, until all but one are
    complete. That one and all components elsewhere count as one.
    """
    starts, ends, weight = graph
    state, label, work = marks
    least, most = bounds
    queue, joined, pending, masses = work[0], work[1], work[2], work[3]
    # Every node next to those taken last begins a group.
    groups = 0
    for u in nodes:
        for j in range(starts[u], starts[u + 1]):
            v = ends[j]
            if state[v] != TAKEN and label[v] < 0:
                label[v] = groups
                joined[groups], pending[groups] = groups, 1
                masses[groups] = weight[v]
                queue[groups] = v
                groups += 1
    head, tail, open_ = 0, groups, groups
    fewest, greatest = 0, 0
    good = True
    while open_ > 1 and good:
        # Groups of a label are joined to others; `pending` counts the nodes of a group
        # in the queue, `masses` is what its nodes weigh.
        u = queue[head]
        head += 1
        group = _group(joined, label[u])
        for i in range(starts[u], starts[u + 1]):
            v = ends[i]
            if state[v] == TAKEN:
                continue
            if label[v] < 0:
                label[v] = group
                pending[group] += 1
                masses[group] += weight[v]
                queue[tail] = v
                tail += 1
                continue
            other = _group(joined, label[v])
            if other != group:
                joined[other] = group
                pending[group] += pending[other]
                masses[group] += masses[other]
                open_ -= 1
        pending[group] -= 1
        if pending[group] == 0:
            # The group is a component: it can be cut into `low` to `high` parts.
            open_ -= 1
            rest -= masses[group]
            low, high = max(-(-masses[group] // most), 1), masses[group] // least
            good = low <= high
            fewest += low
            greatest += high
    for i in range(tail):
        label[queue[i]] = -1
    # What was not searched needs a part at least, if there is any.
    low, high = max(-(-rest // most), open_), rest // least
    good = good and low <= high
    good = good and (others < 0 or fewest + low <= others <= greatest + high)
    return good, tail


@inlined
def _group(joined: IntArray, label: int) -> int:
    """Return the group that a group was joined to."""
    while joined[label] != label:
        label = joined[label]
    return label
