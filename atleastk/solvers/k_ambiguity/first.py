"""k-ambiguity: what every method does first.

Tables below k rows are infeasible; empty ones and those without needy rows are solved.
The others get the solution of Lemma 1, less the cells that are not needed, those of
near rows, and the bound of single columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.in_time import look_up
from atleastk.models.k_ambiguity import needed_by_columns, needs, solution_of_mask
from atleastk.models.results.solution import Solution
from atleastk.solvers.k_ambiguity.local_search import nearest, released, suppressed_rows
from atleastk.solvers.search import Search
from atleastk.solvers.tables.first_groups import first_groups

_MOST_WORK: Final = 200_000_000
"""Pairs of rows times columns that are compared to match near rows."""


def begin(search: Search[KAmbiguity], source: str) -> bool:
    """Report first solutions and a bound; return whether the search is still open."""
    instance = search.instance
    if instance.has_too_few:
        search.close_infeasible("count", {"kind": "count"})
        return False
    if not instance.n:
        search.offer((), source)
        search.raise_bound(0, source, {"kind": "columns"})
        return False
    hidden = suppressed_rows(instance)
    look_up()
    if not needs(instance).any():
        hidden = np.zeros_like(hidden)
    most = int(hidden.sum())
    hidden = released(instance, hidden)
    look_up()
    released_rows = solution_of_mask(instance, hidden)
    look_up()
    search.offer(released_rows, "suppressed rows")
    look_up()
    needy = int((needs(instance)[instance.records.record_of] > 0).sum())
    if 0 < needy * instance.n * instance.m * instance.k < _MOST_WORK:
        near = nearest(instance, 4 * most, search.budget)
        if near is not None:
            found = solution_of_mask(instance, released(instance, near))
            search.offer(found, "near rows")
    search.raise_bound(needed_by_columns(instance), "columns", {"kind": "columns"})
    return not search.done


def first_answers(instance: KAmbiguity) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if there are too few rows.

    Rows that are alike match. The mask of Lemma 1 stays as it is: to find out what is
    not needed takes longer.
    """
    if not instance.n:
        yield "no rows", Solution(())
    elif instance.n >= instance.k:
        yield "suppressed rows", solution_of_mask(instance, suppressed_rows(instance))
        yield from first_groups(instance.records, instance.k)
