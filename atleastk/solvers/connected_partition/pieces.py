"""The components of a map, each with its best solution and its open levels.

The cost of a map is that of its costliest component. So a component whose solution is
no costlier than the bound of another is done, whatever its own optimum is, and levels
below the greatest bound need no decision.

Solutions and refutations may come from several threads.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import WrongAnswerError
from atleastk.models.results.solution import Solution
from atleastk.models.windows import Window
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.engine.part_counts import PartCounts
from atleastk.solvers.search import Search


class Piece:
    """A component, its best solution so far, and the levels open below its cost.

    The component is mostly reduced. The bound is the least of the open levels `counts`;
    the cost if there is none.
    """

    def __init__(self, component: Component, k: int, labels: IntArray) -> None:
        self.component = component
        self.labels = labels
        self.cost = component.cost(labels)
        self.counts = PartCounts(component.total, k, component.heaviest, component.n)
        self.settle()

    def settle(self) -> None:
        """Close levels from the cost on, and take note of the bound."""
        self.counts.cap(self.cost)
        level = self.counts.bound
        self.bound = self.cost if level is None else level


class Pieces:
    """The components of a map.

    Parameters
    ----------
    search
        Gets every better solution and bound of the map.
    pieces
        With a solution each.
    """

    def __init__(
        self, search: Search[ConnectedPartition], pieces: Sequence[Piece]
    ) -> None:
        self._search = search
        self._pieces = pieces
        self._lock = threading.RLock()

    @property
    def bound(self) -> int:
        """The greatest bound of a piece."""
        with self._lock:
            return max(piece.bound for piece in self._pieces)

    def report(self, source: str, certificate: Mapping[str, Any] | None = None) -> None:
        """Report the bound of the whole map to the search."""
        with self._lock:
            bound, known = self.bound, self._search.bound
            if known is None or bound > known:
                self._search.raise_bound(bound, source, certificate)

    def to_do(self) -> list[Piece]:
        """Return the pieces that matter, the one with the greatest bound first."""
        with self._lock:
            bound = self.bound
            left = [piece for piece in self._pieces if piece.cost > bound]
            return sorted(left, key=lambda piece: -piece.bound)

    def offer(self, piece: Piece, labels: IntArray, source: str) -> bool:
        """Record a solution of a piece; return whether it is better than its best."""
        cost = piece.component.cost(labels)
        with self._lock:
            if cost >= piece.cost:
                return False
            if cost < piece.bound:
                raise WrongAnswerError(
                    f"{source} found a solution of cost {cost}, below the bound "
                    f"{piece.bound} of its component"
                )
            piece.labels, piece.cost = labels, cost
            piece.settle()
            self._search.offer(self._whole(), source)
            self.report(source)
            return True

    def _whole(self) -> Solution:
        """Return the solution of the map."""
        found, parts = np.zeros(self._search.instance.n, dtype=np.int64), 0
        for piece in self._pieces:
            own = piece.component.members
            found[own.items] = parts + piece.labels[own.homes]
            parts += 1 + int(piece.labels.max())
        return Solution.labelled(found)

    def refute(self, piece: Piece, window: Window, level: int, source: str) -> None:
        """Record that a piece has no such partition within a level below its cost."""
        with self._lock:
            piece.counts.refute(window.parts, level)
            piece.settle()
            self._search.refuted(source)
            self.report(source)

    def narrow(self, piece: Piece, counts: PartCounts, source: str) -> None:
        """Record levels that are known to be the only open ones below the cost."""
        with self._lock:
            piece.counts = counts
            piece.settle()
            self.report(source)
