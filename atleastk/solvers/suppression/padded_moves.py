"""Groups of near rows, rearranged at the cost of padded columns.

The moves are those of :mod:`~atleastk.solvers.tables.near_moves`, accepted by what the
whole table costs once it is padded: :mod:`~atleastk.solvers.tables.column_stars`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np

from atleastk.arrays import IntArray, by_label
from atleastk.instances.suppression import Suppression
from atleastk.models.results.solution import Solution, labels_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.first import offer_if_feasible
from atleastk.solvers.suppression.padding import padded, pieces
from atleastk.solvers.tables.column_stars import Order
from atleastk.solvers.tables.near_groups import near_groups
from atleastk.solvers.tables.near_moves import regroup
from atleastk.solvers.tables.reporting import SECONDS_PER_ROW, Throttle

_FACTORS: Final = (1.5, 2.0, 3.0, 4.0)
"""How many times a column counts compared with one of the next class: on Adult, 500 and
2,000 rows and five orders, each of these was the best once."""

_MOST_TIMES: Final = 24
_PARTS: Final = 4
"""How many times a column counts at most, and the parts of a price in integers."""


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


def offer_by_importance(
    search: Search[Suppression], source: str, budget: Budget
) -> None:
    """Offer groups of near rows, padded, where important columns count more.

    The table has an order of columns, none of rows, and no limits; its entries count.
    """
    instance, rank = search.instance, np.zeros(search.instance.m)
    for place, columns in enumerate(reversed(instance.column_order or ())):
        rank[list(columns)] = place
    for factor in _FACTORS:
        times = np.minimum(_MOST_TIMES, factor**rank)
        prices = np.rint(_PARTS * times).astype(np.int64)
        records = replace(instance.records, prices=prices)
        groups: list[list[int]] = []
        for rows in pieces(instance, instance.intact):
            few = records if len(rows) == instance.n else records.only(rows)
            for labels in [*islice(near_groups(few, instance.k, budget), 2)][-1:]:
                groups += [rows[part].tolist() for part in by_label(labels)]
        if search.done or budget.spent:
            return
        offer_if_feasible(search, padded(instance, groups), source)


def offer_rearranged(
    search: Search[Suppression],
    groups: Sequence[Sequence[int]],
    source: str,
    budget: Budget,
) -> None:
    """Rearrange groups, and report padded ones now and then; the table is as above."""
    instance, order = search.instance, order_of(search.instance)

    def report(labels: IntArray) -> None:
        found = Solution.labelled(labels).groups
        offer_if_feasible(search, padded(instance, found), source)

    prices = np.where(order.free, 1, 1 + instance.m).astype(np.int64)
    records = replace(instance.records, prices=prices)
    labels = labels_of(groups, instance.n)
    throttle = Throttle(report)
    part = budget.slice(budget.remaining - SECONDS_PER_ROW * instance.n)
    throttle.take(
        regroup(records, instance.k, labels, part, throttle.take, order=order)
    )
    throttle.flush()
