"""Generalisation: what every method does first."""

from __future__ import annotations

from collections.abc import Iterator

from atleastk.instances.generalization import Generalization
from atleastk.models.certificates.generalization import (
    certificate_of_nothing,
    highest_refuses,
    least_at,
)
from atleastk.models.generalization import (
    classes_on_entries,
    completed,
    solution_dropping_rest,
    solution_of_levels,
)
from atleastk.models.results.solution import Solution
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.generalization.boxes import Levels
from atleastk.solvers.search import Search
from atleastk.solvers.tables.first_groups import first_groups


def begin(search: Search[Generalization], source: str) -> bool:
    """Report first solutions and a bound; return whether the search is still open.

    Tables below k rows are infeasible, unless all of them may be dropped. The others
    can be one group, at the least levels at which it is equal; the empty table has no
    group.
    """
    instance = search.instance
    if instance.has_too_few:
        search.close_infeasible("count", {"kind": "count"})
        return False
    if highest_refuses(instance, least_at):
        search.close_infeasible("all tops", {"kind": "highest"})
        return False
    offer_first(search, first_answers(instance))
    search.raise_bound(0, source, certificate_of_nothing(instance))
    return not search.done


def first_answers(instance: Generalization) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if there are too few rows."""
    if instance.on == "attributes":
        if not instance.has_too_few:
            levels, greatest = _levels_of_one(instance), instance.greatest_levels
            if levels != greatest:
                yield "one group", solution_of_levels(instance, levels)
            yield "all tops", solution_of_levels(instance, greatest)
        return
    if instance.n <= instance.most_dropped:
        yield "no rows", solution_dropping_rest(instance, Solution(()))
    if instance.levels is not None and instance.n:
        classes = classes_on_entries(instance, instance.greatest_levels)
        yield "greatest levels", classes
        return
    for name, found in first_groups(instance.records, instance.k):
        yield name, completed(instance, found)


def _levels_of_one(instance: Generalization) -> Levels:
    """Return the least levels at which all rows are equal, or the greatest ones."""
    equal = (
        next(level for level, labels in enumerate(column.labels) if not labels.any())
        for column in instance.codes
    )
    limits = instance.least_levels, instance.greatest_levels
    return tuple(
        min(max(x, low), high) for x, low, high in zip(equal, *limits, strict=True)
    )
