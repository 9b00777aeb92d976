"""Diversity: what every method does first."""

from __future__ import annotations

from atleastk.instances.diversity import Diversity
from atleastk.models.certificates.generalization import certificate_of_nothing
from atleastk.models.diversity import keeps
from atleastk.models.generalization import solution_of_groups
from atleastk.solvers.search import Search

__all__ = ["begin"]


def begin(search: Search[Diversity], source: str) -> bool:
    """Give a search a solution and a bound; tell whether there is more to do.

    All rows as one class are feasible, or nothing is: see "Joins" in
    :mod:`atleastk.instances.diversity`.
    """
    instance = search.instance
    if 0 < instance.n < instance.k:
        search.close_infeasible(source, {"kind": "count"})
        return False
    if not keeps(instance, range(instance.n)):
        search.close_infeasible(source, {"kind": "whole"})
        return False
    if search.cost is None:
        groups = [range(instance.n)] if instance.n else []
        search.offer(solution_of_groups(instance, groups), source)
    search.raise_bound(0, source, certificate_of_nothing(instance))
    return not search.done
