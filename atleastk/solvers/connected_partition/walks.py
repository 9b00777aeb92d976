"""Walks: nodes at the border of two parts of a map pass from one to the other.

Trees of large parts have many edges, but few that cut off nearly the weight that is
wanted, and take time linear in the nodes. A walk changes the weights of two parts by
single nodes, so that exact weights are met as well. A node passes if the part that it
leaves stays connected as far as a short search sees, in O(1).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import BoolArray, ByteArray, FloatArray, IntArray, distinct
from atleastk.models.windows import Window
from atleastk.packages import csgraph, sparse
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph

_STEPS: Final = 1_000
"""Nodes that are drawn in a walk, and so many more: not tuned."""

_STEPS_A_NODE: Final = 20
"""Nodes that are drawn for each at the border of two parts: not tuned."""

_NEAR: Final = 300
"""Nodes that are looked at for a way round a node that is to leave: not tuned."""

_AIMED: Final = 0.75
"""The chance that weight goes the shortest way, which may be barred: not tuned."""

_PATIENCE: Final = 30
"""Sweeps without less violation before it ends: not tuned."""

_HEAT: Final = 0.5
"""The temperature, in mean weights of nodes: not tuned."""


class _State(NamedTuple):
    """The parts in a sweep."""

    graph: Graph
    labels: IntArray  # [node]: the part of every node
    weight: IntArray  # [part]
    rim: IntArray  # nodes by parts, among them all at a border before the sweep
    starts: IntArray  # [part + 1]: where those of each part start


class _Memory(NamedTuple):
    """Memory for walks."""

    near: IntArray  # the nodes at the border of two parts, and some that were there
    stamp: IntArray  # [node]: the last walk that has it in `near`
    passed: IntArray  # the nodes that have passed in a walk, one after the other
    queue: IntArray  # nodes that a search for a way round has met
    seen: IntArray  # [node]: 1 where that way has to lead, 2 where it has been, else 0


def evened(
    component: Component,
    window: Window,
    labels: IntArray,  # [node]: the number of its part; parts are connected
    sweeps: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> tuple[IntArray, int]:
    """Return parts that are nearer to a window, and their violation.

    That is the weight that all of them lack or have too much, and it never rises. In a
    sweep every part outside the window exchanges nodes with one beside it. O(m), and
    for each sweep O(s log s) with s nodes at borders, about.
    """
    labels, weight = labels.copy(), component.masses(labels, window.parts)
    own = np.repeat(labels, np.diff(component.starts))
    rim = distinct(component.ends[own != labels[component.ends]])
    memory = _Memory(*np.zeros((5, component.n), dtype=np.int64))
    heat = _HEAT * component.total / component.n
    walks, lowest, waited = 0, _violation(weight, window) + 1, 0
    for _ in range(sweeps):
        left = _violation(weight, window)
        waited, lowest = 0 if left < lowest else waited + 1, min(lowest, left)
        if flag[0] or left == 0 or waited == _PATIENCE:
            break
        rim = rim[np.argsort(labels[rim], kind="stable")]
        starts = np.searchsorted(labels[rim], np.arange(window.parts + 1))
        state = _State(component.graph, labels, weight, rim, starts.astype(np.int64))
        met = [rim]
        light, heavy = weight < window.least, weight > window.most
        beside = _quotient(component, labels, rim, window.parts)
        to_light = _hops(beside, light if light.any() else weight < window.most)
        to_heavy = _hops(beside, heavy if heavy.any() else weight > window.least)
        for part in rng.permutation(np.flatnonzero(light | heavy)):
            if flag[0]:
                break
            walks += 1
            hops = to_light if heavy[part] else to_heavy
            ends = window.least, window.most
            count = _walk(part, walks, hops, ends, heat, state, memory, rng, flag)
            met.append(memory.near[:count].copy())
        rim = distinct(np.concatenate(met))
    return labels, _violation(weight, window)


def _violation(weight: IntArray, window: Window) -> int:
    over, under = weight - window.most, window.least - weight
    return int(np.maximum(0, np.maximum(over, under)).sum())


def _quotient(
    component: Component,
    labels: IntArray,
    rim: IntArray,
    parts: int,
) -> sparse.csr_array:
    """Return which parts are beside each other, by the nodes at their borders."""
    tails, heads = component.arcs(rim)
    pairs = labels[rim[tails]] * parts + labels[heads]
    ends = np.divmod(distinct(pairs), parts)
    return sparse.csr_array((np.ones(len(ends[0])), ends), shape=(parts, parts))


def _hops(beside: sparse.csr_array, those: BoolArray) -> FloatArray:
    """Return how many borders every part is away from the nearest of those."""
    indices = np.flatnonzero(those)
    if not len(indices):
        return np.zeros(len(those))
    hops: FloatArray = csgraph.dijkstra(beside, indices=indices, min_only=True)
    return hops


@compiled
def _walk(
    one: int,
    walk: int,  # its number
    hops: FloatArray,  # [part]: how far it is from one that is to have more or less
    window: tuple[int, int],
    heat: float,
    state: _State,
    memory: _Memory,
    rng: np.random.Generator,
    flag: ByteArray,
) -> int:
    """Let nodes pass between a part and some other; return how many nodes were near.

    At random, so that the first part gets into the window, and the other nearer to it.
    It ends where the weights were best of all whose violation does not rise. The other
    part mostly has the fewest hops of those beside the first.
    """
    (least, most), (graph, labels, weight, rim, starts) = window, state
    near, stamp, passed = memory.near, memory.stamp, memory.passed
    # Draw the other part, and list the nodes of both at a border.
    count, other, aimed = 0, -1, rng.random() < _AIMED
    for v in rim[starts[one] : starts[one + 1]]:
        for e in range(graph.starts[v], graph.starts[v + 1]):
            part = labels[graph.ends[e]]
            if labels[v] != one or part == one:
                continue
            if other < 0 or (aimed and hops[part] < hops[other]):
                count, other = 1, part
            elif not aimed or hops[part] == hops[other]:
                count += 1
                if rng.random() * count < 1.0:
                    other = part
    if other < 0:
        return 0
    count = 0
    for part in (one, other):
        for v in rim[starts[part] : starts[part + 1]]:
            if labels[v] == one or labels[v] == other:
                near[count], stamp[v] = v, walk
                count += 1
    heavy, both = weight[one], weight[one] + weight[other]
    now, rest = _off(heavy, least, most), _off(both - heavy, least, most)
    limit, goal = now + rest, max(0, both - 2 * most, 2 * least - both)
    # The first part counts twice: weight leaves it even if the other has too much.
    best, flips, kept = 2 * now + rest, 0, 0
    for _ in range(_STEPS + _STEPS_A_NODE * count):
        if flag[0] or (now == 0 and rest == goal) or flips == len(passed):
            break
        v = near[int(rng.random() * count)]
        share = graph.weights[v] if labels[v] == other else -graph.weights[v]
        then = _off(heavy + share, least, most)
        after = _off(both - heavy - share, least, most)
        rise = 2 * (then - now) + after - rest
        if rise > -heat * np.log(1.0 - rng.random()):
            continue
        if not _may_pass(v, one + other - labels[v], graph, labels, memory):
            continue
        labels[v] = one + other - labels[v]
        heavy, now, rest = heavy + share, then, after
        passed[flips] = v
        flips += 1
        for e in range(graph.starts[v], graph.starts[v + 1]):
            u = graph.ends[e]
            if stamp[u] != walk and (labels[u] == one or labels[u] == other):
                near[count], stamp[u] = u, walk
                count += 1
        if now + rest <= limit and 2 * now + rest <= best:
            best, kept = 2 * now + rest, flips
    # What passed after the best weights goes back.
    for i in range(flips - 1, kept - 1, -1):
        v = passed[i]
        labels[v] = one + other - labels[v]
        heavy += graph.weights[v] if labels[v] == one else -graph.weights[v]
    weight[one], weight[other] = heavy, both - heavy
    return count


@inlined
def _off(weight: int, least: int, most: int) -> int:
    return max(least - weight, 0) + max(weight - most, 0)


@compiled
def _may_pass(
    v: int, into: int, graph: Graph, labels: IntArray, memory: _Memory
) -> bool:
    """Tell whether a node is beside a part, and its own is seen to stay connected.

    All neighbours in its own part are to be met from one of them.
    """
    starts, ends = graph.starts, graph.ends
    queue, seen = memory.queue, memory.seen
    left, is_beside = 0, False
    for e in range(starts[v], starts[v + 1]):
        is_beside |= labels[ends[e]] == into
        if labels[ends[e]] == labels[v]:
            queue[0] = ends[e]
            left += 1
    if left == 0 or not is_beside:
        return False
    for e in range(starts[v], starts[v + 1]):
        seen[ends[e]] = labels[ends[e]] == labels[v]
    seen[v], seen[queue[0]] = 2, 2
    left, met, done = left - 1, 1, 0
    while left > 0 and done < min(met, _NEAR):
        at = queue[done]
        done += 1
        for e in range(starts[at], starts[at + 1]):
            u = ends[e]
            if seen[u] < 2 and labels[u] == labels[v]:
                left -= seen[u]
                seen[u] = 2
                queue[met] = u
                met += 1
    # Leave no marks.
    for i in range(met):
        seen[queue[i]] = 0
    for e in range(starts[v], starts[v + 1]):
        seen[ends[e]] = 0
    seen[v] = 0
    return left == 0
