import random

import numpy as np
import pytest
from searching import search_of

from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import check
from atleastk.solvers.brute_force.suppression import Outcomes
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression import near_bound
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.suppression.near_bound import minimise_near_bound
from atleastk.solvers.suppression.padding import padded

MOST = 100_000


def near(instance, budget=None):
    search = Search(instance, check, budget or Budget.of(1000.0))
    listing = Listing.of(instance, search.budget, MOST)
    minimise_near_bound(search, listing, (), "near", search.budget)
    return search


WISHES = (
    {},
    {"intact": [1]},
    {"limits": {"per_row": 2}},
    {"limits": {"per_column": 2}},
    {"limits": {"rows": 3}},
    {"row_order": [[0, 3], [1, 2]]},
    {"column_order": [[2], [0], [1]]},
)


@pytest.mark.parametrize("wish", WISHES, ids=str)
def test_all_pairs_that_matter_are_offered_in_the_end(wish):
    rng = random.Random(3)
    solved = 0
    for _ in range(6):
        table = [tuple(rng.randrange(2) for _ in range(3)) for _ in range(4)]
        instance = Suppression(table, 2, **wish)
        best = Outcomes.of(instance.table).best(instance)
        search = near(instance)
        assert (search.cost, search.closed) == (best, best is not None)
        solved += search.closed
    assert solved > 1


@pytest.mark.parametrize("workers", [1, 2])
def test_a_wish_that_costs_nothing_is_found_among_the_first_pairs(monkeypatch, workers):
    """Each four rows fit together by either column, and few choices keep the wish."""
    monkeypatch.setattr(near_bound, "_SPARES", (0.1,))
    table = [(2 * i + p, 2 * i + q) for i in range(6) for p in (0, 1) for q in (0, 1)]
    wish = Suppression(table, 2, column_order=[[0], [1]], limits={"per_column": 12})
    search = near(wish, Budget.of(1000.0, workers))
    assert search.cost == 24
    assert search.closed


def test_what_breaks_an_order_is_padded(monkeypatch):
    asked = []
    minimise = near_bound._minimise

    def without_orders(search, *more):
        asked.append(search)
        if search.instance.row_order is None:
            minimise(search, *more)

    monkeypatch.setattr(near_bound, "_minimise", without_orders)
    table = np.random.default_rng(0).integers(0, 3, (20, 4)).tolist()
    order = [range(10), range(10, 20)]
    search = near(Suppression(table, 3, row_order=order))
    plain = near(Suppression(table, 3))
    assert search in asked
    assert plain.cost < search.cost < 80
    assert search.bound == plain.cost


@pytest.mark.parametrize(
    "wish",
    [
        {"intact": [0]},
        {"column_order": [[3], [2], [1], [0]]},
        {"row_order": [range(10), range(10, 20)]},
        {"limits": {"per_row": 3}},
    ],
    ids=str,
)
def test_it_begins_with_the_groups_given(monkeypatch, wish):
    monkeypatch.setattr(near_bound, "_minimise", lambda *_: None)
    table = np.random.default_rng(0).integers(0, 2, (20, 4)).tolist()
    instance = Suppression(table, 2, **wish)
    apart = (
        [*np.flatnonzero([row[0] for row in table])],
        [*np.flatnonzero([not row[0] for row in table])],
    )
    begun = check(instance, padded(instance, apart))
    assert begun.feasible
    search = search_of(instance, seconds=1000.0)
    listing = Listing.of(instance, search.budget, MOST)
    minimise_near_bound(search, listing, apart, "near", search.budget)
    assert search.cost <= begun.cost
