"""Arc consistency: parts that leave some other node without a part are dropped.

In a partition with the part S, every node outside S is in a part disjoint from S. A
part for which some node has no such part left is in no partition; without it others
may fall as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.connected_partition.connected_sets import ConnectedSets


@dataclass(frozen=True)
class Holders:
    """The parts that hold a node: ``sets[starts[v]:starts[v + 1]]``."""

    starts: IntArray
    sets: IntArray
    count: int

    @classmethod
    def of(cls, n: int, sets: ConnectedSets) -> Holders:
        """Return the parts of every node."""
        owners = np.repeat(np.arange(len(sets)), np.diff(sets.starts))
        order = np.argsort(sets.items, kind="stable")
        counts = np.bincount(sets.items, minlength=n)
        return cls(np.concatenate(([0], np.cumsum(counts))), owners[order], len(sets))

    def holding(self, node: int) -> BoolArray:
        """Return for every part whether it holds a node."""
        holds = np.zeros(self.count, dtype=np.bool_)
        holds[self.sets[self.starts[node] : self.starts[node + 1]]] = True
        return holds


def keep_supported(
    sets: ConnectedSets, holders: Holders, allowed: BoolArray, flag: ByteArray
) -> None:
    """Drop parts that leave a node without one, until there are none.

    `flag` becomes 1 when time is up; parts dropped until then are dropped rightly.
    """
    while _drop(sets.starts, sets.items, holders.starts, holders.sets, allowed, flag):
        pass


@compiled
def _drop(
    starts: IntArray,  # [part + 1]
    items: IntArray,  # [node of a part]
    firsts: IntArray,  # [node + 1]
    holders: IntArray,  # [part of a node]
    allowed: BoolArray,  # [part]
    flag: ByteArray,
) -> bool:
    """Check every part once, and drop it if unsupported; return whether any was."""
    n = len(firsts) - 1
    inside = np.zeros(n, dtype=np.bool_)
    last = firsts[:-1].copy()
    dropped = False
    for s in range(len(allowed)):
        if flag[0]:
            return False
        if not allowed[s]:
            continue
        for a in range(starts[s], starts[s + 1]):
            inside[items[a]] = True
        # Every node outside needs an allowed part that is disjoint from this one.
        supported = True
        for v in range(n):
            if inside[v]:
                continue
            # Its parts are tried in turn, from the one that served last time.
            found = False
            place = last[v]
            for _ in range(firsts[v + 1] - firsts[v]):
                other = holders[place]
                free = allowed[other]
                if free:
                    for a in range(starts[other], starts[other + 1]):
                        if inside[items[a]]:
                            free = False
                            break
                if free:
                    found = True
                    last[v] = place
                    break
                place += 1
                if place == firsts[v + 1]:
                    place = firsts[v]
            if not found:
                supported = False
                break
        for a in range(starts[s], starts[s + 1]):
            inside[items[a]] = False
        if not supported:
            allowed[s] = False
            dropped = True
    return dropped
