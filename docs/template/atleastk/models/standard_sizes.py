"""Standard sizes: what a solution costs, and what it violates.

Solvers, checkers of certificates and pictures ask here for the cost. No result leaves
the package before `check` has recomputed its cost from the instance.
"""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.standard_sizes import StandardSizes
from atleastk.models.results.solution import Solution, Verdict, partition_violations


def is_feasible(instance: StandardSizes) -> bool:
    """Tell whether there is a solution: one group of all, or none of nothing."""
    return instance.n >= instance.k or not instance.n


def by_length(instance: StandardSizes) -> list[int]:
    """Return the items in order of length; of equal ones the first comes first."""
    return sorted(range(instance.n), key=instance.lengths.__getitem__)


def group_cost(lengths: Sequence[int]) -> int:
    """Return the material of one size: a bar of the longest length for every piece.

    `lengths` ascend. The dynamic program and the certificates ask here as well; brute
    force has the cost again, and so has the model, where it is a sum.
    """
    return len(lengths) * lengths[-1]


def check(instance: StandardSizes, solution: Solution) -> Verdict:
    """Recompute the cost of a solution and say what it violates."""
    broken = partition_violations(instance.n, solution)
    if broken:
        return Verdict(None, tuple(broken))
    small = tuple(
        f"group {g} has {len(group)} items, fewer than k = {instance.k}"
        for g, group in enumerate(solution.groups)
        if len(group) < instance.k
    )
    lengths = (sorted(instance.lengths[i] for i in g) for g in solution.groups)
    return Verdict(sum(map(group_cost, lengths)), small)
