"""The graph of a map as compiled loops take it, and what they know of its nodes."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import IntArray

FREE: Final = 0
MET: Final = 1
TAKEN: Final = 2
"""States of nodes: in no set; next to a set that grows, or left out of it; in a set."""


class Graph(NamedTuple):
    """A graph with weights.

    Attributes
    ----------
    starts, ends
        The neighbours of node v, ascending: ``ends[starts[v]:starts[v + 1]]``.
    weights
        The weight of every node 0..n-1.
    """

    starts: IntArray
    ends: IntArray
    weights: IntArray


class Marks(NamedTuple):
    """What a loop knows of nodes, and room for its looks at them.

    Attributes
    ----------
    state
        Of every node: `FREE`, `MET`, `TAKEN`, or what a loop knows besides.
    label, work
        Memory: a label of every node, -1 between uses, and four rows as long.
    """

    state: IntArray
    label: IntArray
    work: IntArray

    @classmethod
    def none_of(cls, n: int) -> Marks:
        """Return the marks of n nodes that are free."""
        state, label = np.full(n, FREE, np.int64), np.full(n, -1, np.int64)
        return cls(state, label, np.empty((4, n + 1), np.int64))
