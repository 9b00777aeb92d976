"""Diversity: the textbook algorithm, a baseline without a guarantee.

*Merge*: groups of near rows by the greedy algorithm of k-anonymity, then each group
that breaks the condition is merged with the one with which it costs least, until none
does. On attributes the columns of most distinct labels are raised until the node
satisfies it, as by Datafly.
"""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.instances.diversity import Diversity
from atleastk.models.generalization import completed
from atleastk.models.results.solution import Solution
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.group_merging import merged
from atleastk.solvers.diversity.kind_patterns import kinds_of
from atleastk.solvers.generalization.algorithms.catalogue import forest, refuses_forest
from atleastk.solvers.method import Algorithm
from atleastk.solvers.tables.assignment import Assignment


def merge(instance: Diversity, _seed: int = 0) -> Solution:
    """Merge each group of the forest algorithm that fails with the cheapest one."""
    kinds = kinds_of(instance, records_of_levels(instance))[0]
    first = Assignment.of_solution(kinds, forest(instance.relaxed))
    labels = kinds.row_groups(first.group, first.record, first.copies)
    found = merged(instance, kinds, labels, Budget())
    assert found is not None  # there is no limit
    return completed(instance, found.solution(kinds))


ALGORITHMS: Sequence[Algorithm[Diversity]] = (
    Algorithm(
        "merge",
        "On entries: groups of the forest algorithm, joined where they fail",
        merge,
        refuses=refuses_forest,
    ),
)
