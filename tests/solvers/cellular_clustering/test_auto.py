import random
import threading
from functools import partial

import numpy as np
import pytest
from drawing import uniform
from searching import search_of, searched
from small_instances import DRAWN

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.certificates.cellular_clustering import check_certificate
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.auto import generate_columns, solve
from atleastk.solvers.cellular_clustering.first import (
    begin,
    least_payments,
    raise_by_much,
)
from atleastk.solvers.engine.set_partition import closing

square = partial(uniform, CellularClustering, high=10_000)


def columns_alone(search):
    instance = search.instance
    if instance.least_clustered == 0 or instance.n < instance.r:
        begin(search, "greedy")
    else:
        search.raise_bound(0, "nothing")
        generate_columns(search)


@pytest.mark.parametrize("long", [closing.LONG, 0])
def test_column_generation_without_any_solution(monkeypatch, long):
    """With triples, too, where no list is short enough to be tried before these."""
    monkeypatch.setattr(closing, "LONG", long)
    rng = random.Random(100)
    for _ in range(100):
        instance = DRAWN["cellular-clustering"](rng)
        search = searched(columns_alone, instance, workers=rng.choice([1, 2]))
        best = optimum(instance)
        assert search.closed, instance
        assert search.cost == (None if best is None else best[0]), instance
        if search.certificate is not None:
            check_certificate(instance, search.certificate, search.bound)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("n", "options", "cost"),
    [
        (30, {"r": 3}, 51_900),
        (50, {"r": 5}, 94_210),
        (50, {"r": 5, "centres": "member"}, 94_210),
    ],
)
def test_points_in_a_square(n, options, cost, workers):
    search = searched(solve, square(n, **options), workers=workers)
    assert search.closed
    assert search.cost == cost


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("n", "r"), [(400, 5), (2500, 1), (2500, 4)])
def test_who_is_told_to_stop_does(n, r, workers):
    budget = Budget(workers=workers)
    search = search_of(square(n, r=r), budget)
    timer = threading.Timer(0.5, budget.stop.set)
    timer.start()
    try:
        solve(search)
    finally:
        timer.cancel()
    assert budget.stop.is_set() or search.closed
    assert None in (search.cost, search.bound) or search.bound <= search.cost


@pytest.mark.parametrize("options", [{}, {"centres": "any"}, {"max_outliers": 9}])
def test_many_points_have_duals(options):
    search = search_of(square(400, r=5, **options))
    assert begin(search, "greedy")
    raise_by_much(search, search.budget)
    paid = np.sort(least_payments(search.instance, Budget()))
    assert search.bound >= paid[: search.instance.least_clustered].sum()
    assert search.cost is not None


def test_many_places_are_clustered_at_once():
    places = [(i * 37 % 120 - 60 + i / 1e4, i * 53 % 300 - 150.0) for i in range(8000)]
    instance = CellularClustering(points=places, metric="great-circle", r=3)
    assert searched(solve, instance, seconds=0.0).cost is not None


@pytest.mark.parametrize("most", [2**63, 10**400])
def test_limits_beyond_all_points_are_no_numbers_of_a_model(most):
    """They limit nothing, and 64 bits or a double do not hold them."""
    instance = CellularClustering(
        points=[[0], [0], [1], [2]], r=2, max_clusters=most, max_outliers=1
    )
    search = searched(solve, instance)
    assert (search.cost, search.bound) == (optimum(instance)[0], optimum(instance)[0])
