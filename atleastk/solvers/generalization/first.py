"""Generalisation: what every method does first."""

from __future__ import annotations

from atleastk.instances.generalization import Generalization
from atleastk.models.certificates.generalization import certificate_of_nothing
from atleastk.models.generalization import solution_of_groups, solution_of_levels
from atleastk.solvers.search import Search

__all__ = ["begin"]


def begin(search: Search[Generalization], source: str) -> bool:
    """Give a search a solution and a bound; tell whether there is more to do.

    Tables below k rows are infeasible. The others can be one group, at the least levels
    at which it is equal; the empty table has no group.
    """
    instance = search.instance
    if 0 < instance.n < instance.k:
        search.close_infeasible(source, {"kind": "count"})
        return False
    if search.cost is None:
        groups = [range(instance.n)] if instance.n else []
        search.offer(solution_of_groups(instance, groups), source)
        if instance.on == "attributes":
            search.offer(solution_of_levels(instance, instance.heights), source)
    search.raise_bound(0, source, certificate_of_nothing(instance))
    return not search.done
