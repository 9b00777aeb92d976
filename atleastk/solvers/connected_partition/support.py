"""Arc consistency: parts that leave a node beside them without a part are dropped.

In a partition with the part S, every node next to S is in a part disjoint from S. A
part next to which some node has no such part left is in no partition; without it others
may fall as well. If a node is in no part, all of them fall.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import ConnectedSets
from atleastk.solvers.connected_partition.graph import FREE, TAKEN, Graph, Marks

EFFORT: Final = 300_000_000
"""Looks at nodes until sets are consistent enough: some seconds."""


class HeldSets(NamedTuple):
    """Sets of nodes, and the sets that every node is in, by their indices."""

    starts: IntArray  # [set + 1]
    items: IntArray  # [entry]: the nodes of set s: ``items[starts[s]:starts[s + 1]]``
    weights: IntArray  # [set]
    holder_starts: IntArray  # [node + 1]
    holders: IntArray  # [entry]: the sets that hold node v, ascending, likewise
    alive: ByteArray  # [set]: whether it may be in a partition
    last_free: IntArray  # [node]: the set that was free when last looked for

    @classmethod
    def of(cls, n: int, sets: ConnectedSets) -> HeldSets:
        """Return sets of nodes 0..n-1, all alive; there is one at least."""
        owners = np.repeat(np.arange(len(sets)), np.diff(sets.starts))
        holders = owners[np.argsort(sets.items, kind="stable")]
        counts = np.bincount(sets.items, minlength=n)
        starts = np.concatenate(([0], np.cumsum(counts)))
        first = holders[np.minimum(starts[:-1], len(holders) - 1)]
        alive = np.ones(len(sets), dtype=np.uint8)
        return cls(sets.starts, sets.items, sets.weights, starts, holders, alive, first)


def supported(
    component: Component, sets: ConnectedSets, flag: ByteArray
) -> ConnectedSets:
    """Return the sets that leave a set to every node; no partition contains others.

    `flag` becomes 1 when time is up; sets dropped until then are dropped rightly.
    """
    if not (np.bincount(sets.items, minlength=component.n) > 0).all():
        return sets.only(np.empty(0, dtype=np.int64))
    held, marks = HeldSets.of(component.n, sets), Marks.none_of(component.n)
    _filter(component.graph, held, marks, EFFORT, flag)
    return sets.only(held.alive > 0)


@compiled
def _filter(
    graph: Graph, sets: HeldSets, covered: Marks, effort: int, flag: ByteArray
) -> None:
    """Take out sets that leave no set to a node next to them, until there are none.

    It ends after `effort` looks at nodes, or when the flag becomes 1.
    """
    changed = True
    while changed:
        changed = False
        for s in range(len(sets.alive)):
            if sets.alive[s] == 0:
                continue
            if flag[0] or effort < 0:
                return
            mark(sets, s, covered.state, TAKEN)
            good, looks = leaves_sets(graph, sets, covered, s, 0)
            mark(sets, s, covered.state, FREE)
            effort -= looks
            if not good:
                sets.alive[s] = 0
                changed = True


@inlined
def mark(sets: HeldSets, s: int, state: IntArray, mark: int) -> None:
    """Give the nodes of a set a state."""
    for i in range(sets.starts[s], sets.starts[s + 1]):
        state[sets.items[i]] = mark


@inlined
def is_free(sets: HeldSets, s: int, state: IntArray) -> bool:
    """Return whether no node of a set is taken."""
    i = sets.starts[s]
    while i < sets.starts[s + 1] and state[sets.items[i]] != TAKEN:
        i += 1
    return bool(i == sets.starts[s + 1])


@inlined
def leaves_sets(
    graph: Graph, sets: HeldSets, covered: Marks, new: int, oldest: int
) -> tuple[bool, int]:
    """Return whether every node next to a new set is in a set of which none is covered.

    Sets before `oldest` have covered nodes. The second value counts looks at nodes.
    """
    state, label, queue = covered.state, covered.label, covered.work[0]
    # List the nodes next to the new set, each once.
    count = 0
    for i in range(sets.starts[new], sets.starts[new + 1]):
        u = sets.items[i]
        for j in range(graph.starts[u], graph.starts[u + 1]):
            v = graph.ends[j]
            if state[v] != TAKEN and label[v] < 0:
                label[v] = 0
                queue[count] = v
                count += 1
    for i in range(count):
        label[queue[i]] = -1
    # Look for a free set of each: the last one found, then later sets before earlier
    # ones; they start later, and fewer of their nodes are covered.
    looks = count
    for i in range(count):
        v = queue[i]
        candidate = sets.last_free[v]
        following = sets.holder_starts[v + 1] - 1
        while True:
            looks += 1
            if sets.alive[candidate] > 0 and is_free(sets, candidate, state):
                sets.last_free[v] = candidate
                break
            if following < sets.holder_starts[v] or sets.holders[following] < oldest:
                return False, looks
            candidate = sets.holders[following]
            following -= 1
    return True, looks
