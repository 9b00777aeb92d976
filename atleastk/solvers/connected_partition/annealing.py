"""Simulated annealing with recombination moves (ReCom) on partitions of a map.

A move [DeFord21] takes two to four adjacent parts and draws a spanning tree
of their nodes. It cuts the tree into as many pieces, as well as its edges allow: every
subtree of a spanning tree is connected, and so is the rest.

Every part is asked to weigh from `least` to `most`. The violation of a part is the
weight that it lacks or has too much; that of a partition is the sum over its parts. A
move that raises it by d is accepted with probability exp(-d / temperature). The excess
of one part can pass at no cost through parts of the greatest weight, until it reaches a
part that lacks weight.

A move takes time linear in the nodes of its parts and their edges, and in the sets of
cuts that are tried: a cut whose piece violates too much is left at once.

References
----------
[DeFord21] D. DeFord, M. Duchin, J. Solomon, "Recombination: A Family of Markov Chains
for Redistricting", Harvard Data Science Review 3(1), 2021.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.windows import Window
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph
from atleastk.solvers.connected_partition.trees import (
    MOST_PARTS,
    Patch,
    Preorder,
    Tree,
    enumerate_tree,
    gather,
    grow,
)

_AIMED: Final = 0.9
"""The chance that a move begins with a part outside the window, not with a random
node's; chosen, not measured."""

_FAR: Final = 1e18
"""A rise of the violation that is never reached; accepted ones fit into 64 bits."""

_EFFORT: Final = 5_000
"""Cuts looked at in one tree at most; chosen, not measured."""


@dataclass(frozen=True)
class Annealed:
    """The result of annealing."""

    labels: IntArray
    """The part of every node at the end."""
    violation: int
    """The violation at the end; 0 if all parts are in the window."""
    best: IntArray | None
    """The best partition met into parts of at least k, if it costs less than asked."""

    @property
    def better(self) -> IntArray | None:
        """The partition at the end if it is in the window, else the best one met."""
        return self.labels if self.violation == 0 else self.best


class _Aim(NamedTuple):
    """The parameters of annealing."""

    least: int
    most: int
    """`least`, `most`: the window: the weights that a part should have."""
    k: int
    """The least weight of a part in partitions that are recorded."""
    hot: float
    cold: float
    """`hot`, `cold`: the temperature at first and in the end, in units of weight."""
    rounds: int
    """The number of moves."""


class _Division(NamedTuple):
    """A partition, and its parts outside the window."""

    labels: IntArray  # [node]
    """The part of every node."""
    member: IntArray  # [part]
    """Some node of every part."""
    weight: IntArray  # [part]
    """The weight of every part."""
    outside: IntArray  # [place]
    """The parts outside the window; only the beginning is in use."""
    place: IntArray  # [part]
    """Of every part, its index in `outside`; -1 if it is inside the window."""

    @classmethod
    def of(cls, component: Component, labels: IntArray, window: Window) -> _Division:
        """Return a partition with these labels."""
        member, weight, outside = np.zeros((3, window.parts), dtype=np.int64)
        member[labels] = np.arange(component.n)
        np.add.at(weight, labels, component.weights)
        those = np.flatnonzero((weight < window.least) | (weight > window.most))
        outside[: len(those)] = those
        place = np.full(window.parts, -1, dtype=np.int64)
        place[those] = np.arange(len(those))
        return cls(labels, member, weight, outside, place)


class _Cuts(NamedTuple):
    """Cuts of a tree into pieces; piece 0 holds the root, the others are below cuts."""

    at: IntArray  # [cut], and so are all others
    """Of the cuts that are tried: the preorder number of the node below each."""
    piece: IntArray
    """The weights of the pieces below them."""
    violation: IntArray
    """Of the pieces below the first cuts, up to each of them; 0 at index 0."""
    best_at: IntArray
    best_piece: IntArray
    """`best_at`, `best_piece`: the same as `at` and `piece`, of the best cuts so far;
    with piece 0."""


def annealed(
    component: Component,
    window: Window,
    labels: IntArray,
    k: int,
    cost: int,
    heat: tuple[float, float],
    rounds: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> Annealed:
    """Anneal a partition into connected parts 0..p-1 until all are in the window.

    Parameters
    ----------
    k, cost
        The best partition into parts of at least k and below `cost` is recorded.
    heat
        The temperature at first and in the end, in units of weight.
    rounds
        The number of moves, at most.
    flag
        Ends the work when it becomes 1.
    """
    labels = labels.copy()
    best = np.full(component.n, -1, dtype=np.int64)
    division = _Division.of(component, labels, window)
    violation = _anneal(
        component.graph,
        division,
        _Aim(window.least, window.most, k, *heat, rounds),
        cost,
        best,
        Patch.within(component),
        _Cuts(*np.zeros((5, MOST_PARTS), dtype=np.int64)),
        rng,
        flag,
    )
    return Annealed(labels, int(violation), best if best[0] >= 0 else None)


@compiled
def _anneal(
    graph: Graph,
    division: _Division,
    aim: _Aim,
    cost: int,
    best: IntArray,
    patch: Patch,
    cuts: _Cuts,
    rng: np.random.Generator,
    flag: ByteArray,
) -> int:
    """Anneal a division; return the violation at the end.

    The best partition met into parts of at least k, if it costs less than `cost`, is
    left in `best`. Patch and cuts are working memory.
    """
    labels, weight, outside = division.labels, division.weight, division.outside
    region, tree, preorder = patch.region, patch.tree, patch.preorder
    parts = region.parts
    violation, out, light, dear = 0, 0, 0, 0
    for part in range(len(weight)):
        off = _off(weight[part], aim)
        violation += off
        out += off > 0
        light += weight[part] < aim.k
        dear += weight[part] >= cost
    for round_ in range(aim.rounds):
        # Known: the violation, `out` parts outside the window, `light` ones below k,
        # and `dear` ones that weigh at least the best cost.
        if light == 0 and dear == 0:
            cost, dear = _record(division, best)
        if flag[0] != 0 or violation == 0 or len(weight) == 1:
            break
        # Draw a spanning tree of two parts or more.
        if rng.random() < _AIMED:
            part = outside[int(rng.random() * out)]
        else:
            part = labels[int(rng.random() * len(labels))]
        wanted = 2 + int(rng.random() * (MOST_PARTS - 1))
        count, pieces = gather(
            part, wanted, graph, labels, division.member, region, rng
        )
        grow(count, graph, region, tree, rng)
        enumerate_tree(count, tree, preorder)
        # Cut it, and leave everything as it was if the violation rises too much.
        old = 0
        for i in range(pieces):
            old += _off(weight[parts[i]], aim)
        heat = aim.hot * (aim.cold / aim.hot) ** (round_ / aim.rounds)
        limit = old + int(min(-heat * np.log(1.0 - rng.random()), _FAR))
        new = _cut(count, pieces, limit, aim, preorder, cuts, rng)
        if new < 0:
            continue
        # The pieces become the parts.
        violation += new - old
        for i in range(pieces):
            part, after = parts[i], cuts.best_piece[i]
            light += (after < aim.k) - (weight[part] < aim.k)
            dear += (after >= cost) - (weight[part] >= cost)
            weight[part] = after
            out = _enter(part, _off(after, aim) > 0, out, division)
        _relabel(count, pieces, parts, tree, preorder.number, cuts, division)
    return violation


@inlined
def _off(weight: int, aim: _Aim) -> int:
    """Return the violation of a part: what it lacks or has too much."""
    return max(aim.least - weight, 0) + max(weight - aim.most, 0)


@inlined
def _enter(part: int, is_out: bool, out: int, division: _Division) -> int:
    """List or unlist a part as outside the window; return the number listed."""
    outside, place = division.outside, division.place
    if is_out and place[part] < 0:
        outside[out] = part
        place[part] = out
        return out + 1
    if not is_out and place[part] >= 0:
        last = outside[out - 1]
        outside[place[part]] = last
        place[last] = place[part]
        place[part] = -1
        return out - 1
    return out


@inlined
def _record(division: _Division, best: IntArray) -> tuple[int, int]:
    """Copy a partition; return its cost, and how many parts weigh that much."""
    weight = division.weight
    for v in range(len(best)):
        best[v] = division.labels[v]
    cost, dear = weight[0], 0
    for part in range(len(weight)):
        cost = max(cost, weight[part])
    for part in range(len(weight)):
        dear += weight[part] == cost
    return cost, dear


@inlined
def _relabel(
    count: int,
    pieces: int,
    parts: IntArray,
    tree: Tree,
    number: IntArray,
    cuts: _Cuts,
    division: _Division,
) -> None:
    """Make piece i of a tree the part ``parts[i]``."""
    order, parent, labels = tree.order, tree.parent, division.labels
    # Parents come first: a node below no cut of its own is in the part of its parent.
    for t in range(count):
        part = parts[0] if t == 0 else labels[order[parent[t]]]
        for i in range(1, pieces):
            if number[t] == cuts.best_at[i]:
                part = parts[i]
        labels[order[t]] = part
        division.member[part] = order[t]


@compiled
def _cut(
    count: int,
    pieces: int,
    limit: int,
    aim: _Aim,
    preorder: Preorder,
    cuts: _Cuts,
    rng: np.random.Generator,
) -> int:
    """Cut a tree with the least violation, if it is within the limit; else return -1.

    A cut is named by the preorder number of the node below it. Sets of cuts are tried
    depth first, in descending order, so that cuts in the piece of a new cut come before
    it. The first cuts take turns from a random one on. The violation is the least
    unless it takes too much effort.
    """
    at, piece, violation = cuts.at, cuts.piece, cuts.violation
    found, effort = -1, 0
    shift = int(rng.random() * (count - 1))
    for step in range(count - 1):
        first = 1 + (step + shift) % (count - 1)
        depth = 1
        at[1] = first
        while depth > 0 and effort < _EFFORT:
            effort += 1
            i = at[depth]
            # Every later cut needs a number of its own below; the first one stays.
            if i < pieces - depth or (depth == 1 and i != first):
                depth -= 1
                at[depth] -= 1
                continue
            # The piece is the subtree without the pieces that were cut from it.
            weight = preorder.weight[i]
            for d in range(1, depth):
                if at[d] < i + preorder.size[i]:
                    weight -= piece[d]
            now = violation[depth - 1] + _off(weight, aim)
            if now > limit:
                at[depth] -= 1
                continue
            piece[depth], violation[depth] = weight, now
            if depth < pieces - 1:
                depth += 1
                at[depth] = i - 1
                continue
            # That was the last cut: the rest is the piece of the root.
            weight = preorder.weight[0]
            for d in range(1, pieces):
                weight -= piece[d]
            now += _off(weight, aim)
            if now <= limit:
                found, limit = now, now - 1
                cuts.best_piece[0] = weight
                for d in range(1, pieces):
                    cuts.best_at[d], cuts.best_piece[d] = at[d], piece[d]
            at[depth] -= 1
        if found == 0 or effort >= _EFFORT:
            break
    return found
