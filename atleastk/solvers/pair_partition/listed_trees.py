"""Trees of pairs over listed groups: certificates where prices of groups leave a gap.

Column generation, with triples that groups may not share, proves less than the bound.
The checker then lists all groups that a better solution may have, and a tree
(:mod:`~atleastk.solvers.engine.set_partition.master`) refutes their choices: at
every node the linear program over the listed groups is solved, with more triples, until
its rounded duals are a leaf.

Theorem: :mod:`atleastk.models.certificates.pair_partition`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import numpy as np

from atleastk.arrays import BoolArray, FloatArray, IntArray
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.pair_partition import listed, refutes
from atleastk.models.certificates.pair_sets import GroupPrices
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import SCALES, LpOptimum
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.master import GroupTree
from atleastk.solvers.engine.set_partition.oracle import Frame
from atleastk.solvers.engine.set_partition.triples import violated_triples
from atleastk.solvers.precision import NOTHING

MOST_TRIPLES: Final = 200
"""Triples of the linear program, at most. Not tuned."""

_LITTLE: Final = 0.01
"""Triples that raise the optimum by less, in units of cost, are the last."""


def tree_of(
    instance: PairPartition, prices: GroupPrices, bound: int, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a certificate that lists groups by prices; None if none was found."""
    with suppress(CertificateError, NotApplicableError):
        has, costs = listed(instance, prices, bound)
        tree = _Tree(instance, bound, has, costs, budget).refuted()
        if tree is not None:
            return {"kind": "listed", **prices.to_dict(), "tree": tree}
    return None


class _Tree(GroupTree):
    """The tree of one bound."""

    def __init__(
        self,
        instance: PairPartition,
        bound: int,
        has: BoolArray,
        costs: IntArray,
        budget: Budget,
    ) -> None:
        counts, each = instance.counts, np.ones(instance.n, dtype=np.int64)
        frame = Frame(each, 1, 1, counts[0], counts[-1])
        super().__init__(frame, abs(bound) + 1, budget)
        self._instance, self._bound = instance, bound
        rows = sparse.csr_array(has.astype(np.int64))
        self.add(Groups(rows, costs, np.zeros_like(costs)))

    def leaf(self, decided: Decided) -> Mapping[str, Any] | LpOptimum:
        """Return a leaf that refutes a node, or else the optimum to split it by."""
        allowed, before = decided.allows(self.has), -np.inf
        while True:
            optimum = self.solved(decided)
            value = optimum.value * self.unit
            if value > self._bound - 1 + NOTHING:
                leaf = self._coarsest(allowed, optimum.duals * self.unit)
                if leaf is not None:
                    return leaf
            if value < before + _LITTLE or not self._cut_more():
                return optimum
            before = value

    def _cut_more(self) -> bool:
        """Add triples that shares of groups violate; return whether there are any."""
        single = self.frame.demand == 1
        triples = violated_triples(self.has, self.point, single, most=20)
        if not len(triples) or len(self.triples) + len(triples) > MOST_TRIPLES:
            return False
        self.cut(triples)
        return True

    def _coarsest(
        self, allowed: BoolArray, duals: FloatArray
    ) -> Mapping[str, Any] | None:
        """Return the coarsest prices that refute the groups allowed, or None."""
        n, has, costs = self.frame.n, self.has[allowed], self.groups.cost[allowed]
        for scale in SCALES:
            rounded = np.rint(duals * scale).astype(np.int64)
            paid = np.maximum(0, -rounded[n + 2 :])
            some = paid > 0
            prices = GroupPrices(
                scale, rounded[:n], -int(rounded[n]), self.triples[some], paid[some]
            )
            worth = prices.worth(has, costs)
            prices = replace(prices, group=int(worth.max(initial=prices.group)))
            if refutes(self._instance, prices, self._bound, has, costs):
                return prices.to_dict()
        return None
