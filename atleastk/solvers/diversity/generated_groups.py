"""Column generation: the bound of the linear program over all groups.

The linear program over all groups that satisfy the condition, each taken in part, has a
row for every kind of rows. Its duals are weights of the kinds, and each pattern offers
its best set at these (:mod:`~atleastk.solvers.diversity.bounds`). Weights between the
best known and the duals are tried first, which keeps the duals from swinging. Every
weighting tried gives an exact bound. A set may break the condition: that only weakens
the bound.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.bounds import SCALE, KindWeights
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.search import Search

_STABILITY: Final = 0.6
"""The share of the best weights in those that are tried first: not tuned."""

_TOLERANCE: Final = 0.01
"""The gap, in units of cost, at which the linear program counts as solved."""

_NEAR: Final = 3
"""The reduced cost, in units of cost, of sets that are added at first: those of the
solution are mostly among them."""


class GeneratedGroups:
    """The groups that were generated in one search, each with its cost.

    Parameters
    ----------
    kinds
        The kinds of rows.
    weights
        Good weights of them, which become better.
    """

    def __init__(
        self, search: Search[Diversity], kinds: Records, weights: KindWeights
    ) -> None:
        self._search, self._records, self._weights = search, kinds, weights
        self._costs: dict[tuple[int, ...], int] = {}
        self._program = GrowingLp(kinds.copies, kinds.copies, search.budget.seed)
        self._program.add_columns(sparse.eye_array(kinds.distinct), weights.dearest)

    def converge(self, budget: Budget) -> None:
        """Generate groups until the bound is that of the linear program."""
        weights, best = self._weights, self._weights.weights
        value = weights.value
        self._add(-_NEAR * SCALE)
        while not self._search.done and not budget.spent:
            optimum = self._program.solve(budget)
            if optimum is None or optimum.value - value < _TOLERANCE:
                break
            added = 0
            for share in (_STABILITY, 0.0):
                tried = share * best + (1.0 - share) * SCALE * optimum.duals
                weights.weights = np.rint(tried).astype(np.int64)
                proved = weights.value
                if proved > value:
                    value, best = proved, weights.weights
                    self._search.raise_bound(weights.bound()[0], "generated groups")
                added += self._add(0)
            if not added:
                break
        weights.weights = best
        weights.certify(self._search)

    def _add(self, least: int) -> int:
        """Add best sets of values above the least; return the number of new ones."""
        ends, kinds, copies, losses = self._weights.sets_above(least)
        fresh = []
        for g, (begin, end) in enumerate(pairwise(ends.tolist())):
            items = np.sort(np.repeat(kinds[begin:end], copies[begin:end]))
            if self._is_new(tuple(items.tolist()), int(losses[g])):
                fresh.append(g)
        shape = len(losses), len(self._records.copies)
        sets = sparse.csr_array((copies, kinds, ends), shape=shape)
        self._program.add_columns(sets[fresh], losses[fresh])
        return len(fresh)

    def _is_new(self, items: tuple[int, ...], cost: int) -> bool:
        """Remember a group; tell whether it is new or costs less than before."""
        better = cost < self._costs.get(items, cost + 1)
        if better:
            self._costs[items] = cost
        return better
