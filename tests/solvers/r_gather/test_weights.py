import random

import pytest
from drawing import random_gather, uniform
from searching import search_of

from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.models.clustering import solution_of
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.r_gather.weights import raise_by_weights, refute


def test_refutations_hold():
    rng = random.Random(2)
    tight = refuted = 0
    for _ in range(200):
        instance = random_gather(rng, rng.randint(1, 7))
        near = neighbourhoods(instance.space, 9)
        best = optimum(instance)
        for radius in (0, 1, 2, 3, 4, 6, 9):
            certificate = refute(instance, radius, near, Budget.of())
            if certificate is None:
                continue
            refuted += 1
            check_certificate(instance, certificate, radius + 1)
            assert best is None or best[0] > radius
            following = [d for d in (1, 2, 3, 4, 6, 9) if d > radius]
            tight += best is not None and best[0] == min(following, default=None)
    assert refuted > 200
    assert tight > 60


def test_the_bound_is_raised():
    rng = random.Random(3)
    closed = 0
    for _ in range(100):
        instance = random_gather(rng, rng.randint(1, 7))
        best = optimum(instance)
        if best is None:
            continue
        search = search_of(instance)
        if rng.random() < 0.7:
            search.offer(best[1], "judge")
        near = neighbourhoods(instance.space, rng.choice([3, 20]))
        raise_by_weights(search, near, search.budget)
        assert (search.bound or 0) <= best[0]
        if search.certificate is not None:
            check_certificate(instance, search.certificate, search.bound)
        closed += search.closed and best[0] > 0
    assert closed > 20


def test_limits_beyond_balls():
    """200 points, 10 clusters, 10 outliers: within 1 % of the optimum, 3284660."""
    instance = uniform(RGather, 200, r=5, max_clusters=10, max_outliers=10)
    search = search_of(instance)
    raise_by_weights(search, neighbourhoods(instance.space, 4_000_000), search.budget)
    assert search.bound == 3284660
    check_certificate(instance, search.certificate, search.bound)


def test_nothing_to_refute():
    instance = uniform(RGather, 5, r=2, max_outliers=5)
    near = neighbourhoods(instance.space, 10)
    assert refute(instance, 0, near, Budget.of()) is None
    search = search_of(instance)
    search.offer(solution_of([], [], range(5)), "by hand")
    raise_by_weights(search, near, search.budget)
    assert search.bound is None


def test_points_beyond_the_limit_are_not_known():
    instance = uniform(RGather, 5, r=2)
    with pytest.raises(ValueError, match="radius 11 is above the limit 10"):
        refute(instance, 11, neighbourhoods(instance.space, 10), Budget.of())


def test_a_spent_budget():
    instance = uniform(RGather, 50, r=5)
    near = neighbourhoods(instance.space, 10**6)
    assert refute(instance, 10**6, near, Budget.of(0.0)) is None
