"""Pair partition: what a solution costs, and what it violates.

Solvers, checkers of certificates and pictures ask here for the cost. No result leaves
the package before `check` has recomputed its cost from the instance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atleastk.instances.pair_partition import PairPartition
from atleastk.models.connected_partition import breadth_first
from atleastk.models.results.solution import Solution, Verdict, partition_violations
from atleastk.models.windows_of_groups import window_violations


def check(instance: PairPartition, solution: Solution) -> Verdict:
    """Recompute the cost of a solution and say what it violates."""
    broken = partition_violations(instance.n, solution)
    if broken:
        return Verdict(None, tuple(broken))
    groups = solution.groups
    violated = (*_violations(instance, groups), *window_violations(instance, groups))
    return Verdict(sum(map(instance.cost_of, groups)), violated)


def _violations(
    instance: PairPartition, groups: Sequence[Sequence[int]]
) -> Iterator[str]:
    for g, group in enumerate(groups):
        if len(group) < instance.k:
            yield f"group {g} has {len(group)} items, fewer than k = {instance.k}"
        if instance.connected and not is_connected(instance, group):
            yield f"group {g} is not connected"


def is_connected(instance: PairPartition, group: Sequence[int]) -> bool:
    """Return whether edges connect a group."""
    if not group:
        return True
    items = list(group)
    among = instance.adjacent[items][:, items]
    reached = next(breadth_first([row.nonzero()[0].tolist() for row in among]))
    return len(reached) == len(items)
