"""Trees of pairs over listed groups: certificates where prices of groups leave a gap.

Column generation, with triples that groups may not share, proves less than the bound.
The checker then lists all groups that a better solution may have, and a tree of
Ryan-Foster branching (:mod:`~atleastk.solvers.engine.refutation_tree`) refutes their
choices: at every node the linear program over the listed groups is solved, with more
triples, until its rounded duals are a leaf.

Theorem: :mod:`atleastk.models.certificates.pair_partition`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import (
    SCALES,
    GrowingLp,
    LpOptimum,
    unit_for,
)
from atleastk.solvers.engine.refutation_tree import (
    GIVEN_UP,
    Found,
    OpenError,
    Split,
    most_even,
    refutation,
    solved,
    split_at,
    undecided,
)
from atleastk.solvers.engine.set_partition.triples import crossing, violated_triples
from atleastk.solvers.precision import NOTHING

MOST_TRIPLES: Final = 200
"""Triples of the linear program, at most. Not tuned."""


def tree_of(
    instance: PairPartition, prices: GroupPrices, bound: int, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a certificate that lists groups by prices; None if none was found."""
    with suppress(CertificateError, NotApplicableError, OpenError):
        has, costs = listed(instance, prices, bound)
        nodes = _Nodes(instance, bound, has, costs, budget)
        root = Decided.nothing(instance.n)
        tree = refutation(root, nodes.visit)
        return {"kind": "listed", **prices.to_dict(), "tree": tree}
    return None


class _Nodes:
    """The nodes of the tree of one bound, and the linear program that they share."""

    def __init__(
        self,
        instance: PairPartition,
        bound: int,
        has: BoolArray,
        costs: IntArray,
        budget: Budget,
    ) -> None:
        n, counts = instance.n, instance.counts
        self._instance, self._bound, self._budget = instance, bound, budget
        self._has, self._costs = has, costs
        self._unit = unit_for(abs(bound), n)
        self._lp = GrowingLp(
            [*np.ones(n), counts[0]], [*np.ones(n), counts[-1]], budget.seed
        )
        dear = GIVEN_UP * (abs(bound) + 1)
        self._lp.add_columns(np.array([[*np.ones(n), counts[0]]]), dear / self._unit)
        counted = np.hstack((has, np.ones((len(has), 1)))).astype(np.float64)
        self._lp.add_columns(counted, costs / self._unit)
        self._triples = np.zeros((0, 3), dtype=np.int64)

    def visit(self, decided: Decided) -> Found[Decided]:
        """Return a leaf that refutes a node, or else some splits of it."""
        allowed = decided.allows(self._has)
        optimum = self._solved(allowed)
        while True:
            if optimum.value * self._unit > self._bound - 1 + NOTHING:
                leaf = self._leaf(allowed, optimum.duals * self._unit)
                if leaf is not None:
                    return leaf
            value = optimum.value
            if not self._cut(optimum.primal[1:]):
                break
            optimum = self._solved(allowed)
            if optimum.value * self._unit < value * self._unit + 0.01:
                break
        return self._splits(decided, optimum)

    def _solved(self, allowed: BoolArray) -> LpOptimum:
        """Solve the program of the groups that a node allows."""
        self._lp.cap(1, np.where(allowed, np.inf, 0.0))
        return solved(self._lp, self._budget)

    def _cut(self, shares: FloatArray) -> bool:
        """Add triples that shares of groups violate; return whether there are any."""
        single = np.ones(self._instance.n, dtype=np.bool_)
        triples = violated_triples(self._has, shares, single, most=20)
        if not len(triples) or len(self._triples) + len(triples) > MOST_TRIPLES:
            return False
        crossed = crossing(self._has, triples).T.astype(np.float64)
        self._lp.add_rows(np.pad(crossed, ((0, 0), (1, 0))), -np.inf, 1.0)
        self._triples = np.concatenate((self._triples, triples))
        return True

    def _leaf(self, allowed: BoolArray, duals: FloatArray) -> Mapping[str, Any] | None:
        """Return the coarsest prices that refute the groups allowed, or None."""
        n, has, costs = self._instance.n, self._has[allowed], self._costs[allowed]
        for scale in SCALES:
            rounded = np.rint(duals * scale).astype(np.int64)
            paid = np.maximum(0, -rounded[n + 1 :])
            some = paid > 0
            prices = GroupPrices(
                scale, rounded[:n], -int(rounded[n]), self._triples[some], paid[some]
            )
            worth = prices.worth(has, costs)
            prices = replace(prices, group=int(worth.max(initial=prices.group)))
            if refutes(self._instance, prices, self._bound, has, costs):
                return prices.to_dict()
        return None

    def _splits(self, decided: Decided, optimum: LpOptimum) -> Iterator[Split[Decided]]:
        """Yield a few splits of a node, those nearest to one half first."""
        shared = undecided(decided, self._has, optimum.primal[1:])
        for a, b in most_even(shared):
            together, apart = decided.by_pair(a, b)
            sides = {"together": together, "apart": apart}
            yield split_at({"pair": [a, b]}, sides, self._value, optimum.value)

    def _value(self, decided: Decided) -> float:
        """Return the value of the program of a node."""
        return self._solved(decided.allows(self._has)).value
