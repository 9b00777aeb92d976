"""Rounding the duals of column generation to short integer weights.

The duals are scaled by numbers with many divisors, since LP duals of small instances
are fractions with small denominators; the first scale whose rounded duals prove the
bound, in exact integers, gives the shortest weights. A last resort are the weights at
the working precision of the column generation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.certificates.weights import proven_cost
from atleastk.models.groups import GroupModel
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.column_generation import MasterAnswer, scaled

__all__ = ["SCALES", "costing_weights", "refuting_weights"]

SCALES = (1, 2, 6, 12, 60, 360, 2520, 10**4, 10**6)
"""Scales that are tried for short weights: many fractions become whole at the first
ones."""


def refuting_weights(
    groups: GroupModel, answer: MasterAnswer, budget: Budget
) -> tuple[int, ...] | None:
    """Return short weights that refute every partition, or None.

    `answer` is that of :func:`~atleastk.solvers.engine.column_generation.solve_master`.
    """
    if not answer.infeasible:
        return None
    with suppress(NotApplicableError):  # finer weights would be too large as well
        for weights, _ in _candidates(answer, budget):
            if proven_cost(groups, weights, 0) is None:
                return weights
    return answer.weights


def costing_weights(
    groups: GroupModel,
    answer: MasterAnswer,
    enough: Callable[[int], bool],
    budget: Budget,
) -> tuple[tuple[int, ...], int]:
    """Return weights and a scale whose bound is enough, short ones if there are any.

    `answer` is that of :func:`~atleastk.solvers.engine.column_generation.solve_master`;
    its own bound must be enough.
    """
    with suppress(NotApplicableError):  # finer weights would be too large as well
        for weights, scale in _candidates(answer, budget):
            proved = proven_cost(groups, weights, scale)
            if proved is not None and enough(proved):
                return weights, scale
    return answer.weights, answer.scale


def _candidates(
    answer: MasterAnswer, budget: Budget
) -> Iterator[tuple[tuple[int, ...], int]]:
    for scale in SCALES if answer.duals else ():
        if budget.spent:
            return
        yield scaled(answer.duals, scale), scale
