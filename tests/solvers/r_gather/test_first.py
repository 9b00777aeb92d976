import numpy as np
import pytest
from searching import search_of

from atleastk import RGather
from atleastk.models.clustering import solution_of
from atleastk.models.r_gather import check
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.clustering.blocks import first_clusters
from atleastk.solvers.clustering.neighbourhoods import least_radii, nearest
from atleastk.solvers.r_gather import first
from atleastk.solvers.r_gather.auto import _Work
from atleastk.solvers.r_gather.bounds import raise_by_lonely_points
from atleastk.solvers.r_gather.first import first_answers, offer_lonely_first


def lonely_first(instance):
    """Return the search of an instance that knows bound and clusters of lonely points.

    The search has had every answer checked.
    """
    search = search_of(instance)
    reach = nearest(instance.space, instance.r)
    least = least_radii(instance.space, instance.r, reach)
    raise_by_lonely_points(search, least)
    offer_lonely_first(search, reach, least)
    return search


@pytest.mark.parametrize("centres", ["input", "member"])
@pytest.mark.parametrize("outliers", [0, 1])
def test_lonely_points_never_beat_the_optimum(centres, outliers):
    """Answers are feasible, the bound is below; most are optimal right away."""
    best = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        instance = RGather(
            points=rng.integers(0, 6, (7, 2)).tolist(),
            metric=["euclidean", "manhattan"][seed % 2],
            r=2 + seed % 2,
            centres=centres,
            max_outliers=outliers,
        )
        search, (least, _) = lonely_first(instance), optimum(instance)
        assert (search.bound or 0) <= least
        if search.cost is not None:
            assert search.cost >= least
            best += search.cost == least
    assert best > 20


@pytest.mark.parametrize("r", [2, 5])
def test_lonely_points_first_are_optimal_on_many_points(r):
    rng = np.random.default_rng(r)
    middles = rng.integers(0, 10_000, (9, 2))
    points = middles[rng.integers(0, 9, 2_500)] + rng.normal(0, 500, (2_500, 2))
    instance = RGather(points=np.rint(points).astype(int).tolist(), r=r)
    assert lonely_first(instance).closed


@pytest.mark.parametrize("centres", ["input", "member"])
def test_outliers_are_the_farthest_of_blocks(centres):
    for seed in range(120):
        rng = np.random.default_rng(seed)
        points = rng.integers(0, 30, (int(rng.integers(1, 40)), 2))
        points[: len(points) // 8] *= 50
        instance = RGather(
            points=points.tolist(),
            r=int(rng.integers(1, 5)),
            centres=centres,
            max_outliers=int(rng.integers(0, len(points) + 1)),
        )
        found = {name: check(instance, made) for name, made in first_answers(instance)}
        assert all(verdict.feasible for verdict in found.values())
        if "nearest of blocks" in found:
            assert found["nearest of blocks"].cost <= found["blocks"].cost


def test_far_points_are_left_out_of_blocks():
    rng = np.random.default_rng(7)
    points = rng.integers(0, 1_000, (5_000, 2))
    points[::500] = 10**5 * np.arange(1, 11)[:, None]
    instance = RGather(points=points.tolist(), r=5, max_outliers=200)
    found = {name: check(instance, made).cost for name, made in first_answers(instance)}
    assert found["blocks"] > 10**9 > 10**5 > found["nearest of blocks"]


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "great-circle"])
def test_wide_blocks_join_narrow_ones(metric):
    rng = np.random.default_rng(3)
    middles = rng.integers(-60, 60, (9, 2)) * 1_000
    points = (middles[rng.integers(0, 9, 2_500)] + rng.normal(0, 90, (2_500, 2))) / 1000
    if metric != "great-circle":
        points = np.rint(1_000 * points).astype(int)
    instance = RGather(points=points.tolist(), metric=metric, r=6, centres="member")
    found = {name: check(instance, made) for name, made in first_answers(instance)}
    assert all(verdict.feasible for verdict in found.values())
    assert 2 * found["narrow blocks"].cost < found["blocks"].cost


def test_points_of_wide_clusters_bound_as_all_points_do(monkeypatch):
    monkeypatch.setattr("atleastk.solvers.r_gather.auto._LONELY", 120)
    points = np.random.default_rng(5).integers(0, 10_000, (2_500, 2))
    points[:9] *= 3
    search = search_of(RGather(points=points.tolist(), r=4))
    work = _Work(search)
    work.begin(search.budget)
    work.find_loneliest(search.budget)
    assert search.bound == work.least.max()
    without = search_of(search.instance)
    without.offer(solution_of([range(i, i + 5) for i in range(0, 2_500, 5)]), "start")
    _Work(without).find_loneliest(without.budget)
    assert without.bound is None


@pytest.mark.parametrize(("r", "outliers"), [(2, 60), (3, 60), (10, 300)])
def test_blocks_that_can_spare_an_outlier_are_narrower(monkeypatch, r, outliers):
    points = np.random.default_rng(r).normal(size=(6_000, 2)) * 10**5
    instance = RGather(points=points.astype(int).tolist(), r=r, max_outliers=outliers)
    found = dict(first_answers(instance))
    assert min(map(len, found["blocks"].groups)) == r + 1
    monkeypatch.setattr(first, "first_clusters", lambda of, _: first_clusters(of))
    tight = dict(first_answers(instance))
    costs = [check(instance, of["nearest of blocks"]).cost for of in (found, tight)]
    assert costs[0] < costs[1]
