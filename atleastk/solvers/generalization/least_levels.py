"""Generalisation on entries: what each row loses at least, by nodes of the lattice.

The rows of a group are equal at its levels, which are a node. So a row whose class at a
node has fewer than k rows is in no group at this node, nor at one below. Some nodes are
counted, and for every record the cheapest node is found that is not below one of those
at which its class is too small: no group costs a row of it less.

Which nodes? Those that speak of nearly all rows and are as high as they can be: the
cheapest node that is not below one of them is raised as long as nearly all rows are in
classes below k, by estimates from whole classes that a hash draws.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import IntArray, distinct_places
from atleastk.instances.generalization import Generalization
from atleastk.models.certificates.generalization import losses_of_nodes
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled.classes import Keys
from atleastk.solvers.generalization.boxes import Levels, with_level
from atleastk.solvers.generalization.lattice_marks import Marks

_NEARLY: Final = 0.9
"""The share of the rows of which a node speaks: not tuned."""

_MOST_COUNTED: Final = 62
"""Nodes that are counted: a bit of a number each."""

_MOST_PAIRS: Final = 100_000_000
"""Kinds of records, by the nodes that speak of them, and of nodes: a second."""


def least_levels(instance: Generalization, budget: Budget) -> IntArray:
    """Return a lower bound on the loss of a row of each record; it counts once.

    The table has at least k rows, or none, and no limits of levels.
    """
    copies, k, high = instance.records.copies, instance.k, instance.heights
    marks = Marks(high)
    losses = losses_of_nodes(instance).reshape(-1).astype(np.int64)
    order = np.argsort(losses, kind="stable")
    kinds, counted = np.zeros(len(copies), dtype=np.int64), list[Levels]()

    def keys_at(node: Levels) -> Keys:
        levels = zip(instance.labels, node, strict=True)
        labels = [column.labels[level] for column, level in levels]
        columns = zip(instance.columns_of_records, labels, strict=True)
        return Keys.of(len(copies), columns)

    def speaks(node: Levels) -> bool:
        if budget.spent:
            return False
        return keys_at(node).share_below(copies, k) >= _NEARLY

    while len(counted) < _MOST_COUNTED:
        order = order[marks.marks[order] == 0]
        node = marks.levels_of(int(order[0]))
        if not speaks(node):
            break
        for turn in range(len(node)):
            j = (len(counted) + turn) % len(node)
            if speaks(top := with_level(node, j, high[j])):
                node = top
            while node[j] < high[j] and speaks(up := with_level(node, j, node[j] + 1)):
                node = up
        kinds |= keys_at(node).below(copies, k).astype(np.int64) << len(counted)
        marks.refuse_below(node)
        counted.append(node)
    dearest = int(losses[order[0]])
    nodes = np.flatnonzero(losses < dearest)
    nodes = nodes[np.argsort(losses[nodes], kind="stable")]
    levels = np.array(np.unravel_index(nodes, [1 + height for height in high])).T
    spoken = np.zeros(len(nodes), dtype=np.int64)
    for i, node in enumerate(counted):
        spoken |= (levels <= node).all(axis=1).astype(np.int64) << i
    return _least_of_kinds(kinds, spoken, losses[nodes], dearest)


def _least_of_kinds(
    kinds: IntArray, spoken: IntArray, losses: IntArray, dearest: int
) -> IntArray:
    """Return the least loss of a node of which no bit of its kind speaks, by record.

    At most `dearest`; losses are ascending.
    """
    while True:
        first, kind = distinct_places(kinds)
        cheapest, _ = distinct_places(spoken)
        if len(first) * len(cheapest) <= _MOST_PAIRS:
            break
        bits = (1 << (int(spoken.max()).bit_length() - 1)) - 1
        kinds, spoken = kinds & bits, spoken & bits
    words, least = kinds[first], np.full(len(first), dearest)
    for i in sorted(cheapest.tolist(), reverse=True):
        least[words & spoken[i] == 0] = losses[i]
    found: IntArray = least[kind]
    return found
