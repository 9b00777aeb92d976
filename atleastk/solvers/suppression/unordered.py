"""The stars of the fullest column, first without importance orders; then padded.

An order makes a model much harder, and seldom costs more: columns are padded up to what
a more important one has, so the fullest column gains less than the rows of one group.
Where few columns may lose cells, the most important ones lose none: otherwise padding
would affect more columns than may lose any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from atleastk.instances.suppression import Suppression
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.first import offer_if_feasible
from atleastk.solvers.suppression.padding import padded
from atleastk.solvers.tables.reporting import inner_search


def offer_unordered(
    search: Search[Suppression],
    solve: Callable[[Search[Suppression]], object],
    budget: Budget,
    source: str,
) -> None:
    """Solve an instance without its orders, and offer its solutions, padded."""
    instance = search.instance
    intact = _intact(instance)
    unordered = replace(instance, row_order=None, column_order=None, intact=intact)

    def offer(found: Solution) -> None:
        offer_if_feasible(search, padded(instance, found.groups), source)

    inner = inner_search(unordered, check, budget, offer)
    solve(inner)
    if inner.bound is not None and intact == instance.intact and not search.closed:
        search.raise_bound(inner.bound, source)


def _intact(instance: Suppression) -> tuple[int, ...]:
    """Return the intact columns, and the most important ones of those that must be.

    In a class those of fewest values come first: rows that agree on them are many.
    """
    most = instance.limits.get("columns")
    if most is None or instance.region != ("columns",):
        return tuple(instance.intact)
    values = [len(set(column)) for column in zip(*instance.table, strict=True)]
    intact = list(dict.fromkeys(instance.intact))
    for columns in instance.column_order or ():
        fewest = sorted(set(columns).difference(intact), key=values.__getitem__)
        intact += fewest[: max(0, instance.m - most - len(intact))]
    return tuple(intact)
