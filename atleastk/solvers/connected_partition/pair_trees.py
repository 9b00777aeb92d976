"""Refutation trees of partitions into a number of parts, where weights leave a gap.

At every node of the tree (:mod:`~atleastk.solvers.engine.refutation_tree`) the linear
program is over the listed parts that agree with the decisions so far. If it has no
solution, its weights are a leaf. Otherwise the node is split by a Ryan-Foster pair, two
vertices that are together in part: one for which most sides are refuted at once.

Theorem: :mod:`atleastk.models.certificates.connected_partition`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.models.admissible.decided import Decided
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import ConnectedSets
from atleastk.solvers.connected_partition.cover_lp import CoverLp
from atleastk.solvers.engine.linear_program import Relaxed
from atleastk.solvers.engine.refutation_tree import (
    Found,
    OpenError,
    Split,
    most_even,
    refutation,
    undecided,
)

_Node = tuple[Decided, Relaxed]
"""The decisions so far, and the solution of their linear program."""


def claim_of(
    component: Component, sets: ConnectedSets, parts: int, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a refutation of this many parts, given a list of all possible ones.

    A leaf if weights suffice, else a tree; None if nothing was found in time.
    """
    if len(sets) == 0:
        return {"weights": [], "most": -1}
    nodes = _Nodes(component, sets, parts, budget)
    try:
        root = nodes.solved(Decided.nothing(component.n))
        return refutation(root, nodes.visit)
    except OpenError:
        return None


class _Nodes:
    """The nodes of the tree of one number of parts, and their linear program."""

    def __init__(
        self, component: Component, sets: ConnectedSets, parts: int, budget: Budget
    ) -> None:
        self._names = component.firsts.tolist()
        self._budget = budget
        self._has = np.zeros((len(sets), component.n), dtype=np.bool_)
        owners = np.repeat(np.arange(len(sets)), np.diff(sets.starts))
        self._has[owners, sets.items] = True
        self._cover = CoverLp(component.n, sets, parts, budget.seed)

    def visit(self, node: _Node) -> Found[_Node]:
        """Return a leaf that refutes a node, or else some splits of it."""
        decided, relaxed = node
        if relaxed.refuted is not None:
            values = relaxed.refuted.values.tolist()
            named = [[self._names[i], y] for i, y in enumerate(values) if y]
            return {"weights": named, "most": relaxed.refuted.most}
        if relaxed.shares is None:
            return {"weights": [], "most": -1}
        return self._splits(decided, relaxed.shares)

    def solved(self, decided: Decided) -> _Node:
        """Solve the linear program of a node, which is empty if no parts are left."""
        left = decided.allows(self._has)
        found = self._cover.solve(self._budget, left) if left.any() else Relaxed()
        if found is None:
            raise OpenError
        return decided, found

    def _splits(self, decided: Decided, shares: FloatArray) -> Iterator[Split[_Node]]:
        """Yield a few splits, best those both sides of which are refuted at once."""
        shared = undecided(decided, self._has, shares)
        for a, b in most_even(shared):
            together, apart = map(self.solved, decided.by_pair(a, b))
            refuted = (together[1].shares is None) + (apart[1].shares is None)
            pair = {"pair": [self._names[a], self._names[b]]}
            sides = {"together": together, "apart": apart}
            yield Split(pair, sides, 1.0 + refuted, refuted == len(sides))
