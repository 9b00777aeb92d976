"""The search for a tree that refutes all clusterings of less cost than a bound.

Depth first. At every node the linear program over all clusters that keep what is
decided is solved by column generation, until it costs less than the bound, so that
weights prove nothing here; or until no cluster is above what the weights may give one.
Then they refute the node, and the coarsest rounding that does is its leaf. Otherwise
the node is divided: by two points that are together in part [RyanFoster81], or by one
that is an outlier in part. Of a few such divisions that one is taken whose sides cost
most over the clusters that are known.

Theorem and proof: :mod:`atleastk.models.certificates.cluster_trees`.

References
----------
[RyanFoster81] D. M. Ryan and B. A. Foster, "An Integer Programming Approach to
Scheduling", in Computer Scheduling of Public Transport, 1981.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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
from atleastk.solvers.engine.linear_program import GrowingLp, LpOptimum

_MOST_NODES: Final = 2_000
"""Nodes of a tree: half a megabyte of weights for 50 points."""

_MOST_DEPTH: Final = 200
"""Splits above one another: readers may be recursive, as of JSON they are."""

_EXACT: Final = 1e-9
"""How exact the value of a linear program is, relative to the bound."""

_DEAR: Final = 2.0
"""What it costs to give up, with all clusters and outliers, in bounds."""

_TYPICAL: Final = 100.0
"""What a point costs in the linear program, about."""

_SCALES: Final = (1, 2, 3, 4, 6, 12, 60, 840, 10_000, 1_000_000)
"""Denominators of weights, coarse ones first: those of small programs are small."""

_FINEST: Final = 2**50
"""Sums of weights stay below, where they are not rounded for a leaf."""

_NEW: Final = 60
"""Clusters that are added at a time: not tuned."""

_TRIED: Final = 6
"""Splits whose sides are both solved before one is chosen: not tuned."""

_WHOLE: Final = 1e-6
"""What differs less from a whole number is taken for it: ten times the tolerance of
HiGHS."""


@dataclass(frozen=True, slots=True)
class _Split:
    """A division of a node, as the certificate tells it, and its sides."""

    document: Mapping[str, Any]
    names: tuple[str, str]
    sides: tuple[Decided, Decided]


class _OpenError(Exception):
    """A node that is not refuted, or not in time."""


def tree_of(
    question: Question, budget: Budget, known: Iterable[Cluster] = ()
) -> Mapping[str, Any] | None:
    """Return a tree that answers a question, or None if none was found in time.

    Clusters that are known save some work.
    """
    if not suits_trees(question.instance):
        return None
    tree = _Tree(question, budget)
    tree.add(known)
    try:
        return tree.below(Decided.nothing(question.instance.n), 0)
    except _OpenError:
        return None


class _Tree:
    """The tree of one question, and the linear program that its nodes share."""

    def __init__(self, question: Question, budget: Budget) -> None:
        instance = question.instance
        self._question, self._budget, self._n = question, budget, instance.n
        self._unit = max(1.0, question.bound / max(1, instance.n) / _TYPICAL)
        n, ones = self._n, np.ones(self._n)
        most = [*ones, instance.most_clusters, min(n, instance.max_outliers)]
        self._lp = GrowingLp([*ones, -np.inf, -np.inf], most, budget.seed)
        self._lp.add_columns(np.array([most]), _DEAR * question.bound / self._unit)
        left_out = np.hstack((np.eye(n), np.tile([0.0, 1.0], (n, 1))))
        self._lp.add_columns(left_out, 0.0)
        self._has = np.zeros((0, n), dtype=np.bool_)
        self._known: dict[tuple[int, ...], int] = {}
        self._nodes = 0

    def add(self, clusters: Iterable[Cluster]) -> bool:
        """Add clusters that are not known at that cost; tell whether there were any."""
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

    def below(self, decided: Decided, depth: int) -> Mapping[str, Any]:
        """Return the tree below a node."""
        self._nodes += 1
        if self._nodes > _MOST_NODES or depth > _MOST_DEPTH:
            raise _OpenError
        kept = self._question.sites.restricted(decided)
        self._lp.cap(0, self._allowed(decided))
        while True:
            optimum = self._solved()
            if not self._hopeful(optimum):
                break
            leaf = self._leaf(decided, optimum.duals, self._finest(optimum))
            missed = [] if leaf is None else list(self._missed(kept, leaf))
            if leaf is not None and not missed:
                return self._coarsest(decided, kept, optimum, leaf).to_dict()
            known = len(self._has)
            if not self.add(missed):
                break
            allowed = self._allowed(decided)
            self._lp.cap(1 + self._n + known, allowed[1 + self._n + known :])
        split = self._best_split(decided, optimum)
        names = zip(split.names, split.sides, strict=True)
        return {
            **split.document,
            **{name: self.below(side, depth + 1) for name, side in names},
        }

    def _solved(self) -> LpOptimum:
        optimum = None if self._budget.spent else self._lp.solve(self._budget)
        if optimum is None:
            raise _OpenError
        return optimum

    def _hopeful(self, optimum: LpOptimum) -> bool:
        """Tell whether the linear program costs more than the bound less 1."""
        bound = self._question.bound
        return optimum.value * self._unit > bound - 1 + _WHOLE + _EXACT * bound

    def _allowed(self, decided: Decided) -> FloatArray:
        """Return the upper bounds of all columns: 0 for those that are excluded."""
        kept = decided.allows(self._has)
        capped = np.concatenate(([True], ~decided.inside, kept))
        return np.where(capped, np.inf, 0.0)

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

    def _missed(self, kept: NodeSites, leaf: ClusterLeaf) -> Iterator[Cluster]:
        """Yield some clusters above what a leaf permits."""
        weights = np.array(leaf.weights, dtype=np.int64)
        return islice(kept.above(weights, leaf.scale, leaf.most), _NEW)

    def _coarsest(
        self, decided: Decided, kept: NodeSites, optimum: LpOptimum, fine: ClusterLeaf
    ) -> ClusterLeaf:
        """Return the leaf of the coarsest weights that refute, or the fine one."""
        for scale in _SCALES:
            if scale >= fine.scale or self._budget.spent:
                break
            leaf = self._leaf(decided, optimum.duals, scale)
            if leaf is not None and self._question.refuted(decided, kept, leaf):
                return leaf
        return fine

    def _best_split(self, decided: Decided, optimum: LpOptimum) -> _Split:
        """Return the split whose sides cost most, by the product of their gains."""
        best: _Split | None = None
        most = -1.0
        for split in islice(self._splits(decided, optimum.primal), _TRIED):
            gain = 1.0
            for side in split.sides:
                self._lp.cap(0, self._allowed(side))
                gain *= max(self._solved().value - optimum.value, _WHOLE)
            if gain > most:
                best, most = split, gain
        if best is None:  # this is a solution: the bound does not hold
            raise _OpenError
        return best

    def _splits(self, decided: Decided, primal: FloatArray) -> Iterator[_Split]:
        """Yield splits of a node, those nearest to one half first."""
        n = self._n
        outliers, shares = primal[1 : n + 1], primal[n + 1 :]
        some = shares > _WHOLE
        inside = self._has[some].astype(np.float64)
        shared = inside.T @ (inside * shares[some][:, None])
        shared[np.tril_indices(n)] = 0.0
        shared[decided.together | decided.apart] = 0.0
        settled = decided.inside | decided.outside
        shared[np.diag_indices(n)] = np.where(settled, 0.0, outliers)
        open_ = np.minimum(shared, 1.0 - shared)
        for place in np.argsort(-open_, axis=None, kind="stable")[: 2 * n].tolist():
            a, b = divmod(place, n)
            if open_[a, b] <= _WHOLE:
                return
            if a == b:
                yield _Split(
                    {"point": a}, ("outlier", "clustered"), decided.by_point(a)
                )
            else:
                yield _Split(
                    {"pair": [a, b]}, ("together", "apart"), decided.by_pair(a, b)
                )
