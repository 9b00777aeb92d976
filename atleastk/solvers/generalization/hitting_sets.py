"""Implicit hitting sets: nodes of a lattice of any size by integer programs.

Every admitted node exceeds every refused one in some column. So for the refused nodes
known so far, a node of least loss that exceeds all of them bounds the optimum. If it is
admitted it is optimal; otherwise it is refused, and raised as far as it stays so, in
several orders of the columns: each node found is one that others have to exceed. It is
also raised over refused nodes until it is admitted, and lowered again, which often
gives a better solution (:mod:`~atleastk.solvers.generalization.descent`).

Discernibility and average class size are not linear in the levels. There, any node that
exceeds all the refused ones, and does not reach one of those that are known to lose as
much as the best, is counted, until there is none. Where rows may be suppressed, an
admitted node may lose more than one above it; then it is left out alone. So is a node
whose loss is not known; that is then a bound on what can be proved.

The program has a share of the time left, and its bound holds even if it does not end.
Without a time limit the search ends, too: every node that is found is excluded. The
lattice itself is never written down; the program has one 0/1 variable per column and
level.

References
----------
E. Moreno-Centeno, R. M. Karp, "The Implicit Hitting Set Approach to Solve Combinatorial
Optimization Problems", Operations Research 61(2), 2013.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from atleastk.models.linear import LinearModel, LinearModelBuilder
from atleastk.models.results.status import Status
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.generalization.boxes import Levels, with_level
from atleastk.solvers.generalization.descent import Descent
from atleastk.solvers.search import Search


def minimise_by_hitting_sets(
    search: Search[Any], source: str, descent: Descent | None = None
) -> None:
    """Minimise on attributes; the search has a solution to start from."""
    if descent is None:
        descent = Descent(search, source)
        descent.begin()
    descent.improve(300)  # rounds without success
    HittingSets(search, source, descent).run()


@dataclass(slots=True, eq=False)
class HittingSets:
    """The state of a run."""

    search: Search[Any]
    source: str
    descent: Descent
    refused: list[Levels] = field(default_factory=list)  # others have to exceed them
    dear: list[Levels] = field(default_factory=list)  # others must not reach them
    left_out: list[Levels] = field(default_factory=list)  # others must not be these
    least: list[int] = field(default_factory=list)  # losses of undecided ones of these

    def run(self) -> None:
        """Add nodes until none is left, or the budget is spent."""
        search, heights = self.search, self.search.instance.heights
        rng = random.Random(search.budget.seed)
        known = self.descent.known.items()
        self.refused += [x for x, count in known if count.refused]
        while not search.done and search.cost is not None:
            model = self._model(search.cost)
            answer = Highs().minimise(model, search.budget.share(0.3))
            if answer.status is Status.INFEASIBLE:
                self._raise_bound(search.cost)
                if self.least:
                    search.remark(f"{self.source}: nodes of the lattice are undecided")
                return
            if search.instance.is_linear and answer.bound is not None:
                self._raise_bound(answer.bound)
            if answer.values is not None and not search.done:
                values = iter(answer.values.tolist())
                found = tuple(sum(next(values) for _ in range(h)) for h in heights)
                self._exclude(found, rng)
            self.descent.improve(30)
            self.descent.report()

    def _raise_bound(self, bound: int) -> None:
        known = min([bound, self.search.cost or 0, *self.least])
        self.search.raise_bound(known, self.source)

    def _exclude(self, levels: Levels, rng: random.Random) -> None:
        """Exclude a node, and as many others as its count allows."""
        count = self.descent.look(levels)
        self.descent.report()
        if count.refused:
            self._refuse(levels, rng)
            return
        if not self.search.instance.is_linear and self._is_dear(levels):
            self.dear.append(self._lowered(levels))
        else:
            self.left_out.append(levels)
            if count.least is not None and not count.settled:
                self.least.append(count.least)

    def _refuse(self, levels: Levels, rng: random.Random) -> None:
        columns = list(range(len(levels)))

        def lift(node: Levels) -> Levels:
            rng.shuffle(columns)
            lifted = self.descent.lifted(node, columns)
            if lifted not in self.refused:
                self.refused.append(lifted)
            return lifted

        for _ in range(4):
            lift(levels)
        while self.descent.is_refused(levels) and not self.search.budget.spent:
            beyond = lift(levels)
            greatest = self.search.instance.greatest_levels
            pairs = enumerate(zip(beyond, greatest, strict=True))
            j = rng.choice([j for j, (level, most) in pairs if level < most])
            levels = with_level(levels, j, beyond[j] + 1)
        self.descent.descend(levels)

    def _is_dear(self, levels: Levels) -> bool:
        cost = self.search.cost
        return cost is not None and self.descent.look(levels).floor >= cost

    def _lowered(self, levels: Levels) -> Levels:
        for j, least in enumerate(self.search.instance.least_levels):
            while levels[j] > least and not self.search.budget.spent:
                below = with_level(levels, j, levels[j] - 1)
                if not self._is_dear(below):
                    break
                levels = below
        return levels

    def _model(self, cost: int) -> LinearModel:
        """Return the program over nodes that exceed all refused and reach no dear ones.

        Others are left out one by one; the sum of weighted levels may have a limit.
        """
        instance = self.search.instance
        builder = LinearModelBuilder()
        low, high = instance.least_levels, instance.greatest_levels
        steps = [
            [
                builder.variable(step < low[j], step < high[j], weight)
                for step in range(instance.heights[j])
            ]
            for j, weight in enumerate(instance.weights)
        ]
        for column in steps:
            for lower, higher in pairwise(column):
                builder.row([lower, higher], [1, -1], at_least=0)

        def above(levels: Levels) -> list[int]:
            pairs = zip(steps, levels, strict=True)
            return [column[level] for column, level in pairs if level < len(column)]

        def reached(levels: Levels) -> list[int]:
            pairs = zip(steps, levels, strict=True)
            return [column[level - 1] for column, level in pairs if level]

        for levels in self.refused:
            builder.row(above(levels), 1, at_least=1)
        for levels in self.dear:
            builder.row(reached(levels), 1, at_most=len(reached(levels)) - 1)
        for levels in self.left_out:
            open_steps, taken = above(levels), reached(levels)
            signs = [1] * len(open_steps) + [-1] * len(taken)
            builder.row([*open_steps, *taken], signs, at_least=1 - len(taken))
        if instance.is_linear:
            listed = [step for column in steps for step in column]
            pairs = zip(instance.weights, instance.heights, strict=True)
            prices = [weight for weight, height in pairs for _ in range(height)]
            builder.row(listed, prices, at_most=cost - instance.unit)
        return builder.build()
