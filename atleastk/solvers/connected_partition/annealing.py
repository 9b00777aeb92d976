"""Simulated annealing with recombination moves (ReCom) on partitions of a map.

A move [DeFord21] takes two to four adjacent parts and draws a spanning tree of their
nodes. It cuts one of its edges: what is below the edge is connected, and so is the
rest. A side that is to become several parts is cut again, along a tree of its own.

Every part is asked to weigh from `least` to `most`. The violation of a part is the
weight that it lacks or has too much; that of a partition is the sum over its parts. A
move that raises it by d is accepted with probability exp(-d / temperature). The excess
of one part can pass at no cost through parts of the greatest weight, until it reaches a
part that lacks weight.

A move takes time linear in the nodes of its parts and their edges.

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
from atleastk.solvers.compiled.sorting import number
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph
from atleastk.solvers.connected_partition.trees import (
    MOST_PARTS,
    Patch,
    amiss,
    divide,
    divided,
    gather,
)

_AIMED: Final = 0.9
"""The chance that a move begins with a part outside the window, not with a random
node's; chosen, not measured."""

_FAR: Final = 1e18
"""A rise of the violation that is never reached; accepted ones fit into 64 bits."""

_HOT: Final = (0.3, 0.1, 0.1, 0.03)
"""Temperatures to begin with, in mean weights of nodes; one is drawn per attempt."""

_COLD: Final = (0.1, 0.03, 0.001)
"""Temperatures to end with, as shares of the first one; one is drawn per attempt."""

_MILD: Final = 0.1
"""The temperature while components are brought down, in mean weights of nodes."""

_FRESH: Final = 0.3
"""How often an attempt begins with another partition, as a probability."""


@dataclass(frozen=True)
class Annealed:
    """The result of annealing."""

    labels: IntArray  # [node]: its part at the end
    violation: int  # at the end; 0 if all parts are in the window
    best: IntArray | None  # the best met that was to be recorded, if any

    @property
    def better(self) -> IntArray | None:
        """The partition at the end if it is in the window, else the best one met."""
        return self.labels if self.violation == 0 else self.best


class _Aim(NamedTuple):
    """The parameters of annealing."""

    window: tuple[int, int]  # the least and the greatest weight that a part should have
    k: int  # the least weight of a part in partitions that are recorded
    hot: float  # the temperature at first, in units of weight
    cold: float  # and in the end
    rounds: int  # the number of moves


class _Division(NamedTuple):
    """A partition."""

    labels: IntArray  # [node]: the part of every node
    member: IntArray  # [part]: some node of every part
    weight: IntArray  # [part]
    amiss: IntArray  # [place]: parts outside the window; only the beginning is in use
    place: IntArray  # [part]: its place among these, -1 for others


@dataclass
class Annealer:
    """Anneal partitions of a component until a flag is raised."""

    component: Component
    rng: np.random.Generator
    flag: ByteArray

    def run(
        self,
        wanted: Window,
        start: IntArray | None,  # what to begin with, if not a new partition
        k: int,
        cost: int,
        rounds: int,  # the number of moves, at most
        *,
        mild: bool = False,
    ) -> Annealed:
        """Anneal a partition into connected parts 0..p-1 until all are in a window.

        The best one into parts of at least k and below a cost is recorded. If it is
        `mild` the temperature is low, and a start the beginning; else both are random.
        """
        component, rng = self.component, self.rng
        if start is None or (not mild and rng.random() < _FRESH):
            start = divided(component, wanted.parts, rng)
        hot = _MILD if mild else rng.choice(_HOT)
        hot = max(0.3, hot * component.total / component.n)
        cold = max(0.1, hot * (_COLD[1] if mild else rng.choice(_COLD)))
        labels = start.copy()
        weight = component.masses(labels, wanted.parts)
        member = np.zeros(wanted.parts, dtype=np.int64)
        member[labels] = np.arange(component.n)
        listed, place = np.full((2, wanted.parts), -1, dtype=np.int64)
        best = np.full(component.n, -1, dtype=np.int64)
        violation = _anneal(
            component.graph,
            _Division(labels, member, weight, listed, place),
            _Aim((wanted.least, wanted.most), k, hot, cold, rounds),
            cost,
            best,
            (Patch.within(component), np.empty((2, component.n), dtype=np.int64)),
            rng,
            self.flag,
        )
        return Annealed(labels, int(violation), best if best[0] >= 0 else None)


@compiled
def _anneal(
    graph: Graph,
    division: _Division,
    aim: _Aim,
    cost: int,
    best: IntArray,
    memory: tuple[Patch, IntArray],
    rng: np.random.Generator,
    flag: ByteArray,
) -> int:
    """Anneal a division; return the violation at the end.

    The best partition met into parts of at least k, if it costs less than `cost`, is
    left in `best`. The memory is for a patch, its nodes, and the parts of these.
    """
    (labels, member, weight, listed, _), (patch, before) = division, memory
    parts, window = patch.parts, aim.window
    violation, light, dear, left = 0, 0, 0, 0
    for part in range(len(weight)):
        off = amiss(weight[part], number(1), window)
        violation += off
        left = _list(division, part, off > 0, left)
        light += weight[part] < aim.k
        dear += weight[part] >= cost
    for round_ in range(aim.rounds):
        # Known: the violation, `light` parts below k, and `dear` ones that weigh at
        # least the best cost. `left` are listed as outside the window.
        if light == 0 and dear == 0:
            cost, dear = _record(division, best)
        if flag[0] != 0 or violation == 0 or len(weight) == 1:
            break
        # Gather a part, mostly one outside the window, and others.
        part = labels[int(rng.random() * len(labels))]
        if rng.random() < _AIMED:
            part = listed[round_ % left]
        parts[0], wanted = part, 2 + int(rng.random() * (MOST_PARTS - 1))
        count, pieces = gather(number(0), wanted, graph, labels, member, patch, rng)
        old, new = 0, 0
        for i in range(pieces):
            old += amiss(weight[parts[i]], number(1), window)
        for i in range(count):
            before[0, i], before[1, i] = patch.nodes[i], labels[patch.nodes[i]]
        # Divide them anew, and restore what was if the violation rises too much.
        heat = aim.hot * (aim.cold / aim.hot) ** (round_ / aim.rounds)
        limit = old + int(min(-heat * np.log(1.0 - rng.random()), _FAR))
        if divide(count, pieces, window, 0.0, limit, graph, labels, member, patch, rng):
            for i in range(pieces):
                new += amiss(patch.masses[i], number(1), window)
        else:
            new = limit + 1
        if new > limit:
            for i in range(count):
                labels[before[0, i]] = before[1, i]
                member[before[1, i]] = before[0, i]
            continue
        violation += new - old
        for i in range(pieces):
            part, after = parts[i], patch.masses[i]
            light += (after < aim.k) - (weight[part] < aim.k)
            dear += (after >= cost) - (weight[part] >= cost)
            weight[part] = after
            left = _list(division, part, amiss(after, number(1), window) > 0, left)
    return violation


@inlined
def _list(division: _Division, part: int, is_amiss: bool, left: int) -> int:
    """List a part as outside the window, or not; return how many are listed."""
    listed, place = division.amiss, division.place
    at = place[part]
    if is_amiss and at < 0:
        place[part], listed[left] = left, part
        return left + 1
    if not is_amiss and at >= 0:
        last = listed[left - 1]
        listed[at], place[last] = last, at
        place[part] = -1
        return left - 1
    return left


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
