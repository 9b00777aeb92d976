"""Diversity: what every method does first.

All rows as one group, and on entries classes that hide few columns.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from atleastk.instances.diversity import Diversity
from atleastk.models.certificates.diversity import least_at
from atleastk.models.certificates.generalization import (
    certificate_of_nothing,
    highest_refuses,
)
from atleastk.models.diversity import is_diverse_whole
from atleastk.models.generalization import completed
from atleastk.models.results.solution import Solution
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.diversity.first_classes import peeled_classes
from atleastk.solvers.diversity.kind_patterns import kinds_of
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.generalization.first import first_answers as plain_answers
from atleastk.solvers.search import Search
from atleastk.solvers.tables.assignment import Assignment


def begin(search: Search[Diversity], source: str) -> bool:
    """Report first solutions and a bound; return whether the search is still open.

    All rows as one class are feasible, or nothing is: see "Joins" in
    :mod:`atleastk.instances.diversity`.
    """
    instance = search.instance
    if instance.has_too_few:
        search.close_infeasible("count", {"kind": "count"})
        return False
    if not is_diverse_whole(instance):
        search.close_infeasible("one group", {"kind": "whole"})
        return False
    if highest_refuses(instance, least_at):
        search.close_infeasible("all tops", {"kind": "highest"})
        return False
    offer_first(search, _grouped(instance))
    search.raise_bound(0, source, certificate_of_nothing(instance))
    return not search.done


def first_answers(instance: Diversity) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if the instance is infeasible."""
    if not instance.has_too_few and is_diverse_whole(instance):
        yield from _grouped(instance)


def _grouped(instance: Diversity) -> Iterator[tuple[str, Solution]]:
    if instance.on == "attributes":
        yield from plain_answers(instance)
        return
    if not instance.n:
        yield "one group", completed(instance, Solution(()))
        return
    kinds = kinds_of(instance, records_of_levels(instance))[0]
    every = np.arange(kinds.distinct)
    for name, found in (
        ("one group", Assignment.of(np.zeros_like(every), every, kinds.copies)),
        ("peeled columns", peeled_classes(instance, kinds)),
    ):
        yield name, completed(instance, found.solution(kinds))
