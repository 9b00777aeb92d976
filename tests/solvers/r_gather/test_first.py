import numpy as np
import pytest
from searching import search_of

from atleastk import RGather
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.clustering.neighbourhoods import least_radii, nearest
from atleastk.solvers.r_gather.bounds import raise_by_lonely_points
from atleastk.solvers.r_gather.first import offer_lonely_first


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
            points=rng.integers(0, 6, (8, 2)).tolist(),
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
