import json
import random
import threading

import numpy as np
import pytest
from drawing import symmetric
from searching import search_of, searched

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.cellular_clustering import check
from atleastk.models.certificates.cellular_clustering import check_certificate
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.auto import generate_columns, solve
from atleastk.solvers.cellular_clustering.first import begin, least_payments
from atleastk.solvers.search import Search


def random_instance(rng):
    n = rng.randint(0, 7)
    options = {
        "r": rng.randint(1, 3),
        "max_clusters": rng.choice([None, None, 1, 2]),
        "max_outliers": rng.choice([0, 0, 1, 2]),
        "centres": rng.choice(["input", "member", "any"]),
    }
    if options["centres"] != "any" and rng.random() < 0.5:
        options["facility_costs"] = [rng.choice([0, 3, 10, 11]) for _ in range(n)]
    if rng.random() < 0.3:
        points = [[rng.randrange(3) for _ in range(4)] for _ in range(n)]
        return CellularClustering(points=points, metric="hamming", **options)
    if rng.random() < 0.5:
        points = [[rng.randrange(30), rng.randrange(30)] for _ in range(n)]
        return CellularClustering(points=points, scale=2, **options)
    far, most = rng.choice([0, 0, 0.2, 0.6]), rng.choice([2, 9, 100])
    rows = symmetric(n, lambda: None if rng.random() < far else rng.randrange(most))
    return CellularClustering(distances=rows, **options)


def judged(instance, run, workers=1):
    search = searched(run, instance, workers=workers)
    best = optimum(instance)
    assert search.closed, instance
    assert search.infeasible == (best is None), instance
    if best is not None:
        assert search.cost == search.bound == best[0], instance
    if search.certificate is not None:
        proof = json.loads(json.dumps(search.certificate))
        check_certificate(instance, proof, search.bound if best else None)
    return search


@pytest.mark.parametrize("seed", range(5))
def test_two_workers_against_the_judge(seed):
    rng = random.Random(seed)
    for _ in range(20):
        judged(random_instance(rng), solve, 2)


def columns_alone(search):
    instance = search.instance
    if instance.least_clustered == 0 or instance.n < instance.r:
        begin(search, "greedy")
    else:
        search.raise_bound(0, "nothing")
        generate_columns(search)


@pytest.mark.parametrize("seed", range(5))
def test_column_generation_without_any_solution(seed):
    rng = random.Random(100 + seed)
    for _ in range(40):
        judged(random_instance(rng), columns_alone, rng.choice([1, 2]))


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(20))
def test_a_long_sweep(seed):
    rng = random.Random(1000 + seed)
    for _ in range(400):
        judged(random_instance(rng), rng.choice([solve, columns_alone]))


def uniform(n, **options):
    points = np.random.default_rng(0).integers(0, 10_000, (n, 2)).tolist()
    return CellularClustering(points=points, **options)


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
    search = searched(solve, uniform(n, **options), workers=workers)
    assert search.closed
    assert search.cost == cost


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("n", "r"), [(400, 5), (2500, 1), (2500, 4)])
def test_who_is_told_to_stop_does(n, r, workers):
    budget = Budget(workers=workers)
    search = Search(uniform(n, r=r), check, budget)
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
    search = search_of(uniform(400, r=5, **options))
    assert begin(search, "greedy")
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
