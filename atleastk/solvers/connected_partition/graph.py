"""The graph of a map for compiled loops (compressed rows), and marks of nodes."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from atleastk.arrays import IntArray

FREE: Final = 0
MET: Final = 1
TAKEN: Final = 2
"""States of nodes: in no set; next to a set that grows, or left out of it; in a set."""


class Graph(NamedTuple):
    """A graph with weights."""

    starts: IntArray  # [node + 1]
    ends: IntArray  # [place]: the neighbours of v: ``ends[starts[v]:starts[v + 1]]``
    weights: IntArray  # [node]


class Marks(NamedTuple):
    """States of nodes, and working memory for searches through them."""

    state: IntArray  # [node]: `FREE`, `MET`, `TAKEN`, or a state that a loop adds
    label: IntArray  # [node]: memory, -1 between uses
    work: IntArray  # [4, node + 1]: memory

    @classmethod
    def none_of(cls, n: int) -> Marks:
        """Return the marks of n nodes that are free."""
        state, label = np.full(n, FREE, np.int64), np.full(n, -1, np.int64)
        return cls(state, label, np.empty((4, n + 1), np.int64))
