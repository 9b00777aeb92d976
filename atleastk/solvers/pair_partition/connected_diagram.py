"""Pair partition: all connected groups as a decision diagram along a small boundary.

Items are taken one by one. The *boundary* are the items taken that have neighbours
still to come. A state says which of them are in the group, which of those are in the
same piece of it so far, and how many items it has, up to k: that decides how the group
may go on. So all connected groups of k items or more are the ways through one diagram,
which is built once; each goes to a last state when its last piece leaves the boundary.
Every pair that a group pays for has one item taken while the other is in the boundary,
so that costs are those of steps.

With weights, the least reduced cost of a way on from every state takes one sweep over
the diagram, and groups up to a limit are found without dead ends. There are at most
exponentially many states in the boundary: trees, narrow grids, maps of some 100 nodes.

References
----------
[Kawahara19] J. Kawahara, T. Horiyama, K. Hotta, S. Minato, "Generating all patterns of
graph partitions within a disparity bound", WALCOM 2017.
"""

from __future__ import annotations

from math import factorial
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.memory import Memory, place_of
from atleastk.solvers.engine.boundary import order_of, steps_of
from atleastk.solvers.pair_partition.searched import (
    Asked,
    Costs,
    Found,
    is_admissible,
    keep,
)

_BYTES: Final = 64
"""Bytes of a state, with what building it takes."""

_MOST_STATES: Final = 4_000_000
"""States of a diagram. Not tuned."""

_DEAD: Final = -1
_DONE: Final = -2
"""In place of a next state: no group goes on so; a group is whole."""

_NEVER: Final = 2**62
"""Above every reduced cost."""


class Diagram(NamedTuple):
    """States of all steps, those of a step one after the other.

    The first state of a step is that of nothing taken so far.
    """

    order: IntArray  # [step]: items
    starts: IntArray  # [step]: the first state
    without: IntArray  # [state]: the state after leaving the item out
    taking: IntArray  # [state]: the state after taking it
    pays: IntArray  # [state]: for the item's pairs with the group


def diagram_of(costs: Costs, budget: Budget) -> Diagram | None:
    """Return the diagram of connected groups, None if it has too many states."""
    neighbours = [np.flatnonzero(row).tolist() for row in costs.adjacent]
    room = int(min(_MOST_STATES, budget.memory / _BYTES))
    order = order_of(neighbours)
    steps = list(steps_of(neighbours, order))
    widest = max((len(step.stay) for step in steps), default=0)
    many = 2**widest > room or factorial(widest + 1) * (costs.least + 1) > _NEVER
    if many or not steps:
        return None
    names = np.zeros(1, dtype=np.int64)
    layers: list[tuple[IntArray, IntArray, IntArray]] = []
    starts = [0]
    boundary: list[int] = []
    for step in steps:
        layer = _Layer(
            names,
            np.isin(np.arange(len(boundary)), step.beside),
            costs.matrix[step.node, boundary],
            np.array(step.stay, dtype=np.int64),
        )
        memory = Memory.of(1 << (4 * len(names)).bit_length(), 1)
        names, without, taking, pays = _after(layer, costs.least, memory)
        starts.append(starts[-1] + len(without))
        if starts[-1] + len(names) > room or budget.spent:
            return None
        for states in (without, taking):
            states[states >= 0] += starts[-1]
        layers.append((without, taking, pays))
        wider = [*boundary, step.node]
        boundary = [wider[place] for place in step.stay]
    without, taking, pays = map(np.concatenate, zip(*layers, strict=True))
    without[starts[-2]] = _DEAD  # nothing was taken at all
    return Diagram(np.array(order), np.array(starts[:-1]), without, taking, pays)


class _Layer(NamedTuple):
    """The states of a step, and what it does."""

    names: IntArray  # [state]
    beside: BoolArray  # [place in the boundary]: whether the item has a pair there
    matrix: IntArray  # [place]: what that pair costs
    stay: IntArray  # [place after]: which places stay


@compiled
def _after(
    layer: _Layer, k: int, memory: Memory
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the names of the next states, and of each state what follows it.

    A name has the pieces of all places, 0 for what is not taken, numbered as they come,
    in mixed radix, and then the number of items, up to k.
    """
    count, places = len(layer.names), len(layer.beside)
    without = np.empty(count, dtype=np.int64)
    taking = np.empty(count, dtype=np.int64)
    pays = np.zeros(count, dtype=np.int64)
    pieces = np.zeros(places + 1, dtype=np.int64)
    numbers = np.zeros(places + 3, dtype=np.int64)
    fresh, key = np.empty(2 * count, dtype=np.int64), np.zeros(1, dtype=np.int64)
    known = 0
    new = places + 2  # the piece of the item
    for state in range(count):
        for taken in range(2):
            name = layer.names[state]
            for place in range(places):
                pieces[place] = name % (place + 2)
                name //= place + 2
            items, pieces[places] = name, 0
            if taken == 1:
                # The item joins all pieces beside it.
                items, pieces[places] = min(k, items + 1), new
                for place in range(places):
                    piece = pieces[place]
                    if not layer.beside[place] or piece == 0:
                        continue
                    pays[state] += layer.matrix[place]
                    if piece != new:
                        for other in range(places):
                            if pieces[other] == piece:
                                pieces[other] = new
            after = _follow(layer.stay, pieces, places + 1, numbers, items, k)
            if after >= 0:
                key[0] = after
                at = place_of(key, memory)
                if memory.numbers[at] < 0:
                    memory.keys[at, 0], memory.numbers[at] = after, known
                    fresh[known] = after
                    known += 1
                after = memory.numbers[at]
            if taken == 1:
                taking[state] = after
            else:
                without[state] = after
    return fresh[:known].copy(), without, taking, pays


@inlined
def _follow(
    stay: IntArray,
    pieces: IntArray,
    places: int,
    numbers: IntArray,
    items: int,
    k: int,
) -> int:
    """Return the name of a state after some places have left, or what it ends in."""
    numbers[:] = 0
    count = 0
    for place in stay:
        piece = pieces[place]
        if piece > 0 and numbers[piece] == 0:
            count += 1
            numbers[piece] = count
    # A piece without a place is a whole group, or never joined to the others.
    closed = 0
    for place in range(places):
        piece = pieces[place]
        if piece > 0 and numbers[piece] == 0:
            numbers[piece] = -1
            closed += 1
    if closed > 0:
        return _DONE if closed == 1 and count == 0 and items >= k else _DEAD
    name = items
    for after in range(len(stay) - 1, -1, -1):
        name = name * (after + 2) + numbers[pieces[stay[after]]]
    return name


@compiled
def ways_on(diagram: Diagram, asked: Asked) -> IntArray:
    """Return by state the least reduced cost of a way to the end, but for triples."""
    least = np.empty(len(diagram.without), dtype=np.int64)
    end = len(least)
    for step in range(len(diagram.order) - 1, -1, -1):
        weight = asked.weights[diagram.order[step]]
        for state in range(diagram.starts[step], end):
            on = _way(diagram.without[state], least)
            taking = _way(diagram.taking[state], least)
            if taking < _NEVER:
                taking += asked.scale * diagram.pays[state] - weight
            least[state] = min(on, taking)
        end = diagram.starts[step]
    return least


@inlined
def _way(state: int, least: IntArray) -> int:
    end = 0 if state == _DONE else _NEVER
    return int(least[state]) if state >= 0 else end


class _Way(NamedTuple):
    """By step, the state that is left there and what is decided."""

    state: IntArray  # [step]
    paid: IntArray  # [step]: the reduced cost before it
    tried: IntArray  # [step]: ways that were gone, 0 to 2
    taken: BoolArray  # [step]


@compiled
def search(
    diagram: Diagram,
    costs: Costs,
    asked: Asked,
    effort: int,
    found: Found,
    least: IntArray,
    flag: ByteArray,
) -> int:
    """Fill `found` and `least`; return the number of groups, -1 if that is too much.

    From each first item the better way on is gone first.
    """
    n, on = len(diagram.order), ways_on(diagram, asked)
    way = _Way(
        np.zeros(n + 1, dtype=np.int64),
        np.zeros(n + 1, dtype=np.int64),
        np.zeros(n + 1, dtype=np.int64),
        np.zeros(n + 1, dtype=np.bool_),
    )
    firsts, of_item = _triples_by_item(asked.triples, n)
    has = np.zeros(len(asked.of_triples), dtype=np.int64)  # by triple: items taken
    stack = np.zeros(n + 1, dtype=np.int64)
    counted = np.zeros(n, dtype=np.int64)
    count = 0
    for first in range(n):
        held, looked, step = 0, 0, first
        best, bound = asked.spare + 1, _NEVER
        way.state[step], way.paid[step] = diagram.starts[first], asked.group
        way.tried[step], way.taken[step] = 1, False  # the first item is taken
        while step >= first:
            item = diagram.order[step]
            if way.taken[step]:
                # Back from taking the item.
                way.taken[step] = False
                held -= 1
                for t in of_item[firsts[item] : firsts[item + 1]]:
                    has[t] -= 1
            if way.tried[step] == 2:
                step -= 1
                continue
            # Which way is next, and how good can it get?
            state = way.state[step]
            taking = diagram.taking[state], diagram.without[state]
            weight = asked.scale * diagram.pays[state] - asked.weights[item]
            takes = step == first or _sooner(on, taking, weight) == (
                way.tried[step] == 0
            )
            way.tried[step] += 1
            after = taking[0] if takes else taking[1]
            paid = way.paid[step] + (weight if takes else 0)
            if takes:
                for t in of_item[firsts[item] : firsts[item + 1]]:
                    if has[t] == 1:
                        paid += asked.of_triples[t]
            low = _way(after, on)
            if low >= _NEVER or paid + low >= best:
                continue
            if takes and _is_apart(costs.apart, item, stack[:held]):
                continue
            if looked > effort:
                bound = min(bound, paid + low)
                continue
            looked += 1
            if flag[0] != 0:
                return -1
            if takes:
                way.taken[step] = True
                stack[held] = item
                held += 1
                for t in of_item[firsts[item] : firsts[item + 1]]:
                    has[t] += 1
            if after >= 0:
                step += 1
                way.state[step], way.paid[step] = after, paid
                way.tried[step], way.taken[step] = 0, False
                continue
            # A group: is it wanted?
            if held <= costs.most and is_admissible(costs, stack, held, counted):
                count = keep(found, count, stack, held, paid)
                if count < 0:
                    return -1
                if asked.only_better:
                    best = paid
        least[diagram.order[first]] = min(best, bound) if asked.only_better else bound
    return count


@inlined
def _sooner(on: IntArray, after: tuple[int, int], weight: int) -> bool:
    """Return whether taking an item leads to the better groups."""
    taking = _way(after[0], on)
    return taking < _NEVER and taking + weight <= _way(after[1], on)


@inlined
def _is_apart(apart: BoolArray, item: int, others: IntArray) -> bool:
    """Return whether an item must not be in a group with some other one."""
    banned = False
    for other in others:
        banned |= apart[item, other]
    return banned


@inlined
def _triples_by_item(triples: IntArray, n: int) -> tuple[IntArray, IntArray]:
    """Return the triples of every item, one item after the other."""
    firsts = np.zeros(n + 2, dtype=np.int64)
    for t in range(len(triples)):
        for p in range(3):
            firsts[triples[t, p] + 2] += 1
    firsts = np.cumsum(firsts)
    of_item = np.empty(3 * len(triples), dtype=np.int64)
    for t in range(len(triples)):
        for p in range(3):
            item = triples[t, p] + 1
            of_item[firsts[item]] = t
            firsts[item] += 1
    return firsts, of_item
