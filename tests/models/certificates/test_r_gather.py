import random
from itertools import chain, combinations

import numpy as np
from certificates import refused
from drawing import random_gather

from atleastk import RGather
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.certificates.r_gather import (
    check_certificate,
    greatest_weight,
    refutes,
)
from atleastk.models.clustering import best_centre, diameter
from atleastk.solvers.brute_force.r_gather import optimum


def test_weights_prove_that_nothing_is_feasible():
    instance = RGather(distances=[[0, None, None], [None, 0, 4], [None, 4, 0]], r=2)
    lonely = {"kind": "weights", "radius": 4, "weights": [[0, 1]], "most": 0}
    check_certificate(instance, lonely, None)
    check_certificate(instance, lonely, FAR)
    lonely["radius"] = 3
    assert refused(instance, lonely, None)
    lonely["radius"] = 2**70
    check_certificate(instance, lonely, None)


def clusters(instance, radius):
    points = range(instance.n)
    every = (combinations(points, k) for k in range(instance.r, instance.n + 1))
    for group in chain.from_iterable(every):
        cost = (
            diameter(instance, group)
            if instance.any_centre
            else best_centre(instance, group)[0]
        )
        if cost <= min(radius, FAR - 1):
            yield group


def test_the_greatest_weight_is_that_of_all_clusters():
    rng = random.Random(5)
    exact = {"input": 0, "member": 0, "any": 0}
    for _ in range(300):
        instance = random_gather(rng, rng.randint(1, 7))
        radius = rng.choice([0, 1, 2, 3, 5, 8, FAR])
        weights = np.array([rng.randint(-3, 3) for _ in range(instance.n)])
        values = [int(weights[list(s)].sum()) for s in clusters(instance, radius)]
        greatest = max([0, *values])
        found = greatest_weight(instance, radius, weights)
        if instance.any_centre:
            assert found >= greatest
        else:
            assert found == greatest
        exact[instance.centres] += found == greatest > 0
        least = rng.randint(0, 4)
        assert greatest_weight(instance, radius, weights, least) == max(found, least)
    assert min(exact.values()) > 20


def test_what_is_refuted_costs_more():
    rng = random.Random(6)
    refuted = 0
    for _ in range(400):
        instance = random_gather(rng, rng.randint(1, 7))
        radius = rng.choice([0, 1, 2, 3, 5, 8])
        weights = np.array([rng.randint(-2, 3) for _ in range(instance.n)])
        most = greatest_weight(instance, radius, weights)
        if refutes(instance, radius, weights, most):
            refuted += 1
            best = optimum(instance)
            assert best is None or best[0] > radius
    assert refuted > 30


def test_ten_thousand_points():
    points = np.random.default_rng(0).integers(0, 10_000, (9_999, 2)).tolist()
    instance = RGather(points=[*points, [30_000, 0]], r=3)
    certificate = {"kind": "weights", "radius": 10**8, "most": 0}
    certificate["weights"] = [[9_999, 3], [5, -1]]
    check_certificate(instance, certificate, 10**8 + 1)
