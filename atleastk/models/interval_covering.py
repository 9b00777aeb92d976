"""Interval covering: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.interval_covering`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from atleastk.instances.interval_covering import IntervalCovering
from atleastk.models.covering import check_levels
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, Verdict


def check(instance: IntervalCovering, solution: Solution) -> Verdict:
    """Recompute the cost of a solution and list its violations."""
    return check_levels(instance, solution, tuple(_gaps(solution)))


def _gaps(solution: Solution) -> Iterator[str]:
    if isinstance(solution.groups, PackedGroups) and solution.groups.are_ranges:
        return
    for g, group in enumerate(solution.groups):
        for before, after in pairwise(sorted(group)):
            if after > before + 1:
                yield (
                    f"group {g} is no interval: it holds items {before} and {after}, "
                    f"but not item {before + 1}"
                )
                break
