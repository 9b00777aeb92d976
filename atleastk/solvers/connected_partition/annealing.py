"""Simulated annealing on partitions into connected parts, by random spanning trees.

A move [DeFord21] takes two to four parts that hang together, draws a spanning tree of
their nodes, and cuts it into as many pieces as well as its edges allow: every subtree
of a spanning tree is connected, and so is what is left. Parts are asked to weigh from
`least` to `most`; what they lack and what they have too much is added up, and a move
that makes it more is accepted with a chance that falls with the temperature.

What one part has too much may wander through parts of the greatest weight at no cost,
until it meets a part that lacks weight.

A move takes time linear in the nodes of the parts, and in the sets of edges that are
looked at: an edge whose piece is too bad already is left at once.

References
----------
[DeFord21] D. DeFord, M. Duchin, J. Solomon, "Recombination: A Family of Markov Chains
for Redistricting", Harvard Data Science Review 3(1), 2021.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from atleastk.arrays import ByteArray, IntArray
from atleastk.models.windows import Window
from atleastk.solvers.compiled.compile import compiled
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.trees import gather, grow, renumber

__all__ = ["Annealed", "annealed"]


_MOST_PIECES: Final = 4
"""So many parts are taken at a time."""

_AIMED: Final = 0.9
"""So often a part that does not weigh what it should is among them."""

_FAR: Final = 1e18
"""No move makes the violation so much more."""

_EFFORT: Final = 5_000
"""So many sets of edges are looked at in a tree."""


@dataclass(frozen=True)
class Annealed:
    """What annealing ended with.

    Attributes
    ----------
    labels
        The part of every node at the end.
    violation
        What its parts lack or have too much, in all.
    best
        The best partition on the way all of whose parts were heavy enough, if it was
        better than asked for.
    """

    labels: IntArray
    violation: int
    best: IntArray | None


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
    """Anneal a partition into connected parts 0..p-1 until all weigh what they should.

    Parameters
    ----------
    k, cost
        Partitions into parts of at least k and less than `cost` are taken down.
    heat
        The temperature at the beginning and at the end.
    flag
        Ends the work when it becomes 1.
    """
    labels = labels.copy()
    best = np.full(component.n, -1, dtype=np.int64)
    violation = _anneal(
        component.weights,
        component.starts,
        component.ends,
        labels,
        window.parts,
        window.least,
        window.most,
        k,
        cost,
        heat[0],
        heat[1],
        rounds,
        best,
        rng,
        flag,
    )
    return Annealed(labels, int(violation), best if best[0] >= 0 else None)


@compiled
def _anneal(
    weights: IntArray,
    starts: IntArray,
    ends: IntArray,
    labels: IntArray,
    parts: int,
    least: int,
    most: int,
    k: int,
    cost: int,
    hot: float,
    cold: float,
    rounds: int,
    best: IntArray,
    rng: np.random.Generator,
    flag: ByteArray,
) -> int:
    """Anneal `labels`, leave the best partition in `best`; return the violation."""
    n = len(weights)
    heavy = np.zeros(parts, dtype=np.int64)
    some = np.zeros(parts, dtype=np.int64)  # a node of every part
    for v in range(n):
        heavy[labels[v]] += weights[v]
        some[labels[v]] = v
    wrong = np.zeros(parts, dtype=np.int64)  # parts outside the window
    place = np.full(parts, -1, dtype=np.int64)
    wrongs, violation, light, dear = 0, 0, 0, 0
    for part in range(parts):
        w = heavy[part]
        light += w < k
        dear += w >= cost
        off = max(least - w, 0) + max(w - most, 0)
        violation += off
        if off > 0:
            wrong[wrongs] = part
            place[part] = wrongs
            wrongs += 1
    nodes = np.empty(n, dtype=np.int64)
    inside = np.full(n, -1, dtype=np.int64)
    order = np.empty(n, dtype=np.int64)
    parent = np.empty(n, dtype=np.int64)
    size = np.empty(n, dtype=np.int64)
    number = np.empty(n, dtype=np.int64)
    total = np.empty(n, dtype=np.int64)
    edges = np.empty((2, len(ends) + 1), dtype=np.int64)
    chosen = np.empty(_MOST_PIECES, dtype=np.int64)
    cuts = np.empty(_MOST_PIECES, dtype=np.int64)
    after = np.empty(_MOST_PIECES, dtype=np.int64)
    for round_ in range(rounds):
        if light == 0 and dear == 0:
            for node in range(n):
                best[node] = labels[node]
            cost = heavy[0]
            for part in range(parts):
                cost = max(cost, heavy[part])
            dear = 0
            for part in range(parts):
                dear += heavy[part] == cost
        if flag[0] != 0 or violation == 0 or parts == 1:
            break
        if rng.random() < _AIMED:
            part = wrong[int(rng.random() * wrongs)]
        else:
            part = labels[int(rng.random() * n)]
        wanted = 2 + int(rng.random() * (_MOST_PIECES - 1))
        m, pieces = gather(
            part, wanted, starts, ends, labels, some, nodes, inside, chosen, rng
        )
        grow(m, starts, ends, nodes, inside, weights, order, parent, total, edges, rng)
        renumber(m, parent, total, size, number)
        old = 0
        for i in range(pieces):
            w = heavy[chosen[i]]
            old += max(least - w, 0) + max(w - most, 0)
        heat = hot * (cold / hot) ** (round_ / rounds)
        limit = old + int(min(-heat * np.log(1.0 - rng.random()), _FAR))
        new = _cut(m, pieces, total, size, least, most, limit, cuts, after, rng)
        if new < 0:
            continue
        violation += new - old
        for i in range(pieces):
            part = chosen[i]
            w = heavy[part]
            light -= w < k
            dear -= w >= cost
            w = after[i]
            light += w < k
            dear += w >= cost
            heavy[part] = w
            if w < least or w > most:
                if place[part] < 0:
                    wrong[wrongs] = part
                    place[part] = wrongs
                    wrongs += 1
            elif place[part] >= 0:
                wrongs -= 1
                last = wrong[wrongs]
                wrong[place[part]] = last
                place[last] = place[part]
                place[part] = -1
        for t in range(m):
            part = chosen[0] if t == 0 else labels[order[parent[t]]]
            for i in range(1, pieces):
                if number[t] == cuts[i]:
                    part = chosen[i]
            labels[order[t]] = part
            some[part] = order[t]
    return violation


@compiled
def _cut(
    m: int,
    pieces: int,
    total: IntArray,
    size: IntArray,
    least: int,
    most: int,
    limit: int,
    cuts: IntArray,
    after: IntArray,
    rng: np.random.Generator,
) -> int:
    """Find the edges that leave the least violation of all, if it is within the limit.

    Edges are named by the upper ends of subtrees in preorder, the last first: what is
    below an edge when it is chosen remains a piece. Pieces and the violation they make
    are left in `cuts` and `after`, the violation is returned, -1 for none.
    """
    at = np.zeros(_MOST_PIECES, dtype=np.int64)
    off = np.zeros(_MOST_PIECES, dtype=np.int64)
    piece = np.zeros(_MOST_PIECES, dtype=np.int64)
    found, effort = -1, 0
    shift = int(rng.random() * (m - 1))
    for step in range(m - 1):
        first = 1 + (step + shift) % (m - 1)
        depth = 1
        at[1] = first
        while depth > 0 and effort < _EFFORT:
            effort += 1
            i = at[depth]
            if i < pieces - depth or (depth == 1 and i != first):
                depth -= 1
                at[depth] -= 1
                continue
            w = total[i]
            for d in range(1, depth):
                if at[d] < i + size[i]:
                    w -= piece[d]
            piece[depth] = w
            now = off[depth - 1] + max(least - w, 0) + max(w - most, 0)
            if now > limit:
                at[depth] -= 1
                continue
            off[depth] = now
            if depth < pieces - 1:
                depth += 1
                at[depth] = i - 1
                continue
            w = total[0]
            for d in range(1, pieces):
                w -= piece[d]
            now += max(least - w, 0) + max(w - most, 0)
            if now <= limit:
                found, limit = now, now - 1
                after[0] = w
                for d in range(1, pieces):
                    cuts[d] = at[d]
                    after[d] = piece[d]
            at[depth] -= 1
        if found == 0 or effort >= _EFFORT:
            break
    return found
