"""Levels and costs of coverings, for bins and for intervals alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from atleastk.arrays import SAFE
from atleastk.instances.covering import Covering
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, Verdict, partition_violations


def is_feasible(instance: Covering) -> bool:
    """Tell whether there is a solution: a group of all items, or no items."""
    return instance.total >= instance.k or not instance.n


def asks_max(instance: Covering) -> bool:
    """Tell whether the fullest group is minimised: what many promises are of."""
    return instance.objective == "max"


def levels(instance: Covering, solution: Solution) -> list[int]:
    """Return the level of every group: the total size of its items."""
    if isinstance(solution.groups, PackedGroups) and instance.total < SAFE:
        found: list[int] = solution.groups.sums(instance.amounts).tolist()
        return found
    size_of = instance.sizes.__getitem__
    return [sum(map(size_of, group)) for group in solution.groups]


def group_cost(instance: Covering, level: int) -> int:
    """Return the cost of a group of this level."""
    match instance.objective:
        case "max":
            return level
        case "excess":
            return level - instance.k
        case "quadratic":
            return level * (level - instance.k)


def total_cost(instance: Covering, group_levels: Iterable[int]) -> int:
    """Return the cost of a covering whose groups have these levels."""
    costs = (group_cost(instance, level) for level in group_levels)
    return max(costs, default=0) if instance.objective == "max" else sum(costs)


def check_levels(
    instance: Covering, solution: Solution, more: Sequence[str] = ()
) -> Verdict:
    """Check that the groups partition the items and reach level k.

    `more` are violations found by the caller.
    """
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    reached = levels(instance, solution)
    violations = [
        f"group {g} has level {level}, below k = {instance.k}"
        for g, level in enumerate(reached)
        if level < instance.k
    ]
    return Verdict(total_cost(instance, reached), (*violations, *more))
