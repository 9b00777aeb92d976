"""Refutation trees of clusterings: no clustering costs less than a bound.

At every node of the tree (:mod:`~atleastk.solvers.engine.refutation_tree`) the linear
program over the clusters that agree with the decisions so far is solved by column
generation. It ends when the program costs less than the bound, so that weights prove
nothing here, or when no cluster exceeds what the weights allow one. Then the weights
refute the node, and the coarsest rounding that still does is its leaf. Otherwise the
node is split: by a Ryan-Foster pair, two points that are together in part, or by a
point that is an outlier in part. The gain of a split is the product of what its sides
cost more, over the clusters known so far.

Theorem and proof: :mod:`atleastk.models.certificates.cluster_trees`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.models.admissible.clusters import Cluster, NodeSites
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.cluster_trees import (
    ClusterLeaf,
    Question,
    suits_trees,
)
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
from atleastk.solvers.precision import NOTHING, SURE

_FINEST: Final = 2**50
"""Sums of weights stay below, where they are not rounded for a leaf."""


def tree_of(
    question: Question, budget: Budget, known: Iterable[Cluster] = ()
) -> Mapping[str, Any] | None:
    """Return a tree that proves a question's bound, or None if none was found in time.

    Column generation starts from the `known` clusters, which saves some work.
    """
    if not suits_trees(question.instance):
        return None
    nodes = _Nodes(question, budget)
    nodes.add(known)
    try:
        root = Decided.nothing(question.instance.n)
        return refutation(root, nodes.visit)
    except OpenError:
        return None


class _Nodes:
    """The nodes of the tree of one question, and the linear program that they share."""

    def __init__(self, question: Question, budget: Budget) -> None:
        instance = question.instance
        self._question, self._budget, self._n = question, budget, instance.n
        self._unit = unit_for(question.bound, instance.n)
        n, ones = self._n, np.ones(self._n)
        most = [*ones, instance.most_clusters, min(n, instance.max_outliers)]
        self._lp = GrowingLp([*ones, -np.inf, -np.inf], most, budget.seed)
        self._lp.add_columns(np.array([most]), GIVEN_UP * question.bound / self._unit)
        left_out = np.hstack((np.eye(n), np.tile([0.0, 1.0], (n, 1))))
        self._lp.add_columns(left_out, 0.0)
        self._has = np.zeros((0, n), dtype=np.bool_)
        self._known: dict[tuple[int, ...], int] = {}

    def add(self, clusters: Iterable[Cluster]) -> bool:
        """Add clusters unknown at that cost or less; return whether there are any."""
        new = [c for c in clusters if self._known.get(c.points, c.cost + 1) > c.cost]
        self._known.update((c.points, c.cost) for c in new)
        if not new:
            return False
        has = np.zeros((len(new), self._n), dtype=np.bool_)
        for row, cluster in zip(has, new, strict=True):
            row[list(cluster.points)] = True
        counted = np.tile([True, False], (len(new), 1))
        costs = np.array([c.cost for c in new]) / self._unit
        self._lp.add_columns(np.hstack((has, counted)).astype(np.float64), costs)
        self._has = np.concatenate((self._has, has))
        return True

    def visit(self, decided: Decided) -> Found[Decided]:
        """Return a leaf that refutes a node, or else some splits of it."""
        question = self._question
        sites = question.sites.restricted(decided)
        self._lp.cap(0, self._allowed(decided))
        while True:
            optimum = solved(self._lp, self._budget)
            if optimum.value * self._unit <= question.bound / SURE - 1 + NOTHING:
                break  # weights prove nothing here
            leaf = self._leaf(decided, optimum.duals, self._finest(optimum))
            missed: list[Cluster] = []
            if leaf is not None:
                weights = np.array(leaf.weights, dtype=np.int64)
                missed += islice(sites.above(weights, leaf.scale, leaf.most), 60)
            if leaf is not None and not missed:
                return self._coarsest(decided, sites, optimum, leaf).to_dict()
            known = len(self._has)
            if not self.add(missed):
                break
            allowed = self._allowed(decided)
            self._lp.cap(1 + self._n + known, allowed[1 + self._n + known :])
        return self._splits(decided, optimum)

    def _allowed(self, decided: Decided) -> FloatArray:
        """Return the upper bounds of all columns: 0 for those that are excluded."""
        allowed = np.concatenate(([True], ~decided.inside, decided.allows(self._has)))
        return np.where(allowed, np.inf, 0.0)

    def _finest(self, optimum: LpOptimum) -> int:
        greatest = float(np.abs(optimum.duals[: self._n]).max(initial=0.0))
        heaviest = greatest * self._unit + self._question.sites.dearest + 1.0
        return max(1, int(_FINEST / (self._n + 1) / heaviest))

    def _leaf(
        self, decided: Decided, duals: FloatArray, scale: int
    ) -> ClusterLeaf | None:
        """Return a leaf with the greatest Y that suffices, None if there is none.

        Points that are together have the same weight.
        """
        question = self._question
        together = decided.together / decided.together.sum(axis=1)
        shared = together @ duals[: self._n] * self._unit
        rounded = np.rint(np.where(decided.outside, 0.0, shared) * scale)
        weights = rounded.astype(np.int64)
        left = decided.surplus(weights, question.instance.max_outliers)
        most = question.enough(scale, left)
        if most is None:
            return None
        return ClusterLeaf(scale, tuple(weights.tolist()), most)

    def _coarsest(
        self, decided: Decided, sites: NodeSites, optimum: LpOptimum, fine: ClusterLeaf
    ) -> ClusterLeaf:
        """Return the leaf of the coarsest weights that refute, or the fine one."""
        for scale in SCALES:
            if scale >= fine.scale or self._budget.spent:
                break
            leaf = self._leaf(decided, optimum.duals, scale)
            if leaf is not None and self._question.refuted(decided, sites, leaf):
                return leaf
        return fine

    def _splits(self, decided: Decided, optimum: LpOptimum) -> Iterator[Split[Decided]]:
        """Yield a few splits of a node, those nearest to one half first."""
        n = self._n
        outliers, shares = optimum.primal[1 : n + 1], optimum.primal[n + 1 :]
        shared = undecided(decided, self._has, shares)
        settled = decided.inside | decided.outside
        shared[np.diag_indices(n)] = np.where(settled, 0.0, outliers)
        for a, b in most_even(shared):
            sides = decided.by_point(a) if a == b else decided.by_pair(a, b)
            names = ("outlier", "clustered") if a == b else ("together", "apart")
            named = dict(zip(names, sides, strict=True))
            document = {"point": a} if a == b else {"pair": [a, b]}
            yield split_at(document, named, self._value, optimum.value)

    def _value(self, decided: Decided) -> float:
        """Return the value of the program over the clusters known so far."""
        self._lp.cap(0, self._allowed(decided))
        return solved(self._lp, self._budget).value
