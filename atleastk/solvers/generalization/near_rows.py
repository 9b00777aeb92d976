"""Generalisation on entries: groups of near rows, at the prices of levels.

Rows are near if they share many labels, at all levels; a group pays the prices of the
levels at which it is not constant. There is no list of patterns, so hierarchies may
have any height, and levels any price.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.instances.records import Records
from atleastk.models.generalization import solution_of_groups
from atleastk.models.results.solution import Solution, labels_of
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.tables.near_groups import cost_of_labels, near_groups
from atleastk.solvers.tables.near_moves import EFFORT, regroup

_MOST_PRICE: Final = 2**20
"""The greatest price of a row; greater ones are rounded, in this search only."""


@dataclass(frozen=True, slots=True, eq=False)
class NearRows:
    """The rows of a search on entries, with a column for every level."""

    search: Search[Generalization]
    records: Records

    @classmethod
    def of(cls, search: Search[Generalization]) -> NearRows:
        """Return the rows of a search, for a table of at least k rows."""
        records = records_of_levels(search.instance)
        unit = max(1, -(-records.most // _MOST_PRICE))
        rounded = np.maximum(1, records.price // unit)
        return cls(search, replace(records, prices=rounded))

    def build(self) -> None:
        """Report groups built at these prices, and at a price of 1 for every level."""
        k, budget = self.search.instance.k, self.search.budget
        best: int | None = None
        differ = len(np.unique(self.records.price)) > 1
        even = replace(self.records, prices=None)
        for records in (self.records, even)[: 1 + differ]:
            for labels in near_groups(records, k, budget):
                cost = cost_of_labels(self.records, labels)
                if best is None or cost < best:
                    best = cost
                    self._offer(labels)
                if self.search.done:
                    return

    def rearrange(self, budget: Budget, effort: int = EFFORT) -> None:
        """Anneal the best groups once, with at most `effort` moves per row."""
        search = self.search
        if search.done or search.solution is None:
            return
        labels = labels_of(search.solution.groups, search.instance.n)
        k = search.instance.k
        regroup(self.records, k, labels, budget, self._offer, effort)

    def rearrange_to_the_end(self) -> None:
        """Anneal the best groups until the time is over; once without a time limit."""
        search, seed = self.search, self.search.budget.seed
        while not search.done and search.solution is not None:
            self.rearrange(replace(search.budget, seed=seed))
            seed += 1
            if search.budget.remaining == float("inf"):
                return

    def _offer(self, labels: IntArray) -> None:
        groups = Solution.labelled(labels).groups
        self.search.offer(solution_of_groups(self.search.instance, groups), "near rows")
