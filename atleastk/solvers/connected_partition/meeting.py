"""All cuts of a small map in two, by meeting in the middle.

Nodes are coloured from both ends of an order towards the middle, 0 on one side of a cut
and 1 on the other. The rest sees of a colouring its weight, the colours of its boundary
and which nodes there are joined. What the boundary has left behind is complete: a side
has one such piece only, or two. So the two ends have some million colourings, where the
map has 2^60. They are paired where they join to connected sides, by their weights in
order: pairs that add up to no weight of a window are not looked at.

Two parts are such a cut; of three, one can be cut off so that the others stay joined.
Four parts are two beside each other, and two others that are, or that touch nothing but
the first ones. So cuts, and cuts of their sides, decide about up to four parts.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph
from atleastk.solvers.engine.boundary import order_of
from atleastk.solvers.engine.decision import Decision

_MOST_PARTS: Final = 4
_MOST_NODES: Final = 62
"""Nodes whose colours fit a word; of more, colourings are too many, too."""

_GREATEST: Final = 2**60
"""The weight in all up to which that of four parts fits."""

_WIDEST: Final = 12
"""Nodes of a boundary: 5 bits for each, and 3 for what is complete, fit a word."""

_ROOM: Final = 2**22
"""Colourings of an end, and cuts, at most: 300 MB; not tuned."""

_BYTES: Final = 80
"""Bytes of a colouring, about."""

_NONE, _FOUND, _UNKNOWN = range(3)
"""How a search ends."""


class _End(NamedTuple):
    """All colourings of the nodes at one end of an order."""

    codes: IntArray  # [colouring]: for each slot of the boundary 5 bits, its colour and
    # twice the number of its piece; then the complete pieces of colour 0, those of 1
    masses: IntArray  # [colouring]: the weight of colour 0
    bits: IntArray  # [colouring]: the nodes of colour 1, by their places in the order


def decide_by_meeting(
    component: Component, window: Window, budget: Budget
) -> Decision[list[list[int]]]:
    """Decide whether there is a partition into parts of a window, ``1 <= least``.

    Unknown for others than 2 to 4 parts, or if there are too many colourings.
    """
    (n, total), parts = (component.n, component.total), window.parts
    if n < parts or not window.admits(total):
        return Decision.impossible()
    if not 2 <= parts <= _MOST_PARTS or n > _MOST_NODES or total > _GREATEST:
        return Decision.unknown()
    order = np.array(order_of(component.neighbours), dtype=np.int64)
    ends = window.least, min(window.most, total)
    room = int(min(_ROOM, budget.memory / _BYTES))
    labels = np.zeros(n, dtype=np.int64)
    with budget.flagging() as flag:
        outcome = _divided(component.graph, order, parts, ends, room, labels, flag)
    if outcome == _NONE:
        return Decision.impossible()
    if outcome == _FOUND:
        return Decision.of([np.flatnonzero(labels == i).tolist() for i in range(parts)])
    return Decision.unknown()


@compiled
def _divided(
    graph: Graph,
    order: IntArray,
    parts: int,
    ends: tuple[int, int],  # of the weight of a part
    room: int,
    labels: IntArray,  # [node]: gets its part, if there is a partition
    flag: ByteArray,
) -> int:
    """Divide a connected map; return how that ends."""
    everything = (1 << len(order)) - 1
    if parts == 2:
        return _in_two(graph, order, everything, ends, room, number(0), labels, flag)
    one, place = number(parts // 2), np.zeros(len(labels), np.int64)
    place[order] = np.arange(len(order))
    queue = np.empty(len(order), np.int64)
    ended, cuts = _cuts(graph, order, (one, parts - one), ends, one, room, room, flag)
    for ones in cuts:
        zeros, status = everything ^ ones, _FOUND
        if flag[0]:
            return _UNKNOWN
        first = 0
        while not ones >> first & 1:
            first += 1
        piece, mass = _piece(order[first], ones, graph, place, queue)
        if piece != ones:
            # Two parts that touch nothing but the first ones.
            rest = 0
            for i in range(len(order)):
                if ones >> i & 1:
                    labels[order[i]] = 2 + (piece >> i & 1)
                    rest += graph.weights[order[i]]
            rest -= mass
            if min(mass, rest) < ends[0] or max(mass, rest) > ends[1]:
                continue
            ones = 0
        if one == 2:
            status = _in_two(graph, order, zeros, ends, room, number(0), labels, flag)
        elif parts == 3:
            labels[:] = 0
        if status == _FOUND and ones:
            base = number(parts - 2)
            status = _in_two(graph, order, ones, ends, room, base, labels, flag)
        if status == _FOUND:
            return _FOUND
        ended = max(ended, status)
    return ended


@compiled
def _in_two(
    graph: Graph,
    order: IntArray,
    chosen: int,  # the nodes to divide, by their places
    ends: tuple[int, int],
    room: int,
    label: int,  # of one part; the other has the next
    labels: IntArray,
    flag: ByteArray,
) -> int:
    """Divide nodes in two parts, if it can be; return how that ends."""
    nodes, count = np.empty_like(order), 0
    for i in range(len(order)):
        if chosen >> i & 1:
            nodes[count] = order[i]
            count += 1
    once = number(1)
    nodes = nodes[:count]
    ended, cuts = _cuts(graph, nodes, (once, once), ends, once, once, room, flag)
    if not len(cuts):
        return ended
    for i in range(count):
        labels[nodes[i]] = label + (cuts[0] >> i & 1)
    return _FOUND


@inlined
def _piece(
    first: int, bits: int, graph: Graph, place: IntArray, queue: IntArray
) -> tuple[int, int]:
    """Return what a node is joined to, by places of some nodes, and what it weighs."""
    queue[0], tail, head, met, mass = first, 1, 0, 1 << place[first], 0
    while head < tail:
        v = queue[head]
        head += 1
        mass += graph.weights[v]
        for e in range(graph.starts[v], graph.starts[v + 1]):
            u = graph.ends[e]
            if place[u] >= 0 and (bits & ~met) >> place[u] & 1:
                met |= 1 << place[u]
                queue[tail] = u
                tail += 1
    return met, mass


@compiled
def _cuts(
    graph: Graph,
    order: IntArray,  # of the nodes that are cut, which are connected
    shares: tuple[int, int],  # the parts of sides 0 and 1
    ends: tuple[int, int],
    pieces: int,  # those of side 1 at most, each a part if they are two
    wanted: int,  # cuts
    room: int,
    flag: ByteArray,
) -> tuple[int, IntArray]:
    """Return the cuts, side 1 by places in the order; and whether they are all.

    Of two that differ by the names of joined sides of equal shares mostly one.
    """
    size, nodes, total, cuts = len(order), len(graph.weights), 0, np.empty(64, np.int64)
    # For each end: its boundary and how many nodes that is, the nodes and the weight so
    # far, and the neighbours that every node has left.
    place, left = np.full(nodes, -1, np.int64), np.zeros((2, nodes), np.int64)
    boundary, width = np.zeros((2, _WIDEST + 1), np.int64), np.zeros(2, np.int64)
    done, coloured = np.zeros(2, np.int64), np.zeros(2, np.int64)
    beside, stay = np.zeros((2, _WIDEST + 1), np.int64)
    for i in range(size):
        place[order[i]] = i
        total += graph.weights[order[i]]
    for v in order:
        for e in range(graph.starts[v], graph.starts[v + 1]):
            left[:, v] += place[graph.ends[e]] >= 0
    low = max(shares[0] * ends[0], total - shares[1] * ends[1])
    high = min(shares[0] * ends[1], total - shares[1] * ends[0])
    nothing = np.zeros(1, np.int64)
    ahead = behind = _End(nothing, nothing, nothing)
    while done.sum() < size:
        end = number(0) if len(ahead.codes) <= len(behind.codes) else number(1)
        v = order[done[0]] if end == 0 else order[size - 1 - done[1]]
        done[end], coloured[end] = done[end] + 1, coloured[end] + graph.weights[v]
        before, wide = width[end], 0
        boundary[end, before] = v
        beside[:] = 0
        for e in range(graph.starts[v], graph.starts[v + 1]):
            left[end, graph.ends[e]] -= 1
            for slot in range(before):
                beside[slot] |= boundary[end, slot] == graph.ends[e]
        was = boundary[end].copy()
        for slot in range(before + 1):
            if left[end, was[slot]] > 0:
                boundary[end, wide], stay[wide] = was[slot], slot
                wide += 1
        if wide > _WIDEST:
            return _UNKNOWN, cuts[:0]
        width[end] = wide
        slots = was[: before + 1], beside[:before], stay[:wide]
        limits = (low, high), (coloured[end], total), ends, pieces, room
        grown = _grown(ahead if end == 0 else behind, slots, limits, graph, place)
        if flag[0] or len(grown.codes) > room:
            return _UNKNOWN, cuts[:0]
        if end == 0:
            ahead = grown
        else:
            behind = grown
    # Pair the colourings of both ends, state by state.
    across, joins = np.empty((2, _WIDEST * _WIDEST), np.int64), 0
    for a in range(width[0]):
        v = boundary[0, a]
        for e in range(graph.starts[v], graph.starts[v + 1]):
            for b in range(width[1]):
                if boundary[1, b] == graph.ends[e]:
                    across[0, joins], across[1, joins] = a, b
                    joins += 1
    count, twins = 0, shares[0] == shares[1]
    one, of_one = _arranged(ahead)
    other, of_other = _arranged(behind)
    for s in range(len(of_one) - 1):
        for t in range(len(of_other) - 1):
            if flag[0]:
                return _UNKNOWN, cuts[:0]
            begin, q = of_other[t], of_other[t + 1] - 1
            codes = one.codes[of_one[s]], other.codes[begin]
            widths = width[0], width[1]
            ones = _joined(codes, widths, across[:, :joins], pieces)
            if ones == 0:
                continue
            for p in range(of_one[s], of_one[s + 1]):
                mass = one.masses[p]
                while q >= begin and mass + other.masses[q] > high:
                    q -= 1
                if twins and ones == 1 and one.bits[p] & 1:
                    continue
                r = q
                while r >= begin and mass + other.masses[r] >= low:
                    if count == len(cuts):
                        cuts = longer(cuts, 2 * count)
                    cuts[count] = one.bits[p] | other.bits[r]
                    count, r = count + 1, r - 1
                    if count == wanted:
                        return _UNKNOWN, cuts[:count]
    return _NONE, cuts[:count]


@compiled
def _grown(
    end: _End,
    slots: tuple[IntArray, IntArray, IntArray],  # the boundary with the new node, as
    # the last; 1 for those beside it; and the slots that stay
    limits: tuple[tuple[int, int], tuple[int, int], tuple[int, int], int, int],
    graph: Graph,
    place: IntArray,
) -> _End:
    """Return the colourings with a node more; or one too many of them.

    The limits are those of side 0, the weight so far and in all, the limits of a part,
    the pieces of side 1, and the room.
    """
    (low, high), (coloured, total), (least, heaviest), pieces, room = limits
    was, beside, stay = slots
    most = min(2 * len(end.codes), room + 1)
    codes, masses = np.empty(most, np.int64), np.empty(most, np.int64)
    bits, queue = np.empty(most, np.int64), np.empty(_MOST_NODES, np.int64)
    held, known = np.empty(_WIDEST + 1, np.int64), np.empty(32, np.int64)
    before, count, node = len(beside), 0, was[len(beside)]
    for i in range(len(end.codes)):
        for colour in range(2):
            mass = end.masses[i] + (graph.weights[node] if colour == 0 else 0)
            zeros, ones = end.codes[i] >> 60 & 1, end.codes[i] >> 61
            full = zeros == 1 if colour == 0 else ones == pieces
            if mass > high or coloured - mass > total - low or full or count == most:
                continue
            # The node joins the pieces of its colour beside it.
            new = 30 + colour
            for slot in range(before):
                held[slot] = end.codes[i] >> 5 * slot & 31
            held[before] = new
            for slot in range(before):
                old = held[slot]
                if beside[slot] and old & 1 == colour and old != new:
                    for also in range(before):
                        if held[also] == old:
                            held[also] = new
            # Number the pieces anew; those without a slot are complete.
            known[:] = -1
            code, numbers, seen = 0, 0, 0
            for slot in range(len(stay)):
                old = held[stay[slot]]
                if known[old] < 0:
                    known[old] = 2 * numbers + (old & 1)
                    numbers += 1
                code |= known[old] << 5 * slot
                seen |= 1 << (old & 1)
            colours, good = end.bits[i] | colour << place[node], True
            for slot in range(before + 1):
                old = held[slot]
                if known[old] >= 0:
                    continue
                known[old] = 0
                zeros, ones = zeros + 1 - (old & 1), ones + (old & 1)
                if old & 1 and pieces > 1 and good:
                    # It is a part beside another, or all of side 1.
                    _, piece = _piece(was[slot], colours, graph, place, queue)
                    if not least <= piece <= heaviest:
                        good = piece == coloured - mass
                        ones = pieces
            good &= zeros + (seen & 1) <= 1 and ones + (seen >> 1) <= pieces
            good &= zeros == 0 or mass >= low
            if good and (ones < pieces or coloured - mass >= total - high):
                codes[count], masses[count] = code | zeros << 60 | ones << 61, mass
                bits[count] = colours
                count += 1
    return _End(codes[:count], masses[:count], bits[:count])


@compiled
def _arranged(end: _End) -> tuple[_End, IntArray]:
    """Return the colourings by codes and weights, and where each code starts."""
    order = np.argsort(end.masses)
    order = order[np.argsort(end.codes[order], kind="mergesort")]
    codes, starts, count = end.codes[order], np.empty(len(order) + 1, np.int64), 0
    for i in range(len(order)):
        if i == 0 or codes[i] != codes[i - 1]:
            starts[count] = i
            count += 1
    starts[count] = len(order)
    return _End(codes, end.masses[order], end.bits[order]), starts[: count + 1]


@compiled
def _joined(
    codes: tuple[int, int], widths: tuple[int, int], across: IntArray, pieces: int
) -> int:
    """Return how many pieces colour 1 has, given those of both ends and what joins.

    0 if they are too many, or colour 0 has not exactly one.
    """
    held, above = np.empty((2, _WIDEST), np.int64), np.full(64, -1, np.int64)
    zeros = (codes[0] >> 60 & 1) + (codes[1] >> 60 & 1)
    ones = (codes[0] >> 61) + (codes[1] >> 61)
    for end in range(2):
        for slot in range(widths[end]):
            code = (codes[end] >> 5 * slot & 31) + 32 * end
            held[end, slot] = code
            if above[code] < 0:
                above[code] = code
                zeros, ones = zeros + 1 - (code & 1), ones + (code & 1)
    for i in range(across.shape[1]):
        a, b = held[0, across[0, i]], held[1, across[1, i]]
        if (a ^ b) & 1:
            continue
        while above[a] != a:
            a = above[a]
        while above[b] != b:
            b = above[b]
        if a != b:
            above[a] = b
            zeros, ones = zeros - 1 + (a & 1), ones - (a & 1)
    return ones if zeros == 1 and ones <= pieces else 0
