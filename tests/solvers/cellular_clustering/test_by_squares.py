"""Many points by least squares, about near centres."""

import random

import pytest
from searching import search_of

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.cellular_clustering import check
from atleastk.models.clustering import solution_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering import by_squares
from atleastk.solvers.cellular_clustering.by_squares import (
    improve_by_squares,
    near_of,
    suits,
)
from atleastk.solvers.clustering.blocks import as_cut, cut_up


def drawn(n, high=40, **fields):
    rng = random.Random(n)
    points = [[rng.randrange(high), rng.randrange(high)] for _ in range(n)]
    return CellularClustering(points=points, **fields)


@pytest.mark.parametrize("centres", ["input", "member", "any"])
@pytest.mark.parametrize(
    "fields",
    [
        {"r": 3},
        {"r": 4, "metric": "manhattan", "high": 5_000},
        {"r": 3, "metric": "great-circle", "high": 80},
        {"r": 3, "max_clusters": 300, "high": 1_000},
        {"r": 2, "max_outliers": 5, "high": 1_000},
    ],
    ids=str,
)
def test_clusters_are_cheaper_than_blocks(centres, fields):
    instance = drawn(2_100, centres=centres, **fields)
    assert suits(instance)
    search = search_of(instance)
    search.offer(as_cut(instance, *cut_up(instance)), "blocks")
    blocks = search.cost
    improve_by_squares(search, search.budget)
    verdict = check(instance, search.solution)
    assert verdict.feasible
    assert verdict.cost == search.cost < blocks


def test_near_points_of_large_clusters_are_few(monkeypatch):
    instance = drawn(2_100, high=1_000, r=1_000, centres="any")
    assert suits(instance)
    assert near_of(instance, Budget()).shape == (2_100, 100)
    monkeypatch.setattr(by_squares, "MOST_NEAR", 10 * 2_100)
    assert not suits(drawn(2_100, r=2))


def test_clusters_of_other_sizes_stay():
    instance = drawn(2_100, r=2, max_outliers=1)
    search = search_of(instance)
    search.offer(solution_of([range(1, 2_100)], [1], [0]), "outlier")
    before = search.cost
    improve_by_squares(search, search.budget)
    assert search.cost == before
    few = CellularClustering(points=[[0], [1]], r=2)
    assert not suits(few)
    assert not suits(drawn(2_100, r=2, facility_costs=[1] * 2_100))
