"""Exact cover of a map by listed parts: Ryan-Foster branching on pairs of nodes.

Two nodes are in one part or they are not [RyanFoster81]: where a fractional partition
is undecided about a pair, first the parts with one of them only are taken out, then
those with both. A fractional partition that is decided about every pair is a partition.

Before the linear program, parts that leave a node beside them without are dropped
(:mod:`~atleastk.solvers.connected_partition.support`); what it refutes, it refutes in
integers (:mod:`~atleastk.solvers.connected_partition.cover_lp`). So the answers are
exact.

References
----------
[RyanFoster81] D. M. Ryan, B. A. Foster, "An integer programming approach to
scheduling", 1981.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from atleastk.arrays import ByteArray, FloatArray, IntArray
from atleastk.models.windows import Window
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.connected_sets import ConnectedSets
from atleastk.solvers.connected_partition.cover_lp import CoverLp
from atleastk.solvers.connected_partition.support import HeldSets, keep_supported
from atleastk.solvers.engine.decision import Decision

Parts: TypeAlias = list[list[int]]

_FRACTION: Final = 1e-6
"""Shares nearer to 0 or 1 count as 0 or 1; it decides where to branch, no answer."""

_FIRST_NODES: Final = 100
"""Nodes of the first search; the next ones have half as many more each."""

_FIRST_WANTED: Final = 0.6
_WANTED: Final = (0.4, 1.0)
"""The share that a pair to branch on should have in common: in the first search, and
the range it is drawn from in later ones. Joined rather than parted; not measured."""


def decide_by_cover(
    component: Component, window: Window, sets: ConnectedSets, budget: Budget
) -> Decision[Parts]:
    """Decide whether some of the listed parts are a partition, as many as asked for.

    Parameters
    ----------
    sets
        All parts that there may be, each in the window.
    """
    if len(sets) == 0:
        return Decision.impossible()
    with budget.flagging() as flag:
        return _Cover(component, window.parts, sets, budget).decide(flag)


class _Cover:
    """The search for a partition into some of the listed parts."""

    def __init__(
        self, component: Component, parts: int, sets: ConnectedSets, budget: Budget
    ) -> None:
        self._graph, self._n = component.graph, component.n
        self._parts, self._sets, self._budget = parts, sets, budget
        self._held = HeldSets.of(self._n, sets)
        self._program = CoverLp(self._n, sets, parts, budget.seed)
        ones = np.ones(len(sets.items))
        self._has = sparse.csr_array(
            (ones, sets.items, sets.starts),
            shape=(len(sets), self._n),
            dtype=np.float64,
        )

    def decide(self, flag: ByteArray) -> Decision[Parts]:
        """Search with more and more nodes, and other rules to choose pairs."""
        rng = np.random.default_rng(self._budget.seed)
        nodes, wanted = _FIRST_NODES, _FIRST_WANTED
        while not self._budget.spent:
            decision = self._search(nodes, wanted, flag)
            if decision is not None:
                return decision
            nodes, wanted = nodes * 3 // 2, rng.uniform(*_WANTED)
        return Decision.unknown()

    def _search(
        self, nodes: int, wanted: float, flag: ByteArray
    ) -> Decision[Parts] | None:
        """Search depth first; None if that takes more nodes."""
        left = [np.ones(len(self._sets), dtype=np.bool_)]
        while left:
            if nodes == 0:
                return None
            nodes -= 1
            allowed = left.pop()
            if not allowed.all():
                keep_supported(self._graph, self._held, allowed, flag)
            if self._budget.spent:
                return Decision.unknown()
            if not allowed.any():
                continue
            relaxed = self._program.solve(self._budget, allowed)
            if relaxed is not None and relaxed.refuted is not None:
                continue
            if self._budget.spent:
                return Decision.unknown()
            pair = None
            if relaxed is not None and relaxed.shares is not None:
                found = self._partition(np.flatnonzero(relaxed.shares > 0.5))
                if found is not None:
                    return Decision.of(found)
                pair = self._pair(relaxed.shares, wanted)
            if pair is None:  # the program is in doubt
                pair = self._pair(allowed.astype(np.float64), wanted)
            if pair is None:  # the parts are disjoint
                found = self._partition(np.flatnonzero(allowed))
                if found is not None:
                    return Decision.of(found)
                continue
            first, second = map(self._held.holding, pair)
            left += [allowed & ~(first & second), allowed & ~(first ^ second)]
        return Decision.impossible()

    def _partition(self, chosen: IntArray) -> Parts | None:
        """Return some parts if they are a partition of all nodes."""
        parts = [self._sets.nodes(i) for i in chosen.tolist()]
        return parts if self._covers(parts) else None

    def _covers(self, parts: Sequence[Sequence[int]]) -> bool:
        nodes = sorted(node for part in parts for node in part)
        return len(parts) == self._parts and nodes == list(range(self._n))

    def _pair(self, shares: FloatArray, wanted: float) -> tuple[int, int] | None:
        """Return the pair of nodes to branch on, None if all pairs are decided.

        Shares need not add up to 1: what counts is how much of the greatest share of a
        node a pair has in common.
        """
        taken = np.flatnonzero(shares > _FRACTION)
        has: Any = self._has[taken]
        weighted: Any = sparse.csr_array(has.T * shares[taken])
        common = (weighted @ has).tocoo()
        whole = np.zeros(self._n)
        whole[common.row[common.row == common.col]] = common.data[
            common.row == common.col
        ]
        share = common.data / np.maximum(whole[common.row], whole[common.col])
        undecided = np.flatnonzero(
            (common.row < common.col) & (share > _FRACTION) & (share < 1 - _FRACTION)
        )
        if len(undecided) == 0:
            return None
        best = undecided[np.argmin(np.abs(share[undecided] - wanted))]
        return int(common.row[best]), int(common.col[best])
