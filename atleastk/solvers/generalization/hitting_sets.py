"""The best k-anonymous node of a lattice of any size, by an implicit hitting set.

Every k-anonymous node exceeds every refused one in some column. So for the refused
nodes known so far, a node of least loss that exceeds all of them bounds the optimum.
If it is k-anonymous it is best; otherwise it is raised as far as it stays refused, and
becomes one of them.

Discernibility and average class size are not linear in the levels. There, any node that
exceeds all the refused ones, and does not reach one of those that are known to lose as
much as the best, is counted, until there is none. Where rows may be suppressed, a
k-anonymous node may lose more than one above it; then it is left out alone.

Both end: every node that is found is excluded. The lattice itself is never written
down; the program has one 0/1 variable per column and level.

References
----------
E. Moreno-Centeno, R. M. Karp, "The Implicit Hitting Set Approach to Solve Combinatorial
Optimization Problems", Operations Research 61(2), 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from atleastk.instances.generalization import Generalization
from atleastk.models.generalization import solution_of_levels
from atleastk.models.linear import LinearModel, LinearModelBuilder
from atleastk.models.status import Status
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.generalization.counting import Counter
from atleastk.solvers.search import Search

__all__ = ["minimise_by_hitting_sets"]

Levels = tuple[int, ...]


def minimise_by_hitting_sets(search: Search[Generalization], source: str) -> None:
    """Minimise on attributes; the search has a solution to start from."""
    instance, budget = search.instance, search.budget
    counter = Counter(instance)
    linear = instance.is_linear
    refused: list[Levels] = []
    dear: list[Levels] = []
    counted: list[Levels] = []

    def is_refused(levels: Levels) -> bool:
        return counter.count(levels).refused

    def is_dear(levels: Levels) -> bool:
        return search.cost is not None and counter.count(levels).floor >= search.cost

    while not search.done:
        model = _model(instance, refused, dear, counted)
        answer = Highs().minimise(model, budget)
        if answer.status is Status.INFEASIBLE and search.cost is not None:
            search.raise_bound(search.cost, source)
            return
        if linear and answer.bound is not None:
            search.raise_bound(min(answer.bound, search.cost or 0), source)
        if answer.values is None or search.done:
            return
        values = iter(answer.values.tolist())
        levels = tuple(
            sum(next(values) for _ in range(height)) for height in instance.heights
        )
        count = counter.count(levels)
        if count.loss is None:
            refused.append(_moved(instance, levels, 1, is_refused, search))
        elif search.cost is None or count.loss < search.cost:
            search.offer(solution_of_levels(instance, levels), source)
        if not linear and is_dear(levels):
            dear.append(_moved(instance, levels, -1, is_dear, search))
        elif not linear and not count.refused:
            counted.append(levels)


def _model(
    instance: Generalization,
    refused: Sequence[Levels],
    dear: Sequence[Levels],
    counted: Sequence[Levels],
) -> LinearModel:
    """Return the program over nodes that exceed all refused and reach no dear ones.

    Nodes that were counted are left out one by one.
    """
    builder = LinearModelBuilder()
    steps = [
        [builder.variable(0, 1, weight) for _ in range(height)]
        for height, weight in zip(instance.heights, instance.weights, strict=True)
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

    for levels in refused:
        builder.row(above(levels), 1, at_least=1)
    for levels in dear:
        builder.row(reached(levels), 1, at_most=len(reached(levels)) - 1)
    for levels in counted:
        open_steps, taken = above(levels), reached(levels)
        signs = [1] * len(open_steps) + [-1] * len(taken)
        builder.row([*open_steps, *taken], signs, at_least=1 - len(taken))
    return builder.build()


def _moved(
    instance: Generalization,
    levels: Levels,
    step: int,
    holds: Callable[[Levels], bool],
    search: Search[Generalization],
) -> Levels:
    """Move a node up or down as far as something holds of it, column by column."""
    moved = list(levels)
    for j, height in enumerate(instance.heights):
        while 0 <= moved[j] + step <= height and not search.budget.spent:
            moved[j] += step
            if not holds(tuple(moved)):
                moved[j] -= step
                break
    return tuple(moved)
