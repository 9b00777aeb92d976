"""Pair partition: simulated annealing of connected groups by trees that are cut.

Two groups that touch are joined, a random tree spans them, and they are parted at the
edge of the tree where most is saved. Or they stay one group, and another one is parted
so. Moves of single items can not do that on sparse graphs: most of them leave something
that is not connected. A move takes O(u^2) time for u items at most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, IntArray
from atleastk.solvers.compiled.compile import compiled, inlined


class Plain(NamedTuple):
    """Units with pairs and sizes, and nothing else that is asked of groups."""

    matrix: IntArray  # [unit, unit]
    neighbours: IntArray  # [unit, place]: -1 for none
    sizes: IntArray  # [unit]
    least: int  # of the sizes in a group
    most: int


class _Tree(NamedTuple):
    """A random tree that spans some units, and what is below each of them."""

    units: IntArray  # [place]: in an order in which parents come first
    parent: IntArray  # [place]: -1 for the first
    of: IntArray  # [unit]: its place, or -1
    size: IntArray  # [place]
    inside: IntArray  # [place]: pairs below
    touching: IntArray  # [place]: pairs of all units below
    below: BoolArray  # [place]: whether it is below the cut
    waiting: IntArray  # [place, 2]: units that may come next, and the place beside


@compiled
def recombine(
    plain: Plain,
    labels: IntArray,  # [unit]
    hot: float,
    cold: float,
    rounds: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> None:
    """Anneal labels in place; the best ones met are left there."""
    n = len(labels)
    tree = _Tree(
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.full(n, -1, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.bool_),
        np.zeros((n * plain.neighbours.shape[1] + 1, 2), dtype=np.int64),
    )
    groups = labels.max() + 1
    best, now, lowest = labels.copy(), 0, 0
    for round_ in range(rounds):
        if round_ & 63 == 0 and flag[0] != 0:
            break
        # Two groups that touch; or two that are joined, and one to be parted.
        i = int(rng.random() * n)
        j = plain.neighbours[i, int(rng.random() * plain.neighbours.shape[1])]
        if j < 0 or labels[i] == labels[j]:
            continue
        a, b = labels[i], labels[j]
        root, one, other = i, a, b
        if groups > 2 and rng.random() < 0.5:
            root = int(rng.random() * n)
            one = other = labels[root]
            if one in (a, b):
                continue
        stays = one == other  # the joined groups stay one, and a third one is parted
        # What joining saves is negative; then part the one or the other.
        joined, between = 0, 0
        for u in range(n):
            if labels[u] in (a, b):
                joined += plain.sizes[u]
                if labels[u] == a:
                    for v in range(n):
                        if labels[v] == b:
                            between += plain.matrix[u, v]
        if stays and joined > plain.most:
            continue
        many = _spanned(plain, labels, tree, root, one, other, rng)
        cut, saved = _best_cut(plain, tree, many)
        heat = hot * cold ** (round_ / rounds)
        change = between - saved
        if cut >= 0 and change <= -heat * np.log(1.0 - rng.random()):
            now += change
            # The units below the cut have the free number, the others the first.
            if stays:
                for u in range(n):
                    if labels[u] == b:
                        labels[u] = a
            tree.below[:cut], tree.below[cut] = False, True
            for place in range(cut + 1, many):
                tree.below[place] = tree.below[tree.parent[place]]
            for place in range(many):
                labels[tree.units[place]] = b if tree.below[place] else one
            if now < lowest:
                lowest = now
                best[:] = labels
        for place in range(many):
            tree.of[tree.units[place]] = -1
    labels[:] = best


@inlined
def _spanned(
    plain: Plain,
    labels: IntArray,
    tree: _Tree,
    root: int,
    one: int,
    other: int,
    rng: np.random.Generator,
) -> int:
    """Grow a random tree over one or two groups from a unit; return its units."""
    many, waiting = 0, 1
    tree.waiting[0, 0], tree.waiting[0, 1] = root, -1
    while waiting > 0:
        at = int(rng.random() * waiting)
        unit, beside = tree.waiting[at, 0], tree.waiting[at, 1]
        waiting -= 1
        tree.waiting[at] = tree.waiting[waiting]
        if tree.of[unit] >= 0:
            continue
        tree.units[many], tree.parent[many], tree.of[unit] = unit, beside, many
        for near in plain.neighbours[unit]:
            if near < 0:
                break
            if labels[near] in (one, other) and tree.of[near] < 0:
                tree.waiting[waiting, 0], tree.waiting[waiting, 1] = near, many
                waiting += 1
        many += 1
    return many


@inlined
def _best_cut(plain: Plain, tree: _Tree, many: int) -> tuple[int, int]:
    """Return the place above which the tree is cut, -1 for none, and what it saves."""
    for place in range(many):
        tree.size[place] = plain.sizes[tree.units[place]]
        tree.inside[place] = tree.touching[place] = 0
    for place in range(many):
        for other in range(place):
            cost = plain.matrix[tree.units[place], tree.units[other]]
            tree.touching[place] += cost
            tree.touching[other] += cost
            # The pair is below whatever both are below.
            one, two = place, other
            while one != two:
                if one > two:
                    one = tree.parent[one]
                else:
                    two = tree.parent[two]
            tree.inside[one] += cost
    for place in range(many - 1, 0, -1):
        above = tree.parent[place]
        tree.size[above] += tree.size[place]
        tree.inside[above] += tree.inside[place]
        tree.touching[above] += tree.touching[place]
    cut, saved = -1, 0
    for place in range(1, many):
        one, two = tree.size[place], tree.size[0] - tree.size[place]
        if min(one, two) >= plain.least and max(one, two) <= plain.most:
            saves = tree.touching[place] - 2 * tree.inside[place]
            if cut < 0 or saves > saved:
                cut, saved = place, saves
    return cut, saved


def neighbours_of(adjacent: BoolArray) -> IntArray:
    """Return the neighbours of every unit, as many places as the most have, or one."""
    n = len(adjacent)
    lists = [np.flatnonzero(row) for row in adjacent]
    places = np.full((n, max(map(len, lists), default=0) or 1), -1, dtype=np.int64)
    for unit, found in enumerate(lists):
        places[unit, : len(found)] = found
    return places
