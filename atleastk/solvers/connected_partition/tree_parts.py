"""Parts cut from one spanning tree, for maps of any size.

A depth-first search that goes on to the neighbour with the fewest new neighbours is
nearly a path. From the leaves on, every node knows what the piece of its part at and
below it may weigh, if all parts below are within a window: a set of numbers, which are
bits. What a child adds to these is one of its own numbers, or nothing if it may be cut
off. So parts within a window are found whenever the tree has any. Where a node has no
number left its piece weighs the least that is possible, and is a part that is too
heavy: few are, and moves mend them (:mod:`~atleastk.solvers.connected_partition.
annealing`). O(n) for each window, some nanoseconds a node.

Where a level has more units than there are bits, units are larger. Weights are rounded
so that they add up along the search; parts are runs of it, nearly, so they weigh what
they should within few units. One that is too light joins the lightest beside it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import IntArray, WordArray
from atleastk.solvers.compiled.bits import NONE, ONE, lowest
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.connected_partition.algorithms.tree_cuts import roots
from atleastk.solvers.connected_partition.component import Component

_WORDS: Final = 4
"""Words of a set of weights."""

_UNITS: Final = 32 * _WORDS - 2
"""Units of a level, at most: twice as many, and some, fit into a set."""

_STEPS: Final = 64
"""Widths of windows, up to k, that are told apart: not tuned."""

_SAMPLE: Final = 300_000
"""Nodes, the first ones, that the width is right for; more if parts are large: not
tuned."""

_SPARED: Final = 100
"""Parts for each of which one node may have no number: not tuned."""


class _Tree(NamedTuple):
    """A spanning forest by the places of nodes in a depth-first search."""

    above: IntArray  # [place]: the place of the parent; of a root its own
    sums: IntArray  # [place + 1]: what all nodes before a place weigh


class _Sets(NamedTuple):
    """What pieces may weigh, in units: bits of words."""

    units: IntArray  # [place]: the weight of every node
    piece: WordArray  # [place, word]: what the piece at and below a node may weigh
    before: WordArray  # [place, word]: the same of its parent, without this child
    window: WordArray  # [word]: what a part should weigh


def tree_parts(component: Component, k: int) -> IntArray:
    """Return the part of every node, all of them of at least k.

    A part weighs less only if its component does: the graph need not be connected.
    """
    return _cut_from(component, lambda tree: _joined(tree, _within(tree, k, 0.0), k))


def even_parts(component: Component, parts: int) -> IntArray:
    """Return about so many parts, as alike as the tree allows but for few."""
    weight = max(1, component.total // parts)
    return _cut_from(component, lambda tree: _within(tree, weight, 0.5))


def _cut_from(component: Component, cut: Callable[[Component], IntArray]) -> IntArray:
    """Return parts that are cut from a component as it is searched."""
    tree, order = component.searched()
    labels = np.empty_like(order)
    labels[order] = cut(tree)
    return labels


def _within(component: Component, weight: int, below: float) -> IntArray:
    """Return parts within about the least window that few parts do not fit into.

    It holds a weight, and begins below it by this share of its width.
    """
    assert component.above is not None
    n, above = component.n, component.above
    tree = _Tree(above, np.append(0, np.cumsum(component.weights)))
    size, labels = (n, _WORDS), np.zeros(n, dtype=np.int64)
    sets = _Sets(
        np.zeros(n, dtype=np.int64),
        np.empty(size, dtype=np.uint64),
        np.empty(size, dtype=np.uint64),
        np.zeros(_WORDS, dtype=np.uint64),
    )
    some = min(n, max(_SAMPLE, _SPARED * n * weight // max(1, component.total)))
    few = int(tree.sums[some]) // weight // _SPARED

    def filled(step: int, some: int) -> tuple[int, int, int]:
        width = weight * step // _STEPS
        least = max(1, weight - int(below * width))
        return _fill_within(tree, sets, some, least, least + width)

    def fits(step: int) -> bool:
        return filled(step, some)[2] <= few

    step = bisect_left(range(_STEPS), True, key=fits)
    _cut(above, sets, *filled(step, n)[:2], labels)
    return labels


def _fill_within(
    tree: _Tree, sets: _Sets, some: int, least: int, level: int
) -> tuple[int, int, int]:
    """Fill in the sets of the first nodes, a tree themselves.

    Return the ends of the window, in units, and how many nodes have no number in it.
    """
    unit = -(-level // _UNITS)
    ends = -(-least // unit) + (unit > 1), level // unit
    sets.units[:some] = np.diff(tree.sums[: some + 1] // unit)
    return *ends, int(_fill(tree.above[:some], sets, *ends))


@compiled
def _fill(above: IntArray, sets: _Sets, least: int, most: int) -> int:
    """Fill in the sets; return how many nodes have a piece that is too heavy."""
    units, piece, before, window = sets
    n, words = len(above), len(window)
    for w in range(words):
        window[w] = NONE
    for weight in range(least, most + 1):
        _put(window, weight)
    below, found = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    for i in range(n):
        for w in range(words):
            piece[i, w] = NONE
        _put(piece[i], min(units[i], most + 1))
    heavy = 0
    for i in range(n - 1, -1, -1):
        p = above[i]
        if p == i:
            continue
        # What the child adds: nothing if it may be cut off.
        for w in range(words):
            below[w], before[i, w], found[w] = piece[i, w], piece[p, w], NONE
        if _is_part(below, window, most):
            below[0] |= ONE
        for w in range(words):
            word = piece[p, w]
            while word != NONE:
                _add(found, below, 64 * w + lowest(word))
                word &= word - ONE
        # Of what is within the level, or the least if nothing is.
        fits = False
        for w in range(words):
            found[w] &= _up_to(most, w)
            fits |= found[w] != NONE
        if not fits:
            heavy += 1
            _put(found, min(_first(piece[p]) + _first(below), 64 * words - 1))
        for w in range(words):
            piece[p, w] = found[w]
    return heavy


@compiled
def _cut(above: IntArray, sets: _Sets, least: int, most: int, labels: IntArray) -> None:
    """Label the parts, from the roots on; they weigh as near to the middle as may be.

    `rest` is what the piece of a node weighs, without the children that were met.
    """
    _, piece, before, window = sets
    rest, parts = np.zeros(len(above), np.int64), 0
    for i in range(len(above)):
        p, apart = above[i], _is_part(piece[i], window, most)
        share = number(0)
        if p == i:
            apart = True
        elif rest[p] > most:
            rest[p] = _first(before[i])
            share = number(0) if apart else _first(piece[i])
        elif not (apart and _has(before[i], rest[p])):
            share = _share(before[i], piece[i], rest[p])
            rest[p] -= share
        if not apart or share > 0:
            labels[i], rest[i] = labels[p], share
            continue
        labels[i] = parts
        parts += 1
        rest[i] = _nearest(piece[i], least, most)


@inlined
def _share(before: WordArray, piece: WordArray, rest: int) -> int:
    """Return a number of a child that goes with one of its parent to a sum."""
    for w in range(len(before)):
        word = before[w]
        while word != NONE:
            share = rest - 64 * w - lowest(word)
            if share >= 0 and _has(piece, share):
                return share
            word &= word - ONE
    return 0


@inlined
def _nearest(piece: WordArray, least: int, most: int) -> int:
    """Return the number nearest to the middle of a window; else the one nearest to it.

    That is the only one above, or the greatest below.
    """
    middle = (least + most) // 2
    for away in range(most - least + 1):
        for weight in (middle - away, middle + away):
            if least <= weight <= most and _has(piece, weight):
                return int(weight)
    found = _first(piece)
    for weight in range(found, least):
        if _has(piece, weight):
            found = weight
    return int(found)


@inlined
def _is_part(piece: WordArray, window: WordArray, most: int) -> bool:
    """Return whether a piece may be a part: within the window, or too heavy."""
    for w in range(len(piece)):
        if piece[w] & window[w] != NONE:
            return True
    return bool(_first(piece) > most)


@inlined
def _add(target: WordArray, numbers: WordArray, more: int) -> None:
    """Put numbers into a set, each with some more added."""
    whole, bits = more >> 6, np.uint64(more & 63)
    for w in range(len(target) - 1, whole - 1, -1):
        word = numbers[w - whole] << bits
        if bits != NONE and w > whole:
            word |= numbers[w - whole - 1] >> (np.uint64(64) - bits)
        target[w] |= word


@inlined
def _up_to(most: int, word: int) -> np.uint64:
    """Return the bits of a word of all numbers up to one."""
    left = min(max(most + 1 - 64 * word, 0), 64)
    return ~NONE >> np.uint64(64 - left) if left > 0 else NONE


@inlined
def _put(numbers: WordArray, value: int) -> None:
    numbers[value >> 6] |= ONE << np.uint64(value & 63)


@inlined
def _has(numbers: WordArray, value: int) -> bool:
    return bool((numbers[value >> 6] >> np.uint64(value & 63)) & ONE != NONE)


@inlined
def _first(numbers: WordArray) -> int:
    """Return the least number of a set, which is not empty."""
    w = 0
    while numbers[w] == NONE:
        w += 1
    return 64 * w + lowest(numbers[w])


def _joined(component: Component, labels: IntArray, k: int) -> IntArray:
    """Return the parts once light ones have joined the lightest beside them.

    Of two that choose each other one joins; there are no longer rings of choices.
    """
    while True:
        weight = component.masses(labels)
        nodes = np.flatnonzero(weight[labels] < k)
        tails, heads = component.arcs(nodes)
        part, other = labels[nodes[tails]], labels[heads]
        outside = part != other
        part, other = part[outside], other[outside]
        if not len(part):
            return labels
        order = np.lexsort((other, weight[other], part))
        first = order[np.diff(part[order], prepend=-1) > 0]
        into = np.arange(len(weight))
        into[part[first]] = other[first]
        mutual = (into[into] == np.arange(len(into))) & (into > np.arange(len(into)))
        into[mutual] = np.flatnonzero(mutual)
        labels = roots(np.where(into == np.arange(len(into)), -1, into))[labels]
