import random

import pytest
from searching import search_of

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.cellular_clustering import first
from atleastk.solvers.cellular_clustering.first import begin, raise_by_much
from atleastk.solvers.clustering.neighbourhoods import nearest


def scattered(n, axes=6, seed=1, **fields):
    rng = random.Random(seed)
    points = [[int(rng.gauss(0, 1e5)) for _ in range(axes)] for _ in range(n)]
    return CellularClustering(points=points, **fields)


@pytest.fixture
def bound_of(monkeypatch):
    """Return the bound if some points are looked at exactly, and some quickly."""

    def find(instance, exactly, quickly):
        def looked_at(space, r, budget):
            reach = nearest(space, r)
            reach[exactly:] = FAR
            return reach

        def seen_quickly(space, r, budget):
            reach = nearest(space, r)
            reach[quickly:] = 0
            return reach

        monkeypatch.setattr(first, "nearest", looked_at)
        monkeypatch.setattr(first, "nearest_at_least", seen_quickly)
        monkeypatch.setattr(first, "_MOST_DUALS", 0)
        search = search_of(instance)
        raise_by_much(search, search.budget)
        return search.bound or 0

    return find


@pytest.mark.parametrize("centres", ["input", "member", "any"])
@pytest.mark.parametrize("fields", [{}, {"max_outliers": 20}], ids=str)
def test_bounds_of_points_that_are_looked_at_in_time(centres, fields, bound_of):
    instance = scattered(160, metric="manhattan", centres=centres, r=5, **fields)
    looks = [(0, 0), (0, 80), (0, 160), (80, 160), (160, 160)]
    bounds = [bound_of(instance, *look) for look in looks]
    assert bounds == sorted(bounds)
    assert bounds[0] == 0 < bounds[1] < bounds[2]
    search = search_of(instance)
    begin(search, "greedy")
    assert bounds[-1] <= search.cost


def test_bounds_hold_on_small_instances(bound_of):
    rng = random.Random(3)
    for seed in range(30):
        instance = scattered(
            8,
            rng.randrange(1, 4),
            seed,
            metric=rng.choice(["manhattan", "euclidean"]),
            centres=rng.choice(["input", "member", "any"]),
            r=rng.randrange(1, 4),
        )
        best, _ = optimum(instance)
        assert bound_of(instance, rng.randrange(9), 8) <= best


def test_distances_that_are_no_metric_are_not_halved(bound_of):
    """A far point may be near to the centre: the other way round is not said."""
    apart = [[0, 9, 1, 1], [9, 0, 1, 1], [1, 1, 0, 9], [1, 1, 9, 0]]
    assert bound_of(CellularClustering(distances=apart, r=3), 0, 4) == 0
