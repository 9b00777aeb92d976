"""Groups of near rows, rearranged at the cost of padded columns.

The moves are those of :mod:`~atleastk.solvers.tables.near_moves`, accepted by what the
whole table costs once it is padded: :mod:`~atleastk.solvers.tables.orders`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from atleastk.instances.suppression import Suppression
from atleastk.models.results.solution import Solution, labels_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.first import offer_if_feasible
from atleastk.solvers.suppression.padding import padded
from atleastk.solvers.tables.near_moves import regroup
from atleastk.solvers.tables.orders import Order
from atleastk.solvers.tables.reporting import SECONDS_PER_ROW, Throttle


def order_of(instance: Suppression) -> Order:
    """Return the importance order of the columns of an instance."""
    classes = instance.column_order or ()
    columns = [j for members in classes for j in members]
    free = np.ones(instance.m, dtype=np.bool_)
    free[list(instance.intact)] = False
    return Order(
        np.array(columns, dtype=np.int64),
        np.cumsum([0, *map(len, classes)]).astype(np.int64),
        free,
    )


def offer_rearranged(
    search: Search[Suppression], groups: Sequence[Sequence[int]], source: str
) -> None:
    """Rearrange groups for the time left, and report padded ones now and then.

    The table has an order of columns, none of rows, and no limits; its entries count.
    """
    instance, budget = search.instance, search.budget

    def report(found: Sequence[Sequence[int]]) -> None:
        offer_if_feasible(search, padded(instance, found), source)

    throttle = Throttle(report)
    part = budget.slice(budget.remaining - SECONDS_PER_ROW * instance.n)
    throttle.take(rearranged(instance, groups, part, throttle.take))
    throttle.flush()


def rearranged(
    instance: Suppression,
    groups: Sequence[Sequence[int]],
    budget: Budget,
    on_better: Callable[[Sequence[Sequence[int]]], object],
) -> Sequence[Sequence[int]]:
    """Return groups that cost no more than these once all are padded."""
    order = order_of(instance)
    prices = np.where(order.free, 1, 1 + instance.m).astype(np.int64)
    best = regroup(
        replace(instance.records, prices=prices),
        instance.k,
        labels_of(groups, instance.n),
        budget,
        lambda found: on_better(Solution.labelled(found).groups),
        order=order,
    )
    return Solution.labelled(best).groups
