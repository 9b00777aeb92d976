import numpy as np
import pytest
from searching import searched

from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.solvers.r_gather import auto as portfolio
from atleastk.solvers.r_gather import radius_search
from atleastk.solvers.r_gather.auto import solve


def solved(instance):
    return searched(solve, instance)


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


def test_few_clusters_of_many_points_get_their_best_centres():
    """The far point joins the others about one between: half the distance."""
    points = [(0,)] * 1500 + [(50,)] * 1499 + [(100,), (60,), (55,)]
    instance = RGather(points=points, metric="manhattan", r=2, max_clusters=1)
    search = searched(solve, instance)
    assert (search.cost, search.bound) == (50, 50)
