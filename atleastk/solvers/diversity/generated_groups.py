"""Groups that column generation finds, and the best solution made of them.

The linear program over all groups that keep what is asked for, each taken in part, has
a row for every kind of rows. Its duals are weights of the kinds, and each pattern
offers its best set at these (:mod:`~atleastk.solvers.diversity.bounds`). Weights
between the best known and the duals are tried first, which keeps the duals from
swinging. Every weighting tried gives an exact bound.

An integer program over the groups that came up, and those of the best solution known,
then mostly ends within a few cells of that bound. A set may be rated by less than what
is asked for: such sets take part in the bound alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.diversity import failing
from atleastk.models.encodings.set_partition import set_partition
from atleastk.models.generalization import solution_of_groups
from atleastk.models.groups import Group, Parts
from atleastk.models.kinds import Kinds
from atleastk.models.pseudo_columns import prices_of
from atleastk.packages import sparse
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.bounds import SCALE, Weighing
from atleastk.solvers.engine.linear_program import GrowingLp
from atleastk.solvers.search import Search

__all__ = ["GeneratedGroups"]

_KEEP: Final = 0.6
"""The share of the best weights in those that are tried first: a taste."""

_CLOSE: Final = 0.01
"""The gap, in units of cost, at which the linear program counts as solved."""

_NEAR: Final = 3
"""By how many units of cost sets may miss the first weights: those of the solution are
mostly among them."""

_VARIED: Final = 30
"""How often weights are varied by up to a unit of cost: a taste. In one run each, on
500 rows of Adult, the best solution cost 892 with it and 1,341 without."""


class GeneratedGroups:
    """The groups of one search, each with what it costs.

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
        ends = np.cumsum(kinds.copies)[:-1]
        members = [tuple(rows.tolist()) for rows in np.split(kinds.rows, ends)]
        self._firsts = kinds.rows[np.concatenate(([0], ends))]
        self._kinds = Kinds(tuple(range(kinds.distinct)), tuple(members))
        self._costs: dict[tuple[int, ...], int] = {}
        self._program = GrowingLp(kinds.copies, kinds.copies, search.budget.seed)
        self._program.add_columns(sparse.eye_array(kinds.distinct), weighing.dearest)

    def converge(self, budget: Budget) -> None:
        """Generate groups until the bound is that of the linear program."""
        weighing, best = self._weighing, self._weighing.weights
        bound = weighing.bound()[0]
        self._add(-_NEAR * SCALE)
        while not self._search.done and not budget.spent:
            optimum = self._program.solve(budget)
            if optimum is None or optimum.value - bound < _CLOSE:
                break
            added = 0
            for share in (_KEEP, 0.0):
                tried = share * best + (1.0 - share) * SCALE * optimum.duals
                weighing.weights = np.rint(tried).astype(np.int64)
                proved = weighing.bound()[0]
                if proved > bound:
                    bound, best = proved, weighing.weights
                    self._search.raise_bound(bound, "generated groups")
                added += self._add(0)
            if not added:
                break
        weighing.weights = best
        weighing.certify(self._search)

    def combine(self, budget: Budget) -> None:
        """Look for the best solution that consists of the groups, and offer it."""
        search = self._search
        self._vary(budget)
        known = () if search.solution is None else search.solution.groups
        for items in map(tuple, self._kinds.merge(known)):
            self._keep(items, self._loss(items))
        listed = list(self._costs)
        rows = self._firsts[[kind for items in listed for kind in items]]
        classes = np.repeat(np.arange(len(listed)), list(map(len, listed)))
        right = np.flatnonzero(~failing(search.instance, classes, rows)).tolist()
        groups = [Group(listed[g], self._costs[listed[g]]) for g in right]
        parts = Parts(0, len(self._kinds.kind_of))
        encoding = set_partition(groups, self._kinds, parts)

        def found(values: IntArray) -> None:
            made = solution_of_groups(search.instance, encoding.decode(values))
            search.offer(made, "generated groups")

        answer = Highs().minimise(
            encoding.model, budget, hint=encoding.encode(known), on_answer=found
        )
        if answer.values is not None:
            found(answer.values)

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

    def _vary(self, budget: Budget) -> None:
        """Add the best sets of weights near those that are known."""
        weighing, weights = self._weighing, self._weighing.weights
        rng = np.random.default_rng(budget.seed)
        for _ in range(_VARIED):
            if budget.spent:
                break
            noise = rng.integers(-SCALE, SCALE, len(weights), endpoint=True)
            weighing.weights = weights + noise
            self._add(-_NEAR * SCALE)
        weighing.weights = weights

    def _keep(self, items: tuple[int, ...], cost: int) -> bool:
        """Keep a group; tell whether it is new or costs less than was known."""
        better = cost < self._costs.get(items, cost + 1)
        if better:
            self._costs[items] = cost
        return better

    def _loss(self, items: Sequence[int]) -> int:
        """Return what a group of kinds loses."""
        kinds = list(items)
        codes = self._records.codes[kinds]
        paid = prices_of(self._search.instance) @ (codes != codes[0]).any(axis=0)
        return int(paid * self._records.worth[kinds].sum())
