import random

import numpy as np
from drawing import random_gather, uniform
from searching import search_of

from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.r_gather.ascent import raise_by_ascent, weights_at


def test_refutations_hold():
    rng, refuted = random.Random(4), 0
    for _ in range(60):
        instance = random_gather(rng, rng.randint(1, 7))
        near, best = neighbourhoods(instance.space, 9), optimum(instance)
        for radius in (0, 2, 4, 9):
            start = np.zeros(instance.n)
            _, proof = weights_at(instance, near, radius, start, Budget())
            if proof is not None:
                refuted += 1
                check_certificate(instance, proof, radius + 1)
                assert best is None or best[0] > radius
    assert refuted > 60


def test_the_bound_is_raised_as_far_as_lonely_points_do_and_further():
    instance = uniform(RGather, 200, r=5, max_outliers=10)
    search = search_of(instance)
    near = neighbourhoods(instance.space, 4_000_000)
    raise_by_ascent(search, near, search.budget)
    check_certificate(instance, search.certificate, search.bound)
    proved = search.bound
    _, proof = weights_at(instance, near, proved, np.zeros(200), Budget.of(0.0))
    assert proof is None
