import numpy as np
import pytest
from searching import search_of, searched

from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.solvers.r_gather import auto as portfolio
from atleastk.solvers.r_gather import radius_search
from atleastk.solvers.r_gather.auto import solve


def solved(instance):
    return searched(solve, instance)


@pytest.mark.parametrize("centres", ["input", "member", "any"])
def test_trivial_cases(centres):
    outliers = solved(
        RGather(distances=[[0, 5], [5, 0]], r=3, max_outliers=2, centres=centres)
    )
    assert (outliers.cost, outliers.bound, outliers.solution.outliers) == (0, 0, (0, 1))
    empty = solved(RGather(distances=[], r=2, centres=centres))
    assert (empty.cost, empty.bound) == (0, 0)
    few = RGather(distances=[[0, 5], [5, 0]], r=3, max_outliers=1, centres=centres)
    search = solved(few)
    assert search.infeasible
    check_certificate(few, search.certificate, None)
    apart = RGather(distances=[[0, None], [None, 0]], r=2, centres=centres)
    assert solved(apart).infeasible
    alone = solved(RGather(distances=[[0, 5], [5, 0]], r=1, centres=centres))
    assert (alone.cost, alone.bound) == (0, 0)


@pytest.mark.parametrize("centres", ["input", "member"])
def test_thousands_of_points(centres):
    points = np.random.default_rng(0).integers(0, 10**6, (3_000, 2)).tolist()
    instance = RGather(points=points, r=3, centres=centres)
    search = solved(instance)
    assert search.closed
    check_certificate(instance, search.certificate, search.bound)


def test_limits():
    points = np.random.default_rng(0).integers(0, 10**6, (200, 2)).tolist()
    search = solved(RGather(points=points, r=5, max_clusters=10, max_outliers=10))
    assert search.cost == search.bound == 32_860_552_093


def test_same_answer_twice():
    points = np.random.default_rng(1).integers(0, 10**4, (60, 2)).tolist()
    instance = RGather(points=points, r=5)
    first, second = solved(instance), solved(instance)
    assert first.solution == second.solution
    assert first.bound == second.bound == first.cost


@pytest.mark.parametrize("centres", ["input", "member", "any"])
@pytest.mark.parametrize("workers", [1, 2])
def test_no_room_for_neighbours(centres, workers, monkeypatch):
    monkeypatch.setattr(radius_search, "MOST_NEIGHBOURS", 10)
    monkeypatch.setattr(portfolio, "_MOST_NEIGHBOURS", 10)
    monkeypatch.setattr(portfolio, "_MOST_ENTRIES", 10)
    points = np.random.default_rng(3).integers(0, 10**4, (60, 2)).tolist()
    instance = RGather(points=points, r=7, centres=centres)
    search = searched(solve, instance, workers=workers)
    assert not search.closed
    assert 0 < search.bound < search.cost


def test_two_workers():
    points = np.random.default_rng(0).integers(0, 10**4, (160, 2)).tolist()
    instance = RGather(points=points, r=5, max_clusters=9, max_outliers=5)
    searches = [search_of(instance, workers=k) for k in (1, 2)]
    for search in searches:
        solve(search)
        assert search.closed
    assert searches[0].cost == searches[1].cost


def test_few_clusters_of_many_points_get_their_best_centres():
    """The far point joins the others about one between: half the distance."""
    points = [(0,)] * 1500 + [(50,)] * 1499 + [(100,), (60,), (55,)]
    instance = RGather(points=points, metric="manhattan", r=2, max_clusters=1)
    search = searched(solve, instance)
    assert (search.cost, search.bound) == (50, 50)
