"""Suppression: what every method does first.

Tables below k rows are infeasible, and the empty table is solved. A row that fewer than
k - 1 others equal loses cells: at least its distance to k - 1 others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from atleastk.instances.suppression import Suppression
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import (
    SuppressionSolution,
    check,
    solution_of_groups,
)
from atleastk.solvers.search import Search
from atleastk.solvers.tables.first_groups import first_groups, peeled
from atleastk.solvers.tables.wide_tables import least_known

_MANY: Final = 1_000_000
"""Cells that are suppressed, and counted, in a second: not tuned."""


def begin(search: Search[Suppression], source: str) -> bool:
    """Settle instances that need no search; return whether this one is still open."""
    instance = search.instance
    if instance.has_too_few:
        search.close_infeasible("count", {"kind": "count"})
        return False
    if not instance.n:
        search.offer(SuppressionSolution(()), source)
        assert search.cost is not None
        search.raise_bound(search.cost, source)
        return False
    if instance.minimise == "k":
        search.raise_bound(-instance.n, source)
    else:
        search.raise_bound(0, source)
    return not search.done


def wishing(instance: Suppression, **wishes: Any) -> Suppression:
    """Return an instance of the same table with other wishes."""
    made = replace(instance, **wishes)
    vars(made)["records"] = instance.records
    return made


def unlimited(instance: Suppression, minimise: str) -> Suppression:
    """Return an instance of the same table without limits and orders."""
    unordered = wishing(instance, row_order=None, column_order=None)
    return wishing(unordered, minimise=minimise, limits={})


def first_answers(instance: Suppression) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; they may break limits and orders.

    To suppress all cells of many takes long, and is of no use beside another solution.
    """
    if not instance.n:
        yield "no rows", SuppressionSolution(())
    for name, found in _first_groups(instance):
        solution = solution_of_groups(instance, found.groups)
        yield name, solution
        many = instance.n * instance.m > _MANY
        if many and check(instance, solution).feasible:
            return


def _first_groups(instance: Suppression) -> Iterable[tuple[str, Solution]]:
    """Return first groups, the better ones first; intact columns split the table."""
    records, k, intact = instance.records, instance.k, instance.intact
    if intact and records.n >= k:
        return [("peeled columns", peeled(records, k, intact).solution(records))]
    return reversed([*first_groups(records, k)])


def offer_if_feasible(
    search: Search[Suppression], solution: Solution, source: str
) -> float:
    """Report a solution of a less limited problem, if it keeps all limits.

    Return its cost then, and infinity otherwise.
    """
    if not isinstance(solution, SuppressionSolution):
        solution = solution_of_groups(search.instance, solution.groups)
    return search.offer_if_feasible(solution, source)


def raise_to(
    search: Search[Suppression], least: Mapping[str, int], source: str
) -> None:
    """Raise the bound by quantities that every solution reaches at least.

    If a limit is below its quantity nothing is feasible.
    """
    instance = search.instance
    above = [q for q, limit in instance.limits.items() if least.get(q, 0) > limit]
    if above:
        search.close_infeasible(source)
    elif instance.minimise in least:
        search.raise_bound(least[instance.minimise], source)


def least_measures(search: Search[Suppression]) -> dict[str, int]:
    """Return bounds on the quantities, by the distances of rows.

    Touched rows are none or k at least; where columns of the region may explain their
    stars there is no bound on their number.
    """
    instance = search.instance
    records, k = instance.records, instance.k
    each = least_known(records, k, search.budget.share(0.25))
    entries = int(each @ records.copies)
    touched = int(records.copies[each > 0].sum())
    least = {"per_row": int(each.max(initial=0)), **from_entries(instance, entries)}
    if "columns" not in instance.region:
        least["rows"] = max(touched, k) if touched else 0
    return least


def from_entries(instance: Suppression, entries: int) -> dict[str, int]:
    """Return the bounds that follow from one on the number of suppressed cells."""
    n, m = max(1, instance.n), max(1, instance.m)
    least = {
        "entries": entries,
        "per_row": -(-entries // n),
        "per_column": -(-entries // m),
    }
    match instance.region:
        case ("rows",):
            least["rows"] = -(-entries // m)
        case ("columns",):
            least["columns"] = -(-entries // n)
    return least
