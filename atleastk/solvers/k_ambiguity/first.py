"""k-ambiguity: what every method does first.

Tables below k rows are infeasible; empty ones and those without needy rows are solved.
The others get the solution of Lemma 1, less the cells that are not needed, those of
near rows, and the bound of single columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.in_time import look_up
from atleastk.models.k_ambiguity import needed_by_columns, needs, solution_of
from atleastk.models.results.solution import Solution
from atleastk.solvers.k_ambiguity.local_search import (
    apart,
    nearest,
    released,
    suppressed_rows,
)
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
    search.raise_bound(needed_by_columns(instance), "columns", {"kind": "columns"})
    needy = int(instance.records.copies[needs(instance) > 0].sum())
    looks = suppressed_rows(instance) if needy else apart(instance)
    search.offer(solution_of(instance, released(instance, looks)), "suppressed rows")
    look_up()
    if 0 < needy * len(looks.record) * instance.m * instance.k < _MOST_WORK:
        near = nearest(instance, 4 * looks.cost, search.budget)
        if near is not None:
            found = solution_of(instance, released(instance, near))
            search.offer(found, "near rows")
    return not search.done


def first_answers(instance: KAmbiguity) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if there are too few rows.

    Rows that are alike match. The mask of Lemma 1 stays as it is: to find out what is
    not needed takes longer.
    """
    if not instance.n:
        yield "no rows", Solution(())
    elif instance.n >= instance.k:
        yield "suppressed rows", solution_of(instance, suppressed_rows(instance))
        yield from first_groups(instance.records, instance.k)
