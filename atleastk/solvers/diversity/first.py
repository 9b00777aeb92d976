"""Diversity: what every method does first.

All rows as one group, and on entries classes that hide few columns, and groups of
neighbours in the order of the sorted rows: those that break a condition are merged with
the next ones, until all satisfy it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.certificates.diversity import least_at
from atleastk.models.certificates.generalization import (
    certificate_of_nothing,
    highest_refuses,
)
from atleastk.models.diversity import failing_kinds, is_diverse_whole
from atleastk.models.generalization import completed
from atleastk.models.results.solution import Solution
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.diversity.first_classes import peeled_classes
from atleastk.solvers.diversity.kind_patterns import kinds_of
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.generalization.first import first_answers as plain_answers
from atleastk.solvers.search import Search
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.first_groups import neighbours

_MOST_ROWS: Final = 1_000_000
"""Rows up to which neighbours are merged, one row at a time."""


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
    plain = records_of_levels(instance)
    kinds = kinds_of(instance, plain)[0]
    every = np.arange(kinds.distinct)
    for name, found in (
        ("one group", Assignment.of(np.zeros_like(every), every, kinds.copies)),
        ("peeled columns", peeled_classes(instance, kinds)),
    ):
        yield name, completed(instance, found.solution(kinds))
    if instance.n <= _MOST_ROWS:
        merged = _merged_neighbours(instance, plain, kinds)
        yield "neighbours", completed(instance, merged.solution(kinds))


def _merged_neighbours(
    instance: Diversity, plain: Records, kinds: Records
) -> Assignment:
    """Return groups of neighbours that satisfy the condition; all rows together do."""
    kind_of = kinds.record_of
    ones = np.ones_like(kind_of)
    classes = neighbours(plain, min(instance.least_rows, instance.n))
    while (broken := failing_kinds(instance, classes, kind_of, ones)).any():
        begins, joins = np.ones(len(broken), dtype=np.bool_), False
        for group, breaks in enumerate(broken.tolist()):
            # A group that breaks joins the next one, the last one that before it.
            begins[group] = not joins
            joins = breaks and not joins
        begins[-1] &= not broken[-1]
        begins[0] = True
        classes = (np.cumsum(begins) - 1)[classes]
    return Assignment.of(classes, kind_of, ones)
