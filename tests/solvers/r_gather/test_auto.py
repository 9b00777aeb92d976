import pytest
from drawing import uniform
from searching import search_of, searched

from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.models.clustering import solution_of
from atleastk.solvers.r_gather import auto as portfolio
from atleastk.solvers.r_gather import radius_search
from atleastk.solvers.r_gather.auto import solve


@pytest.mark.parametrize("centres", ["input", "member"])
def test_thousands_of_points(centres):
    instance = uniform(RGather, 3_000, 10**6, r=3, centres=centres)
    search = searched(solve, instance)
    assert search.closed
    check_certificate(instance, search.certificate, search.bound)


def test_limits():
    limits = {"max_clusters": 10, "max_outliers": 10}
    search = searched(solve, uniform(RGather, 200, 10**6, r=5, **limits))
    assert search.cost == search.bound == 32_860_552_093


@pytest.mark.parametrize("centres", ["input", "member", "any"])
@pytest.mark.parametrize("workers", [1, 2])
def test_no_room_for_neighbours(centres, workers, monkeypatch):
    monkeypatch.setattr(radius_search, "MOST_NEIGHBOURS", 10)
    monkeypatch.setattr(portfolio, "_MOST_NEIGHBOURS", 10)
    monkeypatch.setattr(portfolio, "_MOST_ENTRIES", 10)
    instance = uniform(RGather, 60, 10**4, seed=3, r=7, centres=centres)
    search = searched(solve, instance, workers=workers)
    assert not search.closed
    assert 0 < search.bound < search.cost


@pytest.mark.parametrize("centres", ["input", "any"])
@pytest.mark.parametrize("workers", [1, 2])
def test_outliers_of_many_neighbours(centres, workers, monkeypatch):
    """Local search alone has one turn; then proofs close the gap."""
    monkeypatch.setattr(portfolio, "_MOST_MODELLED", 10)
    monkeypatch.setattr(portfolio, "_ROUNDS", 100)
    instance = uniform(RGather, 160, 10**4, r=3, max_outliers=4, centres=centres)
    assert searched(solve, instance, workers=workers).closed


def test_few_clusters_of_many_points_get_their_best_centres():
    """The far point joins the others about one between: half the distance."""
    points = [(0,)] * 1500 + [(50,)] * 1499 + [(100,), (60,), (55,)]
    instance = RGather(points=points, metric="manhattan", r=2, max_clusters=1)
    search = searched(solve, instance)
    assert (search.cost, search.bound) == (50, 50)


def test_a_start_is_left_where_all_may_be_outliers():
    """Nothing costs 0; bounds of lonely points are for those that are clustered."""
    instance = RGather(points=[[0], [9], [99]], r=3, max_outliers=3)
    search = search_of(instance)
    search.offer(solution_of([range(3)], [1]), "start")
    solve(search)
    assert (search.cost, search.bound) == (0, 0)
