import random
from itertools import combinations

import numpy as np
import pytest
from costs import cost_of

from atleastk import RGather, Status
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.models.clustering import solution_of
from atleastk.models.r_gather import check
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.r_gather import opening_mip as wholes
from atleastk.solvers.r_gather.opening_mip import OpeningMip
from atleastk.solvers.search import Search


def random_instance(rng):
    n = rng.randint(1, 8)
    most, missing = rng.choice([2, 6, 40]), rng.choice([0, 0, 0.2, 0.5])
    distances = [[0] * n for _ in range(n)]
    for i, j in combinations(range(n), 2):
        value = None if rng.random() < missing else rng.randint(0, most)
        distances[i][j] = distances[j][i] = value
    return RGather(
        distances=distances,
        r=rng.randint(1, min(4, n)),
        centres=rng.choice(["input", "member"]),
        max_clusters=rng.choice([None, None, 1, 2, 3]),
        max_outliers=rng.choice([0, 0, 0, 1, 2]),
    )


def uniform(seed, n, r, **fields):
    points = np.random.default_rng(seed).integers(0, 10_001, (n, 2)).tolist()
    return RGather(points=points, r=r, **fields)


@pytest.mark.parametrize("proofs", [True, False])
def test_every_radius_is_decided(proofs, monkeypatch):
    if not proofs:
        monkeypatch.setattr(wholes, "refute", lambda *_: None)
    rng = random.Random(1)
    answers = {"solved": 0, "refuted": 0, "proved": 0}
    for _ in range(80):
        instance = random_instance(rng)
        if instance.least_clustered == 0:
            continue
        best = optimum(instance)
        near = neighbourhoods(instance.space, 100)
        mip = OpeningMip(instance, near)
        radii = near.values(-1, 100).tolist()
        for radius in rng.sample(radii, min(3, len(radii))):
            answer = mip.decide(radius, 3, Budget.of())
            if answer.found is not None:
                answers["solved"] += 1
                assert cost_of(instance, answer.found) <= radius
                continue
            assert answer.status is Status.INFEASIBLE
            assert best is None or best[0] > radius
            if answer.proof is None:
                answers["refuted"] += 1
            else:
                answers["proved"] += 1
                check_certificate(instance, answer.proof, radius + 1)
    assert answers["solved"] > 40
    assert answers["refuted"] > 20
    assert (answers["proved"] > 10) == proofs


def test_down_to_the_optimum():
    rng = random.Random(2)
    closed = 0
    for _ in range(60):
        instance = random_instance(rng)
        best = optimum(instance)
        together = solution_of([range(instance.n)], (0,))
        if instance.least_clustered == 0 or not check(instance, together).feasible:
            continue
        search = Search(instance, check, Budget.of())
        search.raise_bound(0, "distances")
        search.offer(together, "by hand")
        near = neighbourhoods(instance.space, search.cost)
        OpeningMip(instance, near).decide_all(search, 3, search.budget)
        assert search.cost == search.bound == best[0]
        closed += search.cost > 0
    assert closed > 15


@pytest.mark.parametrize(
    ("instance", "cost"),
    [
        (uniform(0, 100, 20), 10_230_410),
        (uniform(0, 200, 50), 11_338_825),
        (uniform(0, 200, 5, max_clusters=10, max_outliers=10), 3_284_660),
    ],
)
def test_large_clusters_and_limits(instance, cost):
    near = neighbourhoods(instance.space, 40_000_000)
    mip = OpeningMip(instance, near)
    radii = near.values(-1, 40_000_000)
    first, last = 0, len(radii) - 1
    while first < last:
        middle = (first + last) // 2
        answer = mip.decide(int(radii[middle]), 3, Budget.of())
        assert answer.status is not Status.UNKNOWN
        if answer.found is not None:
            last = middle
        else:
            first = middle + 1
    assert radii[last] == cost


def test_the_end_of_the_budget():
    instance = uniform(0, 100, 20)
    mip = OpeningMip(instance, neighbourhoods(instance.space, 10_230_410))
    assert mip.decide(10_000_000, 0, Budget.of(0.0)).status is Status.UNKNOWN
    search = Search(instance, check, Budget.of(0.0))
    search.offer(solution_of([range(100)], (0,)), "by hand")
    mip.decide_all(search, 0, search.budget)
    assert search.bound is None
