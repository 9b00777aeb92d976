"""What deletion problems say of others: bounds on the region, and whole columns.

Theorem
-------
The fewest rows (or columns) of a deletion problem bound those of every problem with the
same region. Proof: let C be the columns of the region of a solution, and R all rows
with a star outside C. Rows of one group have the same stars, so R is made of whole
groups and is empty or has k rows. Suppress R and C as a whole: groups outside R stay
alike, and R is one group.
"""

from __future__ import annotations

import numpy as np

from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import (
    SuppressionSolution,
    check,
    mask_of,
    solution_of_mask,
)
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.deletion import minimise_deletion
from atleastk.solvers.suppression.first import offer_if_feasible, raise_to


def bound_by_deletion(search: Search[Suppression], budget: Budget) -> None:
    """Bound the size of the region by that of a deletion, and offer it."""
    instance = search.instance
    if not instance.region or instance.intact:
        return
    least = instance.minimise if instance.minimise in instance.region else None
    cost = least or instance.region[0]
    others = {q: instance.limits[q] for q in instance.region if q in instance.limits}
    others.pop(cost, None)
    deletion = Suppression(
        instance.table, instance.k, minimise=cost, limits=others, deletion=True
    )
    deleting = Search(deletion, check, budget)
    with budget.awaiting():
        minimise_deletion(deleting, "deletion")
    if deleting.infeasible:
        search.close_infeasible("deletion")
        return
    if deleting.solution is not None:
        offer_if_feasible(search, deleting.solution, "deletion")
    if deleting.bound is not None:
        raise_to(search, {cost: deleting.bound}, "deletion")


def offer_whole_columns(search: Search[Suppression], budget: Budget) -> None:
    """Offer few columns as a whole where the stars of single rows or columns count.

    All rows have the same number of stars then, and no class of columns loses one that
    is more important than one that stays. Classes stay as long as the table allows; of
    the first that cannot, the fewest columns go, and all of the others behind it.
    """
    instance = search.instance
    ordered = instance.row_order or instance.column_order
    if not (ordered or "per_row" in {instance.minimise, *instance.limits}):
        return
    left = sorted(set(instance.intact))
    for members in instance.column_order or (range(instance.m),):
        places = [*left, *(j for j in members if j not in left)]
        part = Suppression(
            [[row[j] for j in places] for row in instance.table],
            instance.k,
            minimise="columns",
            deletion=True,
            intact=range(len(left)),
        )
        deleting = Search(part, check, budget)
        with budget.awaiting():
            minimise_deletion(deleting, "deletion")
        if deleting.infeasible:
            return
        if deleting.solution is None:
            break
        assert isinstance(deleting.solution, SuppressionSolution)
        hidden = mask_of(part, deleting.solution)
        left = [j for place, j in enumerate(places) if not hidden[0, place]]
        if len(left) < len(places):
            break
    offer_if_feasible(search, _without_columns(instance, left), "whole columns")


def offer_one_group(search: Search[Suppression]) -> None:
    """Offer the solution without a cell, except in intact columns.

    No other loses more entries.
    """
    if search.instance.minimise == "entries" and search.solution is not None:
        return
    one = _without_columns(search.instance, list(search.instance.intact))
    offer_if_feasible(search, one, "one group")


def _without_columns(instance: Suppression, left: list[int]) -> SuppressionSolution:
    hidden = np.ones((instance.n, instance.m), dtype=np.bool_)
    hidden[:, left] = False
    return solution_of_mask(instance, hidden)
