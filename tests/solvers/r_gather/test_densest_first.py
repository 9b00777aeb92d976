import random

import numpy as np
import pytest
from costs import cost_of
from searching import search_of

from atleastk.instances.r_gather import RGather
from atleastk.models.r_gather import check
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.clustering.neighbourhoods import nearest, neighbourhoods
from atleastk.solvers.r_gather.densest_first import densest_first, offer_densest_first


def in_the_plane(n, seed, **fields):
    rng = random.Random(seed)
    points = [[rng.randrange(100), rng.randrange(100)] for _ in range(n)]
    return RGather(points=points, **fields)


@pytest.mark.parametrize("centres", ["input", "member"])
@pytest.mark.parametrize("seed", range(10))
def test_they_keep_all_limits(seed, centres):
    instance = in_the_plane(60, seed, r=4, max_outliers=5, centres=centres)
    near = neighbourhoods(instance.space, 100**2)
    for radius in (100, 400, 900, 1600, 3600):
        found = densest_first(instance, near, nearest(instance.space, 4), radius)
        if found is not None:
            assert cost_of(instance, found) <= radius


def test_duplicates_of_a_member_do_not_take_its_place():
    """Five points in one place, r = 2: the centre is in its own cluster."""
    instance = RGather(points=[[0, 0]] * 5, r=2, centres="member")
    near = neighbourhoods(instance.space, 0)
    found = densest_first(instance, near, np.arange(5)[::-1].copy(), 0)
    assert check(instance, found).feasible


def test_an_outlier_far_away_costs_nothing():
    line = [0, 1, 2, 10, 11, 12, 99]
    instance = RGather(points=[[x, 0] for x in line], r=3, max_outliers=1)
    search = search_of(instance)
    search.raise_bound(1, "known")
    offer_densest_first(search, nearest(instance.space, 3))
    assert search.closed
    assert search.cost == optimum(instance)[0] == 1


def test_nothing_without_a_bound_to_begin_at():
    """A bound of 0 cannot be doubled."""
    instance = in_the_plane(20, 1, r=3, max_outliers=1)
    search = search_of(instance)
    search.raise_bound(0, "nothing")
    offer_densest_first(search, nearest(instance.space, 3))
    assert search.solution is None
