"""The graph of a map as compiled loops take it."""

from __future__ import annotations

from typing import NamedTuple

from atleastk.arrays import IntArray

__all__ = ["Graph"]


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
