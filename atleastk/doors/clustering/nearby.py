"""A least greatest radius, and then rows that are near their centres.

That the farthest row cannot be nearer says nothing of the others; see
:mod:`atleastk.solvers.r_gather.nearer`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from atleastk.doors.afterwards import afterwards, replaced
from atleastk.instances.clustering import Clustering
from atleastk.instances.pair_partition import PairPartition
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution, completed
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within
from atleastk.solvers.budget import Budget
from atleastk.solvers.goal import Goal
from atleastk.solvers.pair_partition import runs
from atleastk.solvers.r_gather.nearer import nearer

_ROUNDING: Final = Fraction(1, 10**7)
"""Squares of one column are rounded once a cluster, and are the best but for that."""

_OF_THE_RADIUS: Final = 0.9
"""The share of the time in which the radius is made less: not tuned."""


def solve_nearby(instance: Clustering | PairPartition, ask: Ask) -> Outcome:
    """Solve an instance; where the radius is least, bring rows near their centres."""
    if isinstance(instance, PairPartition) and not runs.refuses(instance):
        ask = replace(ask, goal=Goal(_ROUNDING)) if ask.goal == Goal() else ask
        return solve_within(instance, ask)
    if not isinstance(instance, RGather) or instance.any_centre:
        return solve_within(instance, ask)
    first = replace(ask, budget=ask.budget.share(_OF_THE_RADIUS))
    outcome = solve_within(instance, first)
    solution = outcome.result.solution
    if solution is None:
        return outcome
    full = completed(instance, solution)

    def work(rest: Budget, offer: Callable[[ClusteringSolution], object]) -> None:
        nearer(instance, full, rest, offer)

    found, outcome = afterwards(work, outcome, ask)
    return outcome if found is None else replaced(instance, outcome, found, ask)
