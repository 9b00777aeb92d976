"""Refutation trees of clusterings: no clustering costs less than a bound.

At every node of the tree (:mod:`~atleastk.solvers.engine.set_partition.master`)
the linear program over clusters is solved by column generation. It ends when the
program costs less than the bound, so that weights prove nothing here, or when no
cluster exceeds what the weights allow one. Then the weights refute the node, and the
coarsest rounding that still does is its leaf.

Theorem and proof: :mod:`atleastk.models.certificates.cluster_trees`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.models.admissible.clusters import NodeSites
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.cluster_trees import (
    ClusterLeaf,
    Question,
    suits_trees,
)
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import SCALES, LpOptimum
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.master import GroupTree
from atleastk.solvers.engine.set_partition.oracle import Frame
from atleastk.solvers.precision import NOTHING, SURE

_FINEST: Final = 2**50
"""Sums of weights stay below, where they are not rounded for a leaf."""

_MISSED: Final = 60
"""Clusters that are added in a round, at most."""


def tree_of(
    question: Question, budget: Budget, known: Groups | None = None
) -> Mapping[str, Any] | None:
    """Return a tree that proves a question's bound, or None if none was found in time.

    Column generation starts from the `known` clusters, which saves some work.
    """
    if not suits_trees(question.instance):
        return None
    tree = _Tree(question, budget)
    if known is not None:
        tree.add(known)
    return tree.refuted()


class _Tree(GroupTree):
    """The tree of one question."""

    def __init__(self, question: Question, budget: Budget) -> None:
        instance, n = question.instance, question.instance.n
        left_out = min(n, instance.max_outliers)
        each = np.ones(n, dtype=np.int64)
        frame = Frame(each, 1, 1, most=instance.most_clusters, left_out=left_out)
        super().__init__(frame, question.bound, budget)
        self._question = question

    def escapes(self) -> tuple[Any, float]:
        """Return a column that has all items, and all groups that there may be.

        Where groups cost nothing a share of it hides less than of one with few groups.
        """
        frame = self.frame
        return np.array([[*frame.demand, frame.most, frame.left_out]]), np.inf

    def leaf(self, decided: Decided) -> Mapping[str, Any] | LpOptimum:
        """Return a leaf that refutes a node, or else the optimum to split it by."""
        question, n = self._question, self.frame.n
        sites = question.sites.restricted(decided)
        enough = question.bound / SURE - 1 + NOTHING
        while (optimum := self.solved(decided)).value * self.unit > enough:
            duals = optimum.duals[:n] * self.unit
            fine = self._rounded(decided, duals, self._finest(duals))
            if fine is None:
                break
            weights = np.array(fine.weights, dtype=np.int64)
            missed = [*islice(sites.above(weights, fine.scale, fine.most), _MISSED)]
            if not missed:
                return self._coarsest(decided, sites, duals, fine).to_dict()
            points, costs = zip(*missed, strict=True)
            if not self.add(Groups.listed(n, points, costs)):
                break
        return optimum

    def _finest(self, duals: FloatArray) -> int:
        greatest = float(np.abs(duals).max(initial=0.0))
        heaviest = greatest + self._question.sites.dearest + 1.0
        return max(1, int(_FINEST / (len(duals) + 1) / heaviest))

    def _rounded(
        self, decided: Decided, duals: FloatArray, scale: int
    ) -> ClusterLeaf | None:
        """Return a leaf with the greatest Y that suffices, None if there is none.

        Points that are together have the same weight.
        """
        question = self._question
        shared = decided.together / decided.together.sum(axis=1) @ duals
        rounded = np.rint(np.where(decided.outside, 0.0, shared) * scale)
        weights = rounded.astype(np.int64)
        left = decided.surplus(weights, question.instance.max_outliers)
        most = question.enough(scale, left)
        if most is None:
            return None
        return ClusterLeaf(scale, tuple(weights.tolist()), most)

    def _coarsest(
        self, decided: Decided, sites: NodeSites, duals: FloatArray, fine: ClusterLeaf
    ) -> ClusterLeaf:
        """Return the leaf of the coarsest weights that refute, or the fine one."""
        for scale in SCALES:
            if scale >= fine.scale or self.budget.spent:
                break
            leaf = self._rounded(decided, duals, scale)
            if leaf is not None and self._question.refuted(decided, sites, leaf):
                return leaf
        return fine
