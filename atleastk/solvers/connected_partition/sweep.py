"""A sweep over a map: dynamic programming over the nodes that are covered.

The nodes have an order. The first node that is not covered is covered next, by a set
that may be a part and whose nodes are not covered either. Whether the rest can be
partitioned depends on the covered nodes and the number of parts alone, so a state that
came to nothing is kept and not tried again. Along a good order the border of what is
covered is short, and states are few.

A state comes to nothing at once if

- by counting, the rest cannot have as many parts as are left;
- a component of the rest cannot be cut into parts, by counting;
- a node next to the set that was taken is in no set of which no node is covered.

The last of these is also applied to every set alone, before: what is left are sets that
leave every node a set.

The number of states differs by orders of magnitude between orders of the nodes, and
turning an order round can help as much. So several orders race: each is given few
states, the better half, by how much of its search is done, more, and so on. States are
kept in full, so that an answer is never a matter of probability; if they take too much
memory, there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray, WordArray
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import (
    ConnectedSets,
    leaves_parts,
)
from atleastk.solvers.connected_partition.sweep_orders import sweep_orders
from atleastk.solvers.engine.decision import Decision

__all__ = ["MEMORY", "consistent", "sweep"]


MEMORY = 2.0**30
"""The bytes that states may take unless told otherwise."""

STARTS = 6
"""Nodes to start from; twice as many orders race."""

STATES = 1 << 11
"""The states that every order may keep at first."""

GROWTH = 8
"""The factor from one round of the race to the next."""

EFFORT = 300_000_000
"""Looks at nodes of sets before consistency is good enough."""

_FAILED, _FOUND, _FULL, _STOPPED = range(4)


def sweep(
    component: Component,
    window: Window,
    sets: ConnectedSets,
    budget: Budget,
    memory: float = MEMORY,
) -> Decision[list[list[int]]]:
    """Decide whether `window.parts` disjoint sets of the window cover all nodes.

    Parameters
    ----------
    sets
        All connected sets that may be a part; more do no harm.
    memory
        The bytes that states may take; `budget.memory` if that is less.
    """
    inside = (sets.weights >= window.least) & (sets.weights <= window.most)
    left = consistent(component, sets.only(inside), budget)
    if left is None:
        return Decision.unknown()
    if not _in_some_set(component, left).all():
        return Decision.impossible()
    racers = list(enumerate(sweep_orders(component, STARTS), budget.seed))
    most = min(memory, budget.memory)
    states = STATES
    while True:
        done = []
        for seed, order in racers:
            run = _Run.along(component, window, left, order, seed)
            if run.bytes(states) > most:
                return Decision.unknown()
            outcome, progress = run.search(states, budget)
            if outcome == _FAILED:
                return Decision.impossible()
            if outcome == _FOUND:
                return Decision.of(run.found())
            if outcome == _STOPPED:
                return Decision.unknown()
            done.append(progress)
        best = sorted(range(len(racers)), key=lambda i: -done[i])
        racers = [racers[i] for i in best[: -(-len(racers) // 2)]]
        states *= GROWTH


def consistent(
    component: Component, sets: ConnectedSets, budget: Budget
) -> ConnectedSets | None:
    """Return the sets that leave a set to every node; None if the budget is spent.

    No partition contains any of the others. No set is left if a node is in none.
    """
    if not _in_some_set(component, sets).all():
        return sets.only(np.empty(0, dtype=np.int64))
    n = component.n
    at, holders = _holders(n, sets.starts, sets.items)
    alive = np.ones(len(sets), dtype=np.uint8)
    with budget.flagging() as flag:
        _filter(
            component.starts,
            component.ends,
            sets.starts,
            sets.items,
            at,
            holders,
            holders[at[:-1]],
            alive,
            np.zeros(n, dtype=np.int64),
            np.full(n, -1, dtype=np.int64),
            np.empty(n, dtype=np.int64),
            EFFORT,
            flag,
        )
    return None if budget.spent else sets.only(alive > 0)


def _in_some_set(component: Component, sets: ConnectedSets) -> BoolArray:
    return np.bincount(sets.items, minlength=component.n) > 0


def _holders(n: int, starts: IntArray, items: IntArray) -> tuple[IntArray, IntArray]:
    """Return the sets that every node is in, ascending, node after node."""
    by_node = np.argsort(items, kind="stable")
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    at = np.searchsorted(items[by_node], np.arange(n + 1)).astype(np.int64)
    return at, owners[by_node]


@dataclass
class _Run:
    """A sweep along an order. Nodes have their places in the order as numbers.

    Sets are sorted by first nodes; ``firsts[v]`` is the first of those of node v. A
    mask holds the nodes of a set as bits from its first node on.
    """

    order: IntArray
    graph: tuple[IntArray, IntArray, IntArray]
    starts: IntArray
    items: IntArray
    weights: IntArray
    firsts: IntArray
    masks: WordArray
    holders: tuple[IntArray, IntArray]
    bounds: IntArray
    stacks: IntArray

    @classmethod
    def along(
        cls,
        component: Component,
        window: Window,
        sets: ConnectedSets,
        order: Sequence[int],
        seed: int,
    ) -> _Run:
        """Return a sweep; sets with the same first node are tried in random order."""
        n = component.n
        place = np.empty(n, dtype=np.int64)
        place[order] = np.arange(n)
        around = [sorted(place[list(component.neighbours[u])]) for u in order]
        first = np.minimum.reduceat(place[sets.items], sets.starts[:-1])
        by_first = np.lexsort((np.random.default_rng(seed).random(len(sets)), first))
        chosen = sets.only(by_first)
        items = place[chosen.items]
        sizes = np.diff(chosen.starts)
        offset = items - np.repeat(first[by_first], sizes)
        masks = np.zeros((len(sets), int(offset.max()) // 64 + 1), dtype=np.uint64)
        rows = np.repeat(np.arange(len(sets)), sizes)
        bits = np.uint64(1) << (offset % 64).astype(np.uint64)
        np.bitwise_or.at(masks, (rows, offset // 64), bits)
        return cls(
            np.array(order, dtype=np.int64),
            (
                np.cumsum([0, *map(len, around)], dtype=np.int64),
                np.array([v for found in around for v in found], dtype=np.int64),
                component.weights[order],
            ),
            chosen.starts,
            items,
            chosen.weights,
            np.searchsorted(first[by_first], np.arange(n + 1)).astype(np.int64),
            masks,
            _holders(n, chosen.starts, items),
            np.array(
                [window.least, window.most, window.parts, component.total],
                dtype=np.int64,
            ),
            np.zeros((4, window.parts + 1), dtype=np.int64),
        )

    def bytes(self, states: int) -> int:
        """Return the memory that so many states take."""
        words: int = self.masks.shape[1] + 1
        return 2 * 8 * words * states

    def search(self, states: int, budget: Budget) -> tuple[int, float]:
        """Return how a search ends that keeps so many states, and how far it came."""
        n = len(self.order)
        words = self.masks.shape[1]
        at, holders = self.holders
        self.stacks[0, 0], self.stacks[1, 0], self.stacks[2, 0] = 0, 0, 0
        with budget.flagging() as flag:
            outcome, depth = _search(
                *self.graph,
                self.bounds,
                self.starts,
                self.items,
                self.weights,
                self.firsts,
                self.masks,
                at,
                holders,
                holders[at[:-1]],
                np.zeros((2 * states, words + 1), dtype=np.uint64),
                np.zeros((self.bounds[2] + 1, words), dtype=np.uint64),
                self.stacks,
                np.zeros(n, dtype=np.int64),
                np.full(n, -1, dtype=np.int64),
                np.empty((4, n + 1), dtype=np.int64),
                flag,
            )
        return outcome, self._progress(depth)

    def _progress(self, depth: int) -> float:
        """Return the share of the search that is done, if all sets fitted."""
        done, share = 0.0, 1.0
        for node, after in self.stacks[:2, : depth + 1].T.tolist():
            first, last = self.firsts[node], self.firsts[node + 1]
            share /= max(last - first, 1)
            done += share * max(after - first - 1, 0)
        return done

    def found(self) -> list[list[int]]:
        """Return the parts that the last search found, in nodes of the component."""
        return [
            sorted(self.order[self.items[self.starts[s] : self.starts[s + 1]]].tolist())
            for s in self.stacks[3, : self.bounds[2]]
        ]


@inlined
def _leaves_sets(
    starts: IntArray,
    ends: IntArray,
    set_starts: IntArray,
    items: IntArray,
    new: int,
    state: IntArray,
    label: IntArray,
    queue: IntArray,
    at: IntArray,
    holders: IntArray,
    witness: IntArray,
    alive: ByteArray,
    oldest: int,
) -> tuple[bool, int]:
    """Tell whether every free node next to set `new` is in a set that is free.

    Sets before `oldest` are not free. The second value counts looks.
    """
    tail = 0
    for i in range(set_starts[new], set_starts[new + 1]):
        for j in range(starts[items[i]], starts[items[i] + 1]):
            v = ends[j]
            if state[v] != 2 and label[v] < 0:
                label[v] = 0
                queue[tail] = v
                tail += 1
    for i in range(tail):
        label[queue[i]] = -1
    looks = tail
    for i in range(tail):
        u = queue[i]
        candidate = witness[u]
        following = at[u + 1] - 1
        while True:
            free = alive[candidate] > 0
            j = set_starts[candidate]
            while free and j < set_starts[candidate + 1]:
                free = state[items[j]] != 2
                j += 1
            looks += 1
            if free:
                witness[u] = candidate
                break
            # Later sets first: they start later, and less of them is covered.
            if following < at[u] or holders[following] < oldest:
                return False, looks
            candidate = holders[following]
            following -= 1
    return True, looks


@compiled
def _filter(
    starts: IntArray,
    ends: IntArray,
    set_starts: IntArray,
    items: IntArray,
    at: IntArray,
    holders: IntArray,
    witness: IntArray,
    alive: ByteArray,
    state: IntArray,
    label: IntArray,
    queue: IntArray,
    effort: int,
    flag: ByteArray,
) -> None:
    """Take from `alive` what leaves no set to a node, as long as there is any."""
    changed = True
    while changed:
        changed = False
        for s in range(len(alive)):
            if alive[s] == 0:
                continue
            if flag[0] or effort < 0:
                return
            for i in range(set_starts[s], set_starts[s + 1]):
                state[items[i]] = 2
            good, looks = _leaves_sets(
                starts,
                ends,
                set_starts,
                items,
                s,
                state,
                label,
                queue,
                at,
                holders,
                witness,
                alive,
                0,
            )
            effort -= looks
            for i in range(set_starts[s], set_starts[s + 1]):
                state[items[i]] = 0
            if not good:
                alive[s] = 0
                changed = True


@inlined
def _slot(table: WordArray, key: WordArray) -> tuple[np.int64, bool]:
    """Return the place of a state in the table, and whether it is there."""
    mixed = np.uint64(0)
    for part in key:
        mixed = (mixed ^ part) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & np.uint64(len(table) - 1))
    last = len(key) - 1
    while table[slot, last] != 0:
        same = True
        for i in range(last + 1):
            same = same and table[slot, i] == key[i]
        if same:
            return slot, True
        slot = (slot + 1) & (len(table) - 1)
    return slot, False


@compiled
def _search(
    starts: IntArray,
    ends: IntArray,
    weight: IntArray,
    bounds: IntArray,
    set_starts: IntArray,
    items: IntArray,
    set_weight: IntArray,
    firsts: IntArray,
    masks: WordArray,
    at: IntArray,
    holders: IntArray,
    witness: IntArray,
    table: WordArray,
    covered: WordArray,
    stacks: IntArray,
    state: IntArray,
    label: IntArray,
    work: IntArray,
    flag: ByteArray,
) -> tuple[int, int]:
    """Search until it is decided or the table is half full; return how, and where.

    Per depth, the stacks hold the first node that is not covered, the next set, the
    weight that is covered, and the set taken; `covered` has the nodes from the first
    one on.
    """
    least, most, parts, total = bounds
    first, nexts, mass, taken = stacks[0], stacks[1], stacks[2], stacks[3]
    words = masks.shape[1]
    key = np.zeros(words + 1, dtype=np.uint64)
    alive = np.ones(len(masks), dtype=np.uint8)
    one = np.uint64(1)
    room = len(table) // 2
    depth = 0
    while True:
        if flag[0]:
            return 3, depth
        v = first[depth]
        new = nexts[depth]
        if new == firsts[v + 1]:
            if depth == 0:
                return 0, 0
            if room == 0:
                return 2, depth
            for i in range(words):
                key[i] = covered[depth, i]
            key[words] = np.uint64(v * (parts + 1) + depth)
            slot, known = _slot(table, key)
            for i in range(words + 1):
                table[slot, i] = key[i]
            room -= 1
            depth -= 1
            for i in range(set_starts[taken[depth]], set_starts[taken[depth] + 1]):
                state[items[i]] = 0
            continue
        nexts[depth] = new + 1
        fits = True
        for i in range(words):
            fits = fits and masks[new, i] & covered[depth, i] == 0
        rest = total - mass[depth] - set_weight[new]
        others = parts - depth - 1
        if not fits or rest < others * least or rest > others * most:
            continue
        below = depth + 1
        for i in range(words):
            covered[below, i] = covered[depth, i] | masks[new, i]
        while covered[below, 0] & one:
            v += 1
            for i in range(words):
                covered[below, i] >>= one
                if i + 1 < words:
                    covered[below, i] |= covered[below, i + 1] << np.uint64(63)
        if others == 0:
            # What is left weighs nothing, but may still be a node.
            if v < len(weight):
                continue
            taken[depth] = new
            return 1, depth
        for i in range(words):
            key[i] = covered[below, i]
        key[words] = np.uint64(v * (parts + 1) + below)
        slot, known = _slot(table, key)
        if known:
            continue
        begin, end = set_starts[new], set_starts[new + 1]
        for i in range(begin, end):
            state[items[i]] = 2
        good = leaves_parts(
            starts,
            ends,
            weight,
            bounds,
            items[begin:end],
            state,
            label,
            work,
            rest,
            others,
        )
        if good:
            good, _ = _leaves_sets(
                starts,
                ends,
                set_starts,
                items,
                new,
                state,
                label,
                work[0],
                at,
                holders,
                witness,
                alive,
                firsts[v],
            )
        if not good:
            for i in range(begin, end):
                state[items[i]] = 0
            continue
        taken[depth] = new
        depth = below
        first[depth], nexts[depth] = v, firsts[v]
        mass[depth] = total - rest
