"""Walks: nodes at the border of two parts of a map pass from one to the other.

Trees of large parts have many edges, but few that cut off nearly the weight that is
wanted, and take time linear in the nodes. A walk changes the weights of two parts by
single nodes, so that exact weights are met as well. A node passes if the part that it
leaves stays connected as far as a short search sees, in O(1).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import ByteArray, IntArray, distinct
from atleastk.models.windows import Window
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.graph import Graph

_STEPS: Final = 1_000
"""Nodes that are drawn in a walk, and so many more: not tuned."""

_STEPS_A_NODE: Final = 20
"""Nodes that are drawn for each at the border of two parts: not tuned."""

_NEAR: Final = 100
"""Nodes that are looked at for a way round a node that is to leave: not tuned."""

_HEAT: Final = 0.5
"""The temperature, in mean weights of nodes: not tuned."""


class _Memory(NamedTuple):
    """Memory for walks.

    Attributes
    ----------
    near
        The nodes at the border of two parts, and some that were there.
    stamp
        Of every node, the last walk that has it in `near`.
    passed
        The nodes that have passed in a walk, one after the other.
    queue, seen
        For the search for a way round: nodes that were met, and the state of nodes: 1
        where the way has to lead, 2 where it has been, else 0.
    """

    near: IntArray
    stamp: IntArray  # [node]
    passed: IntArray
    queue: IntArray
    seen: IntArray  # [node]


def evened(
    component: Component,
    window: Window,
    labels: IntArray,
    sweeps: int,
    rng: np.random.Generator,
    flag: ByteArray,
) -> tuple[IntArray, int]:
    """Return parts that are nearer to a window, and their violation.

    That is the weight that all of them lack or have too much, and it never rises. In a
    sweep every part outside the window exchanges nodes with one beside it. O(m), and
    for each sweep O(s log s) with s nodes at borders, about.

    Parameters
    ----------
    labels
        The number of the part of every node; the parts are connected.
    flag
        Ends the work when it becomes 1.
    """
    labels, weight = labels.copy(), np.zeros(window.parts, dtype=np.int64)
    np.add.at(weight, labels, component.weights)
    away = np.repeat(labels, np.diff(component.starts)) != labels[component.ends]
    rim = distinct(component.ends[away])
    memory = _Memory(*np.zeros((5, component.n), dtype=np.int64))
    heat = _HEAT * component.total / component.n
    walks = 0
    for _ in range(sweeps):
        rim = rim[np.argsort(labels[rim], kind="stable")]
        starts = np.searchsorted(labels[rim], np.arange(window.parts + 1))
        met = [rim]
        lacks = (weight < window.least) | (weight > window.most)
        if flag[0] or not lacks.any():
            break
        for part in rng.permutation(np.flatnonzero(lacks)):
            walks += 1
            count = _walk(
                *(part, walks, window.least, window.most, heat, component.graph),
                *(labels, weight, rim, starts, memory, rng),
            )
            met.append(memory.near[:count].copy())
        rim = distinct(np.concatenate(met))
    over = np.maximum(weight - window.most, 0) + np.maximum(window.least - weight, 0)
    return labels, int(over.sum())


@compiled
def _walk(
    one: int,
    walk: int,
    least: int,
    most: int,
    heat: float,
    graph: Graph,
    labels: IntArray,
    weight: IntArray,
    rim: IntArray,
    starts: IntArray,
    memory: _Memory,
    rng: np.random.Generator,
) -> int:
    """Let nodes pass between a part and some other; return how many nodes were near.

    At random, so that the first part gets into the window, and the other nearer to it.
    It ends where the weights were best of all whose violation does not rise.

    Parameters
    ----------
    walk
        Its number.
    rim, starts
        Nodes, among them all that were at a border before the sweep, by their parts;
        where those of each part start.
    """
    near, stamp, passed = memory.near, memory.stamp, memory.passed
    # Draw the other part, and list the nodes of both at a border.
    count, other = 0, -1
    for v in rim[starts[one] : starts[one + 1]]:
        for e in range(graph.starts[v], graph.starts[v + 1]):
            if labels[v] == one and labels[graph.ends[e]] != one:
                count += 1
                if rng.random() * count < 1.0:
                    other = labels[graph.ends[e]]
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
        if (now == 0 and rest == goal) or flips == len(passed):
            break
        v = near[int(rng.random() * count)]
        share = graph.weights[v] if labels[v] == other else -graph.weights[v]
        then, after = (
            _off(heavy + share, least, most),
            _off(both - heavy - share, least, most),
        )
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
