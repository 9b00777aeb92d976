"""Dynamic programming over sets of covered nodes, along an order ("sweep").

The nodes have an order. The first node that is not covered is covered next, by a set
that may be a part and whose nodes are not covered either. Whether the rest can be
partitioned depends on the covered nodes and the number of parts alone, so failed
states are stored in a hash table and not tried again. Along a good order the border of
the covered nodes is short, and states are few.

A state fails at once if

- by counting, the rest cannot have as many parts as are left;
- a component of the rest cannot be cut into parts, by counting;
- a node next to the set that was taken is in no set of which no node is covered; of
  sets alone, that has been looked at before
  (:mod:`~atleastk.solvers.connected_partition.support`).

The number of states differs by orders of magnitude between orders of the nodes, and
turning an order round can help as much. So several orders race: each is given few
states, the better half, by how much of its search is done, more, and so on. States are
stored in full, so that an answer is never a matter of probability; if they take too
much memory, there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.memory import Memory, place_of, remember
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import (
    ConnectedSets,
    leaves_parts,
)
from atleastk.solvers.connected_partition.graph import FREE, TAKEN, Graph, Marks
from atleastk.solvers.connected_partition.support import (
    HeldSets,
    is_free,
    leaves_sets,
    mark,
)
from atleastk.solvers.engine.boundary import orders_of
from atleastk.solvers.engine.decision import Decision

_MEMORY: Final = 2.0**30
"""The bytes that states may take at most: 1 GiB."""

_STARTS: Final = 6
"""Nodes to start from; twice as many orders race. Chosen, not measured."""

_STATES: Final = 1 << 11
"""States that every order may keep at first; chosen, not measured."""

_GROWTH: Final = 8
"""The factor of the states from round to round: half of the orders are left, so a round
takes four times as long as the one before. Chosen, not measured."""

_BITS: Final = 62
"""Nodes in a word of a state."""

_FAILED, _FOUND, _FULL, _STOPPED = range(4)
"""How a search ends."""


def sweep(
    component: Component, window: Window, sets: ConnectedSets, budget: Budget
) -> Decision[list[list[int]]]:
    """Decide whether `window.parts` disjoint sets of the window cover all nodes.

    The sets are all that may be a part; every node is in one, or there are none.
    """
    if not len(sets):
        return Decision.impossible()
    forward = orders_of(component.neighbours, _STARTS)
    orders = [turned for order in forward for turned in (order, order[::-1])]
    racers = list(enumerate(orders, budget.seed))
    most = min(_MEMORY, budget.memory)
    states = _STATES
    while True:
        done = []
        for seed, order in racers:
            run = _Run(component, window, sets, order, seed)
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
        states *= _GROWTH


class _Path(NamedTuple):
    """What a search has taken. All is indexed by depth: how many sets were taken."""

    first: IntArray  # [depth]: the first node that is not covered
    following: IntArray  # [depth]: the next set to be tried
    mass: IntArray  # [depth]: the weight that is covered
    taken: IntArray  # [depth]: the set that was taken


class _Run:
    """A sweep along an order. Nodes go by their places in the order.

    Sets are sorted by their first nodes; those with the same are in random order. The
    words of a state hold the covered nodes, from the first one on that is not: none is
    farther from it than the last node of a set from the first.
    """

    def __init__(
        self,
        component: Component,
        window: Window,
        sets: ConnectedSets,
        order: Sequence[int],
        seed: int,
    ) -> None:
        n = component.n
        self._order = nodes = np.array(order, dtype=np.int64)
        place = np.empty(n, dtype=np.int64)
        place[nodes] = np.arange(n)
        first = np.minimum.reduceat(place[sets.items], sets.starts[:-1])
        by_first = np.lexsort((np.random.default_rng(seed).random(len(sets)), first))
        chosen, first = sets.only(by_first), first[by_first]
        placed = replace(chosen, items=place[chosen.items])
        offsets = placed.items - np.repeat(first, np.diff(placed.starts))
        tails, ends = component.arcs(nodes)
        starts = np.searchsorted(tails, np.arange(n + 1))
        self._graph = Graph(starts, place[ends], component.weights[nodes])
        asked = window.least, window.most, window.parts, component.total
        self._bounds = np.array(asked, dtype=np.int64)
        self._sets = HeldSets.of(n, placed)
        self._firsts = np.searchsorted(first, np.arange(n + 1)).astype(np.int64)
        self._words = int(offsets.max()) // _BITS + 1
        self._path = _Path(*np.zeros((4, window.parts + 1), dtype=np.int64))

    def bytes(self, states: int) -> int:
        """Return the memory that this many states take: half of the table is empty."""
        return 2 * (8 * (self._words + 1) + 4) * states

    def search(self, states: int, budget: Budget) -> tuple[int, float]:
        """Return how a search ends that keeps this many states, and how far it came."""
        with budget.flagging() as flag:
            outcome, depth = _search(
                self._graph,
                self._bounds,
                self._sets,
                self._firsts,
                Marks.none_of(len(self._order)),
                Memory.of(2 * states, self._words + 1),
                self._path,
                flag,
            )
        return outcome, self._progress(depth)

    def _progress(self, depth: int) -> float:
        """Return the share of the search that is done, if all sets fitted."""
        done, share = 0.0, 1.0
        for i in range(depth + 1):
            node, after = self._path.first[i], self._path.following[i]
            first, last = self._firsts[node], self._firsts[node + 1]
            share /= max(last - first, 1)
            done += share * max(after - first - 1, 0)
        return done

    def found(self) -> list[list[int]]:
        """Return the parts that the last search found, in nodes of the component."""
        starts, items = self._sets.starts, self._sets.items
        return [
            sorted(self._order[items[starts[s] : starts[s + 1]]].tolist())
            for s in self._path.taken[:-1]
        ]


@compiled
def _search(
    graph: Graph,
    bounds: IntArray,
    sets: HeldSets,
    firsts: IntArray,
    covered: Marks,
    memory: Memory,
    path: _Path,
    flag: ByteArray,
) -> tuple[int, int]:
    """Search depth first; return how that ended, and at which depth.

    It is `_FAILED` if there is no partition, `_FOUND` if `path.taken` is one, `_FULL`
    if half of the memory of states is taken, and `_STOPPED` if the flag becomes 1. The
    path is empty at first. Time: at most states times sets of a node, times nodes.
    """
    least, most, parts, total = bounds
    n, state = len(graph.weights), covered.state
    key = np.zeros(memory.keys.shape[1], dtype=np.int64)
    room = len(memory.numbers) // 2
    depth = 0
    while not flag[0]:
        v, new = path.first[depth], path.following[depth]
        if new == firsts[v + 1]:
            # All sets with the first node are tried: store the state, and go back.
            if depth == 0:
                return _FAILED, 0
            if room == 0:
                return _FULL, depth
            _write_key(key, state, v, depth)
            room -= remember(key, 0, memory)
            depth -= 1
            mark(sets, path.taken[depth], state, FREE)
            continue
        path.following[depth] = new + 1
        # By counting, the rest can be the other parts, and the set has no covered node.
        others = parts - depth - 1
        rest = total - path.mass[depth] - sets.weights[new]
        fits = others * least <= rest <= others * most
        if not fits or not is_free(sets, new, state):
            continue
        # Take the set if the state is new, and nothing refutes it. Where no other part
        # is left the rest weighs nothing, but may still be a node.
        mark(sets, new, state, TAKEN)
        path.taken[depth] = new
        while v < n and state[v] == TAKEN:
            v += 1
        good = v == n
        if others > 0:
            _write_key(key, state, v, depth + 1)
            nodes = sets.items[sets.starts[new] : sets.starts[new + 1]]
            good = (
                memory.numbers[place_of(key, memory)] < 0
                and leaves_parts(graph, covered, (least, most), nodes, rest, others)[0]
                and leaves_sets(graph, sets, covered, new, firsts[v])[0]
            )
        if not good:
            mark(sets, new, state, FREE)
            continue
        if others == 0:
            return _FOUND, depth
        depth += 1
        path.first[depth], path.following[depth] = v, firsts[v]
        path.mass[depth] = total - rest
    return _STOPPED, depth


@inlined
def _write_key(key: IntArray, state: IntArray, first: int, depth: int) -> None:
    """Write a state down: the first node that is not covered, the covered ones as bits.

    The first word is that node and the depth, how many sets were taken.
    """
    key[0] = first * len(state) + depth
    for word in range(1, len(key)):
        start = first + (word - 1) * _BITS
        bits = 0
        for i in range(start, min(start + _BITS, len(state))):
            bits = 2 * bits + (state[i] == TAKEN)
        key[word] = bits
