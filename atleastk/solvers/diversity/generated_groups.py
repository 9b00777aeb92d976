"""Column generation: the bound of the linear program over all groups.

The linear program over all groups that keep what is asked for, each taken in part, has
a row for every kind of rows. Its duals are weights of the kinds, and each pattern
offers its best set at these (:mod:`~atleastk.solvers.diversity.bounds`). Weights
between the best known and the duals are tried first, which keeps the duals from
swinging. Every weighting tried gives an exact bound. A set may be rated by less than
what is asked for: that weakens the bound alone.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.packages import sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.bounds import SCALE, Weighing
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.search import Search

_KEEP: Final = 0.6
"""The share of the best weights in those that are tried first: not tuned."""

_CLOSE: Final = 0.01
"""The gap, in units of cost, at which the linear program counts as solved."""

_NEAR: Final = 3
"""By how many units of cost sets may miss the first weights: those of the solution are
mostly among them."""


class GeneratedGroups:
    """The groups that came up in one search, each with what it costs.

    Parameters
    ----------
    kinds
        The kinds of rows.
    weighing
        Good weights of them, which become better.
    """

    def __init__(
        self, search: Search[Diversity], kinds: Records, weighing: Weighing
    ) -> None:
        self._search, self._records, self._weighing = search, kinds, weighing
        self._costs: dict[tuple[int, ...], int] = {}
        self._program = GrowingLp(kinds.copies, kinds.copies, search.budget.seed)
        self._program.add_columns(sparse.eye_array(kinds.distinct), weighing.dearest)

    def converge(self, budget: Budget) -> None:
        """Generate groups until the bound is that of the linear program."""
        weighing, best = self._weighing, self._weighing.weights
        value = weighing.value
        self._add(-_NEAR * SCALE)
        while not self._search.done and not budget.spent:
            optimum = self._program.solve(budget)
            if optimum is None or optimum.value - value < _CLOSE:
                break
            added = 0
            for share in (_KEEP, 0.0):
                tried = share * best + (1.0 - share) * SCALE * optimum.duals
                weighing.weights = np.rint(tried).astype(np.int64)
                proved = weighing.value
                if proved > value:
                    value, best = proved, weighing.weights
                    self._search.raise_bound(weighing.bound()[0], "generated groups")
                added += self._add(0)
            if not added:
                break
        weighing.weights = best
        weighing.certify(self._search)

    def _add(self, least: int) -> int:
        """Add the best sets of values above the least; return how many are new."""
        ends, kinds, copies, losses = self._weighing.sets_above(least)
        fresh = []
        for g, (begin, end) in enumerate(pairwise(ends.tolist())):
            items = np.sort(np.repeat(kinds[begin:end], copies[begin:end]))
            if self._keep(tuple(items.tolist()), int(losses[g])):
                fresh.append(g)
        shape = len(losses), len(self._records.copies)
        sets = sparse.csr_array((copies, kinds, ends), shape=shape)
        self._program.add_columns(sets[fresh], losses[fresh])
        return len(fresh)

    def _keep(self, items: tuple[int, ...], cost: int) -> bool:
        """Keep a group; tell whether it is new or costs less than was known."""
        better = cost < self._costs.get(items, cost + 1)
        if better:
            self._costs[items] = cost
        return better
