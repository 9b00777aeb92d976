"""All cuts of a small map in two, by meeting in the middle.

Nodes are coloured from both ends of an order towards the middle, 0 on one side of a cut
and 1 on the other. The rest sees of a colouring its weight, the colours of its boundary
and which nodes there are joined. What the boundary has left behind is complete: a side
has one such piece only. So the two ends have some million colourings, where the map has
2^60. They are held by what the rest sees and by weight, and are paired where they join
to connected sides: pairs that add up to no weight of a window are not looked at.

An *ear* is a part that leaves the other nodes connected. Two parts are such a cut. Let
two parts of more be beside each other, and let what they leave be connected, too. One
of the two touches that, so the other is an ear. Hence

- three parts are an ear and two others beside each other, one of which is an ear;
- four parts are twice two beside each other, with an ear each; or three that touch
  nothing but the fourth.

So all ears are listed, and all sides of two parts. Which ears are within which sides is
found node by node: both lists are in order, and those that agree so far are runs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.arrays import longer
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import arrange, number
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph
from atleastk.solvers.engine.boundary import order_of
from atleastk.solvers.engine.decision import Decision

_MOST_PARTS: Final = 4
"""Parts of which two are beside each other, and the others are, or touch only these."""

_WORD: Final = 62
"""Nodes whose colours fit a word: each end has one."""

_GREATEST: Final = 2**60
"""The weight in all up to which that of four parts fits."""

_WIDEST: Final = 12
"""Nodes of a boundary: 5 bits for each, and 3 for what is complete, fit a word."""

_ROOM: Final = 2**24
"""Colourings of an end, and cuts, at most: a gigabyte in all; not tuned."""

_BYTES: Final = 80
"""Bytes of a colouring, about."""

_FEW: Final = 32
"""Pairs of a side and an ear that are compared at once; not tuned."""


class _End(NamedTuple):
    """All colourings of the nodes at one end of an order."""

    codes: IntArray  # [state], ascending: for each slot of the boundary 5 bits, its
    # colour and twice the number of its piece; then the complete pieces of colour 0,
    # those of 1
    starts: IntArray  # [state + 1]: its colourings are ``starts[s]:starts[s + 1]``
    masses: IntArray  # [colouring]: the weight of colour 0, ascending in a state
    bits: IntArray  # [colouring]: the nodes of colour 1


class _Wanted(NamedTuple):
    """The cuts that are listed."""

    total: int  # the weight of all
    low: int  # the least weight of side 0
    high: int  # and the greatest
    least: int  # the least weight of a piece of side 1, if there are several
    most: int  # and the greatest
    pieces: int  # how many pieces side 1 has
    twins: bool  # whether a cut may be listed with its sides in one order only
    enough: int  # how many cuts are enough
    room: int  # colourings of an end at most


def decide_by_meeting(
    component: Component, window: Window, budget: Budget, room: int | None = None
) -> Decision[list[list[int]]]:
    """Decide whether there is a partition into parts of a window, ``1 <= least``.

    Unknown for others than 2 to 4 parts, or if there are too many colourings: `_ROOM`
    if None.
    """
    (n, total), parts = (component.n, component.total), window.parts
    if n < parts or not window.admits(total):
        return Decision.impossible()
    if not 2 <= parts <= _MOST_PARTS or n > 2 * _WORD or total > _GREATEST:
        return Decision.unknown()
    room = int(min(room or _ROOM, budget.memory / _BYTES))
    with budget.flagging() as flag:
        found = _Sides(component, window, room, flag).parts()
    if found is None:
        return Decision.unknown()
    return Decision.of(found) if found else Decision.impossible()


class _Sides:
    """The sides of the cuts of a map: rows of two words, the last node lowest."""

    def __init__(
        self, component: Component, window: Window, room: int, flag: ByteArray
    ) -> None:
        self._component, self._room, self._flag = component, room, flag
        self._parts = window.parts
        self._ends = window.least, min(window.most, component.total)
        self._order = np.array(order_of(component.neighbours), dtype=np.int64)
        bits = 2**component.n - 1
        self._whole = np.array([bits >> _WORD, bits % 2**_WORD], dtype=np.int64)

    def parts(self) -> list[list[int]] | None:
        """Return parts; an empty list if there are none, None if that is unknown."""
        whole, parts = self._whole, self._parts
        others = self._cuts(1, 1, 1 if parts == 2 else self._room)
        if others is None or not len(others):
            return None if others is None else []
        if parts == 2:
            return self._nodes(others[0] ^ whole, others[0])
        ears = _sorted(others ^ whole)
        sides = others if parts == 3 else self._cuts(2, 1, self._room)
        if sides is None:
            return None
        if parts == 4:
            large = 2 * np.bitwise_count(sides).sum(axis=1) > len(self._order)
            sides[large] ^= whole
        sides, first = self._with_ears(sides, ears)
        if parts == 3:
            for side, ear in zip(sides, first, strict=True):
                return self._nodes(side ^ whole, ear, side ^ ear)
            return self._none()
        rests, second = self._with_ears(sides ^ whole, ears)
        for rest, ear in zip(rests, second, strict=True):
            at = (sides == rest ^ whole).all(axis=1).argmax()
            return self._nodes(first[at], sides[at] ^ first[at], ear, rest ^ ear)
        stars = self._cuts(1, 3, self._room)
        if stars is None:
            return None
        three = _three_of(self._component.graph, self._order, stars, self._ends)
        for a, b, c in three:
            return self._nodes(whole ^ a ^ b ^ c, a, b, c)
        return self._none()

    def _none(self) -> list[list[int]] | None:
        """Return that there are no parts, if nothing was left out."""
        return None if self._flag[0] else []

    def _cuts(self, mine: int, pieces: int, enough: int) -> IntArray | None:
        """Return side 1, of so many pieces, of all cuts; side 0 is so many parts.

        None if they are more than they may be.
        """
        (least, most), others = self._ends, self._parts - mine
        total = self._component.total
        low = max(mine * least, total - others * most)
        high = min(mine * most, total - others * least)
        twins = mine == others
        wanted = _Wanted(
            total, low, high, least, most, pieces, twins, enough, self._room
        )
        graph, order = self._component.graph, self._order
        complete, cuts = _cuts(graph, order, wanted, self._flag)
        return cuts.reshape(-1, 2) if complete else None

    def _with_ears(self, sides: IntArray, ears: IntArray) -> tuple[IntArray, IntArray]:
        """Return the sides that an ear leaves a part of, with one each."""
        sides = _sorted(sides)
        graph, order = self._component.graph, self._order
        found = _ears_of(graph, order, sides, ears, self._ends, self._flag)
        return sides[found >= 0], ears[found[found >= 0]]

    def _nodes(self, *sides: IntArray) -> list[list[int]]:
        """Return the nodes of sides."""
        return [
            sorted(
                int(v)
                for i, v in enumerate(self._order[::-1])
                if side[1 - i // _WORD] >> i % _WORD & 1
            )
            for side in sides
        ]


def _sorted(sides: IntArray) -> IntArray:
    """Return sides in order."""
    return sides[np.lexsort(sides.T[::-1])]


@inlined
def _has(high: int, low: int, i: int) -> int:
    """Return the bit of a node of a side."""
    return low >> i & 1 if i < _WORD else high >> i - _WORD & 1


@inlined
def _places(order: IntArray, nodes: int) -> IntArray:
    """Return the bit of every node."""
    at = np.empty(nodes, np.int64)
    for i in range(len(order)):
        at[order[i]] = len(order) - 1 - i
    return at


@inlined
def _piece(
    first: int, side: tuple[int, int], graph: Graph, at: IntArray, queue: IntArray
) -> tuple[tuple[int, int], int]:
    """Return what a node of a side is joined to there, and what that weighs."""
    high, low, mass, head, tail = side[0], side[1], 0, 0, 1
    queue[0] = first
    if at[first] < _WORD:
        low ^= 1 << at[first]
    else:
        high ^= 1 << at[first] - _WORD
    while head < tail:
        v = queue[head]
        head += 1
        mass += graph.weights[v]
        for e in range(graph.starts[v], graph.starts[v + 1]):
            u = graph.ends[e]
            if _has(high, low, at[u]):
                if at[u] < _WORD:
                    low ^= 1 << at[u]
                else:
                    high ^= 1 << at[u] - _WORD
                queue[tail] = u
                tail += 1
    return (side[0] ^ high, side[1] ^ low), mass


@inlined
def _first(side: tuple[int, int], order: IntArray) -> int:
    """Return the last node in order of a side that is not empty."""
    i = 0
    while not _has(side[0], side[1], i):
        i += 1
    return int(order[len(order) - 1 - i])


@compiled
def _ears_of(
    graph: Graph,
    order: IntArray,
    sides: IntArray,  # [side, 2], in order
    ears: IntArray,  # [ear, 2], in order
    ends: tuple[int, int],
    flag: ByteArray,
) -> IntArray:
    """Return for every side an ear within it that leaves it a part, or -1."""
    size, found = len(order), np.full(len(sides), -1, np.int64)
    at, queue = _places(order, len(graph.weights)), np.empty(size, np.int64)
    # Runs of ears and of sides, and the bit above which each is the same in all.
    stack, count = np.empty((5, 2 * size + 3), np.int64), 1
    stack[:, 0] = 0, len(ears), 0, len(sides), size
    while count and not flag[0]:
        count -= 1
        e, ears_end, s, sides_end, i = stack[:, count]
        if e == ears_end or s == sides_end:
            continue
        if (ears_end - e) * (sides_end - s) > _FEW and i > 0:
            i -= 1
            ear, side = (
                _with_bit(ears, e, ears_end, i),
                _with_bit(sides, s, sides_end, i),
            )
            stack[:, count] = e, ear, s, side, i
            stack[:, count + 1] = e, ear, side, sides_end, i
            stack[:, count + 2] = ear, ears_end, side, sides_end, i
            count += 3
            continue
        for t in range(s, sides_end):
            high, low = sides[t, 0], sides[t, 1]
            for f in range(e, ears_end):
                if ears[f, 0] & ~high or ears[f, 1] & ~low or found[t] >= 0:
                    continue
                rest = high ^ ears[f, 0], low ^ ears[f, 1]
                if rest[0] == 0 and rest[1] == 0:
                    continue
                piece, mass = _piece(_first(rest, order), rest, graph, at, queue)
                if piece == rest and ends[0] <= mass <= ends[1]:
                    found[t] = f
    return found


@inlined
def _with_bit(sides: IntArray, begin: int, end: int, i: int) -> int:
    """Return where those with a bit begin, of a run that agrees in all above it."""
    while begin < end:
        middle = (begin + end) // 2
        if _has(sides[middle, 0], sides[middle, 1], i):
            end = middle
        else:
            begin = middle + 1
    return begin


@compiled
def _three_of(
    graph: Graph, order: IntArray, stars: IntArray, ends: tuple[int, int]
) -> IntArray:
    """Return the first three pieces of a side that are parts each, if there are any."""
    at, queue = _places(order, len(graph.weights)), np.empty(len(order), np.int64)
    three = np.empty((1, 3, 2), np.int64)
    for s in range(len(stars)):
        left = stars[s, 0], stars[s, 1]
        for i in range(3):
            piece, mass = _piece(_first(left, order), left, graph, at, queue)
            if not ends[0] <= mass <= ends[1]:
                break
            three[0, i, 0], three[0, i, 1] = piece
            left = left[0] ^ piece[0], left[1] ^ piece[1]
        else:
            return three
    return three[:0]


@compiled
def _cuts(
    graph: Graph, order: IntArray, wanted: _Wanted, flag: ByteArray
) -> tuple[bool, IntArray]:
    """Return whether the cuts are all that were wanted, and side 1 of each.

    A side is two words, one after the other.
    """
    size, nodes = len(order), len(graph.weights)
    none, shift = np.empty(0, np.int64), max(0, size - _WORD)
    # For each end: its boundary and how many nodes that is, the nodes and the weight so
    # far, and the neighbours that every node has left.
    at, left = _places(order, nodes), np.zeros((2, nodes), np.int64)
    boundary, width = np.zeros((2, _WIDEST + 1), np.int64), np.zeros(2, np.int64)
    done, coloured = np.zeros(2, np.int64), np.zeros(2, np.int64)
    beside, stay = np.zeros(_WIDEST + 1, np.int64), np.zeros(_WIDEST + 1, np.int64)
    for v in range(nodes):
        left[:, v] = graph.starts[v + 1] - graph.starts[v]
    zero = np.zeros(1, np.int64)
    ahead = behind = _End(zero, np.array([0, 1]), zero, zero)
    while done.sum() < size:
        end = number(0) if len(ahead.masses) <= len(behind.masses) else number(1)
        if done[end] == _WORD:
            end = 1 - end
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
            return False, none
        width[end] = wide
        slots = was[: before + 1], beside[:before], stay[:wide]
        single = wanted.twins and v == order[0]
        where = coloured[end], shift if end == 0 else number(0), single
        fits, grown = _grown(
            ahead if end == 0 else behind, slots, where, wanted, graph, at
        )
        if flag[0] or not fits:
            return False, none
        if end == 0:
            ahead = grown
        else:
            behind = grown
    # Pair the colourings of both ends, state by state.
    across, edges = np.empty((2, _WIDEST * _WIDEST), np.int64), 0
    for a in range(width[0]):
        v = boundary[0, a]
        for e in range(graph.starts[v], graph.starts[v + 1]):
            for b in range(width[1]):
                if boundary[1, b] == graph.ends[e]:
                    across[0, edges], across[1, edges] = a, b
                    edges += 1
    cuts, count, kept = np.empty(128, np.int64), 0, _WORD - shift
    held, above = np.empty((2, _WIDEST), np.int64), np.empty(64, np.int64)
    for s in range(len(ahead.codes)):
        for t in range(len(behind.codes)):
            codes = ahead.codes[s], behind.codes[t]
            joins = across[:, :edges]
            if flag[0]:
                return False, none
            if not _joins(codes, width, joins, wanted.pieces, held, above):
                continue
            fewer, more, a, b = ahead, behind, s, t
            begin, q = behind.starts[t], behind.starts[t + 1]
            turned = ahead.starts[s + 1] - ahead.starts[s] > q - begin
            if turned:
                fewer, more, a, b = behind, ahead, t, s
                begin, q = ahead.starts[s], ahead.starts[s + 1]
            for p in range(fewer.starts[a], fewer.starts[a + 1]):
                mass = fewer.masses[p]
                q = _end_below(more.masses, begin, q, wanted.high - mass)
                r = q - 1
                while r >= begin and mass + more.masses[r] >= wanted.low:
                    if 2 * count == len(cuts):
                        cuts = longer(cuts, 4 * count)
                    one, other = fewer.bits[p], more.bits[r]
                    if turned:
                        one, other = other, one
                    cuts[2 * count] = one >> kept
                    cuts[2 * count + 1] = (one & (1 << kept) - 1) << shift | other
                    count, r = count + 1, r - 1
                    if count == wanted.enough:
                        return count == 1, cuts[: 2 * count]
    return True, cuts[: 2 * count]


@inlined
def _end_below(masses: IntArray, begin: int, end: int, most: int) -> int:
    """Return where a run ends that is not too heavy: soon, if near its end."""
    step = 1
    while end - step >= begin and masses[end - step] > most:
        end -= step
        step *= 2
    low = max(begin, end - step)
    while low < end:
        middle = (low + end) // 2
        if masses[middle] > most:
            end = middle
        else:
            low = middle + 1
    return end


@compiled
def _grown(
    end: _End,
    slots: tuple[IntArray, IntArray, IntArray],  # the boundary with the new node, as
    # the last; 1 for those beside it; and the slots that stay
    where: tuple[int, int, bool],  # the weight so far, what bits are shifted by, and
    # whether the node has to be of colour 0
    wanted: _Wanted,
    graph: Graph,
    at: IntArray,
) -> tuple[bool, _End]:
    """Return the colourings with a node more, and whether they are not too many."""
    (was, beside, stay), (coloured, shift, single) = slots, where
    before, most, pieces = len(beside), 2 * len(end.codes), wanted.pieces
    node, kept = was[len(beside)], _WORD - shift
    # What becomes of the colourings of a state: those of a run stay, and have a code.
    codes, found, runs = np.empty(most, np.int64), 0, np.empty((4, most), np.int64)
    held, known = np.empty(_WIDEST + 1, np.int64), np.empty(32, np.int64)
    count = longest = 0
    for s in range(len(end.codes)):
        for colour in range(1 if single else 2):
            zeros, ones = end.codes[s] >> 60 & 1, end.codes[s] >> 61
            if zeros == 1 if colour == 0 else ones == pieces:
                continue
            # The node joins the pieces of its colour beside it.
            new = 30 + colour
            for slot in range(before):
                held[slot] = end.codes[s] >> 5 * slot & 31
            held[before] = new
            for slot in range(before):
                old = held[slot]
                if beside[slot] and old & 1 == colour and old != new:
                    for also in range(before):
                        if held[also] == old:
                            held[also] = new
            # Number the pieces anew; those without a slot are complete.
            known[:] = -1
            code, numbers, seen, closed = 0, 0, 0, 0
            for slot in range(len(stay)):
                old = held[stay[slot]]
                if known[old] < 0:
                    known[old] = 2 * numbers + (old & 1)
                    numbers += 1
                code |= known[old] << 5 * slot
                seen |= 1 << (old & 1)
            for slot in range(before + 1):
                old = held[slot]
                if known[old] < 0:
                    known[old] = 0
                    zeros, ones = zeros + 1 - (old & 1), ones + (old & 1)
                    closed |= (old & 1) << slot
            if zeros + (seen & 1) > 1 or ones + (seen >> 1) > pieces:
                continue
            low, high = coloured - wanted.total + wanted.low, wanted.high
            if zeros == 1:
                low = max(low, wanted.low)
            if ones == pieces:
                high = min(high, coloured - wanted.total + wanted.high)
            add = graph.weights[node] if colour == 0 else 0
            first, last = end.starts[s], end.starts[s + 1]
            last = _end_below(end.masses, first, last, high - add)
            first = _end_below(end.masses, first, last, low - add - 1)
            if first < last:
                codes[found] = code | zeros << 60 | ones << 61
                runs[:, found] = first, last, colour, closed if pieces > 1 else 0
                found, count = found + 1, count + last - first
                longest = max(longest, last - first)
    if count > wanted.room:
        return False, end
    # Merge the runs of every new state.
    order, states, filled = np.arange(found), 0, 0
    arrange(order, codes, found)
    starts, queue = np.empty(found + 1, np.int64), np.empty(len(at), np.int64)
    masses, bits = np.empty(count, np.int64), np.empty(count, np.int64)
    run, marks = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for t in range(found):
        first, last, colour, closed = runs[:, order[t]]
        if states == 0 or codes[states - 1] != codes[t]:
            codes[states], starts[states] = codes[t], filled
            states += 1
        length, new = 0, colour << at[node] - shift
        for i in range(first, last):
            run[length] = end.masses[i] + (1 - colour) * graph.weights[node]
            marks[length] = end.bits[i] | new
            good = True
            for slot in range(before + 1 if closed else 0):
                if closed >> slot & 1:
                    bit = marks[length]
                    side = bit >> kept, (bit & (1 << kept) - 1) << shift
                    _, mass = _piece(was[slot], side, graph, at, queue)
                    good &= wanted.least <= mass <= wanted.most
            length += good
        i, filled = filled - 1, filled + length
        for j in range(filled - 1, starts[states - 1] - 1, -1):
            if length and (i < starts[states - 1] or masses[i] <= run[length - 1]):
                length -= 1
                masses[j], bits[j] = run[length], marks[length]
            elif length:
                masses[j], bits[j] = masses[i], bits[i]
                i -= 1
    starts[states] = filled
    return True, _End(
        codes[:states], starts[: states + 1], masses[:filled], bits[:filled]
    )


@inlined
def _joins(
    codes: tuple[int, int],
    widths: IntArray,
    across: IntArray,
    pieces: int,
    held: IntArray,  # [end, slot]: memory
    above: IntArray,  # [piece]: memory
) -> bool:
    """Return whether ends join to one piece of colour 0, and so many of colour 1."""
    above[:] = -1
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
    return bool(zeros == 1 and ones == pieces)
