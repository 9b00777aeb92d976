"""Halving: a map is cut in two, and the sides again, into parts of almost equal weight.

For parts of many nodes, whose weights have little or no room. A random spanning tree of
the nodes has an edge that leaves two pieces of about the right weights, one for some of
the parts and one for the others. Then nodes at the border of the pieces change sides:
of up to ten on each, subsets whose weights differ by what is missed are found by
meeting in the middle, which looks at 2^20 exchanges in some 2^11 steps. Those that
leave both sides connected are rare enough to be checked one by one.

A piece without such a cut joins one beside it, and they are cut anew. If the map is to
become a few parts, all cuts of a piece that is to become two are looked at before
(:mod:`~.meeting`): the smaller of two pieces has fewer, and is the first. And few parts
hold a node that weighs half as much: they are cut off first, every other time.

So parts of exactly the same weight are found where there are many. That there are none
is never seen.

References
----------
[LSZ93] M. Luby, A. Sinclair, D. Zuckerman, "Optimal Speedup of Las Vegas Algorithms",
Information Processing Letters 47(4), 1993.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.bits import ones
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.compiled.subsets import subset_sums
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph
from atleastk.solvers.connected_partition.meeting import decide_by_meeting
from atleastk.solvers.connected_partition.trees import Patch, amiss, best_cut, grow
from atleastk.solvers.engine.decision import Decision

Groups = list[list[int]]

_BORDER: Final = 10
"""Nodes on each side of a border that may change sides."""

_MOVED: Final = 4
"""Nodes of a side that leave it at most: of more, the sides seldom stay connected."""

_CHECKS: Final = 200
"""Exchanges of the right weight to look at per border."""

_TREES: Final = 200
"""Trees to draw for a cut at first."""

_FAILURES: Final = 200
"""Pieces, and twice the parts, that may have no cut of so many trees before twice as
many are drawn, and once more."""

_NODES: Final = 100_000_000
"""Nodes of all trees after which the search is given up, mostly: 5 s, about."""

_ROUNDS: Final = 200
"""The least in nodes of the map."""

_MOST_ROUNDS: Final = 100_000
"""The most in nodes of the map."""

_ATTEMPTS: Final = 32
"""Short attempts that these nodes are enough for, at least."""

_CUTS: Final = 2
"""Cuts in vain, in nodes of the map and times the parts, of a short attempt, at most.
Every second attempt is twice as long, every fourth four times, and so on [LSZ93]: some
never end well, since a part that they keep is in no partition."""

_FEW: Final = 4
"""Parts up to which heavy nodes and pairs are looked at, small pieces first: of more
there are enough other pieces to join."""

_PAIR: Final = 2
"""Parts of a piece of which all cuts are looked at if no tree has one."""

_MOST_OF_A_PAIR: Final = 100
"""Nodes of such a piece: of more there are too many colourings, mostly."""

_ROOM: Final = 2**17
"""Colourings of an end for these cuts: some 0.02 s."""

_OF_ALL_CUTS: Final = 5_000
"""Nodes of trees for each of its nodes that take as long, about."""

_HEAVY: Final = 0.5
"""What a node weighs, in least weights of a part, that is in few parts. Every other
time these are cut off first."""

_UNEVEN: Final = 20.0
"""What a cut costs that leaves all parts on one side: half of this, in mean weights of
nodes, or of half a part if that is less. Exchanges make up for a few nodes.

None of these constants is tuned.
"""


def enough(n: int) -> int:
    """Return after how many nodes of trees a map of n nodes is mostly given up."""
    return min(_NODES, _MOST_ROUNDS * n)


def decide_by_halving(
    component: Component, window: Window, budget: Budget, drawn: int | None = None
) -> Decision[Groups]:
    """Find a partition into parts of a window, ``1 <= least``; or come to nothing.

    That is after so many nodes of trees; `enough` if None, and more of large maps.
    """
    if component.n < window.parts or not window.admits(component.total):
        return Decision.impossible()
    drawn = enough(component.n) if drawn is None else drawn
    left = most = max(drawn, _ROUNDS * component.n)
    cuts = _CUTS * window.parts * _TREES * component.n
    unit, attempt = min(most // _ATTEMPTS, cuts), 0
    rng, missed = np.random.default_rng(budget.seed), set[bytes]()
    with budget.flagging() as flag:
        while left > 0 and not budget.spent:
            attempt += 1
            halver = _Halver(component, window, flag, rng, missed)
            found = halver.divide(budget, min(unit * (attempt & -attempt), left))
            if found is not None:
                return Decision.of([part.tolist() for part in found])
            left -= halver.drawn
    return Decision.unknown()


class _Halver:
    """A map in connected pieces, each of which is to become some parts."""

    def __init__(
        self,
        component: Component,
        window: Window,
        flag: ByteArray,
        rng: np.random.Generator,
        missed: set[bytes],
    ) -> None:
        self._component = component
        self._window = window
        self._flag = flag
        self._rng = rng
        self._missed = missed  # pairs of parts that all cuts did not find
        self._patch = Patch.within(component, 1)
        self._side = np.zeros(component.n, dtype=np.int64)
        self._piece = np.zeros(component.n, dtype=np.int64)  # [node]
        self._nodes = [np.arange(component.n)]  # [piece]
        self._shares = [window.parts]  # [piece]: the parts it is to become
        self.drawn = 0  # nodes of trees

    def divide(self, budget: Budget, most: int) -> list[IntArray] | None:
        """Return connected parts within the window, if that takes no more nodes."""
        patience = _FAILURES + 2 * self._window.parts
        waiting, failures = deque([0]), 0
        few = self._window.parts <= _FEW
        while waiting:
            if budget.spent:
                return None
            trees = _TREES << min(2, failures // patience)
            piece = waiting.popleft()
            if self._shares[piece] <= 1:
                continue
            if self._is_cut(piece, trees) or self._is_pair(piece, budget):
                last = len(self._nodes) - 1
                first = few and len(self._nodes[piece]) <= len(self._nodes[last])
                waiting += (piece, last) if first else (last, piece)
            elif self.drawn >= most:
                return None
            else:
                failures += 1
                self._join(piece)
                waiting.append(piece)
        return [part for part in self._nodes if len(part)]

    def _is_cut(self, piece: int, trees: int) -> bool:
        """Cut a piece in two, one of them the last of all pieces, if a tree does."""
        nodes = self._nodes[piece]
        taken = self._cut(nodes, self._shares[piece], trees)
        ones = self._side[nodes] == 1
        self._side[nodes] = 0
        if taken:
            self._split(piece, nodes[ones], taken, nodes[~ones])
        return taken > 0

    def _is_pair(self, piece: int, budget: Budget) -> bool:
        """Cut a piece into two parts, if one of all its cuts does, and is looked at."""
        nodes = np.sort(self._nodes[piece])
        few = self._window.parts <= _FEW and len(nodes) <= _MOST_OF_A_PAIR
        if not few or self._shares[piece] != _PAIR or nodes.tobytes() in self._missed:
            return False
        self.drawn += _OF_ALL_CUTS * len(nodes)
        pair, own = replace(self._window, parts=_PAIR), self._component.within(nodes)
        found = decide_by_meeting(own, pair, budget, _ROOM).found
        if found is None:
            self._missed.add(nodes.tobytes())
        else:
            self._split(piece, nodes[found[0]], 1, nodes[found[1]])
        return found is not None

    def _split(self, piece: int, nodes: IntArray, parts: int, others: IntArray) -> None:
        """Let nodes be a piece that becomes some of its parts, others the last one."""
        self._piece[others] = len(self._nodes)
        self._nodes.append(others)
        self._shares.append(self._shares[piece] - parts)
        self._nodes[piece], self._shares[piece] = nodes, parts

    def _join(self, piece: int) -> None:
        """Let a piece take in one beside it, the likelier the longer their border."""
        _, ends = self._component.arcs(self._nodes[piece])
        others = self._piece[ends]
        others = others[others != piece]
        if not len(others):
            return
        other = int(self._rng.choice(others))
        self._piece[self._nodes[other]] = piece
        self._nodes[piece] = np.concatenate([self._nodes[piece], self._nodes[other]])
        self._nodes[other] = self._nodes[other][:0]
        self._shares[piece] += self._shares[other]
        self._shares[other] = 0

    def _cut(self, nodes: IntArray, parts: int, trees: int) -> int:
        """Put nodes on two sides; return the parts that side 1 is to become, or 0."""
        self.drawn += len(nodes)
        if len(nodes) < parts:
            return 0
        least, most = self._window.least, self._window.most
        total = int(self._component.weights[nodes].sum())
        lows, highs = np.zeros((2, parts), dtype=np.int64)
        for one in range(1, parts):
            other = parts - one
            lows[one] = max(one * least, total - other * most)
            highs[one] = min(one * most, total - other * least)
        ends, graph = (least, most), self._component.graph
        heavy = int(nodes[graph.weights[nodes].argmax()])
        few = self._window.parts <= _FEW and graph.weights[heavy] >= _HEAVY * least
        if not few or self._rng.random() < 0.5:
            heavy = -1
        memory = self._patch, self._side, self._rng, self._flag
        found, drawn = _halved(
            nodes, parts, ends, lows, highs, trees, heavy, graph, *memory
        )
        self.drawn += drawn * len(nodes)
        return found


@compiled
def _halved(
    nodes: IntArray,  # what is to be cut; they are connected
    parts: int,
    ends: tuple[int, int],  # of the weight of a part
    lows: IntArray,  # [share]: the least weight of a side of so many parts
    highs: IntArray,  # [share]: the greatest
    trees: int,
    heavy: int,  # a node to be cut off with one part, or -1
    graph: Graph,
    patch: Patch,
    side: IntArray,  # [node]: 1 or 2 for those that are cut, else 0
    rng: np.random.Generator,
    flag: ByteArray,
) -> tuple[int, int]:
    """Put nodes on two connected sides.

    Return the parts that side 1 is to become, 0 without a cut, and the trees drawn.
    """
    size, found, drawn = len(nodes), 0, 0
    uneven = min(1.0, _UNEVEN * parts / size)
    lent, taken = np.empty((2, size), np.int64)
    for _ in range(trees):
        if flag[0] or found:
            break
        drawn += 1
        for i in range(size):
            patch.nodes[i], patch.inside[nodes[i]] = nodes[i], 1
        grow(size, graph, patch, rng)
        if heavy < 0:
            cut, share, _missed = best_cut(size, parts, ends, uneven, patch, rng)
        else:
            cut, share = _cut_above(heavy, size, ends, patch), number(1)
        # What is below the edge is side 1.
        for t in range(size):
            below = t == cut or (t > cut and side[patch.order[patch.parent[t]]] == 1)
            side[patch.order[t]] = 1 if below else 2
        given = _drawn_at_border(1, graph, nodes, side, lent, rng)
        got = _drawn_at_border(2, graph, nodes, side, taken, rng)
        first, gives = subset_sums(graph.weights[lent[:given]])
        second, takes = subset_sums(graph.weights[taken[:got]])
        missing = lows[share] - patch.weight[cut]
        spare = highs[share] - patch.weight[cut]
        # The more weight side 1 gives, the more it takes: `least` rises.
        least, checks = 0, 0
        for i in range(len(first)):
            while least < len(second) and second[least] - first[i] < missing:
                least += 1
            if found or flag[0] or checks == _CHECKS or least == len(second):
                break
            for j in range(least, len(second)):
                if flag[0] or checks == _CHECKS or second[j] - first[i] > spare:
                    break
                if max(ones(np.uint64(gives[i])), ones(np.uint64(takes[j]))) > _MOVED:
                    continue
                checks += 1
                _put(2, side, lent[:given], gives[i])
                _put(1, side, taken[:got], takes[j])
                if _are_connected(graph, nodes, side, patch.order):
                    found = share
                    break
                _put(1, side, lent[:given], gives[i])
                _put(2, side, taken[:got], takes[j])
    return found, drawn


@inlined
def _cut_above(heavy: int, size: int, ends: tuple[int, int], patch: Patch) -> int:
    """Return where to cut a tree: below, with a node, is as nearly a part as can be.

    If the node is the root, another one is there.
    """
    place = 1
    while place + 1 < size and patch.order[place] != heavy:
        place += 1
    least, cut = number(2**62), place
    while place > 0:
        missed = amiss(patch.weight[place], 1, ends)
        if missed < least:
            least, cut = missed, place
        place = patch.parent[place]
    return cut


@inlined
def _drawn_at_border(
    one: int,
    graph: Graph,
    nodes: IntArray,
    side: IntArray,
    chosen: IntArray,
    rng: np.random.Generator,
) -> int:
    """Draw nodes of a side that are beside the other one; return how many."""
    count = 0
    for v in nodes:
        if side[v] != one:
            continue
        for e in range(graph.starts[v], graph.starts[v + 1]):
            if side[graph.ends[e]] == 3 - one:
                chosen[count] = v
                count += 1
                break
    few = min(count, _BORDER)
    for i in range(few):
        j = i + int(rng.random() * (count - i))
        chosen[i], chosen[j] = chosen[j], chosen[i]
    return few


@inlined
def _put(one: int, side: IntArray, nodes: IntArray, mask: int) -> None:
    """Put the nodes of a mask on a side."""
    for bit in range(len(nodes)):
        if mask >> bit & 1:
            side[nodes[bit]] = one


@inlined
def _are_connected(
    graph: Graph, nodes: IntArray, side: IntArray, queue: IntArray
) -> bool:
    """Return whether both sides are connected, and neither is empty."""
    met = 0
    for one in (1, 2):
        head = met
        for v in nodes:
            if side[v] == one:
                queue[met] = v
                side[v] = -one
                met += 1
                break
        if met == head:
            break
        while head < met:
            v = queue[head]
            head += 1
            for e in range(graph.starts[v], graph.starts[v + 1]):
                u = graph.ends[e]
                if side[u] == one:
                    queue[met] = u
                    side[u] = -one
                    met += 1
    for i in range(met):
        side[queue[i]] = -side[queue[i]]
    return met == len(nodes)
