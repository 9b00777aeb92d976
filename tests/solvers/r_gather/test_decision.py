import random

import pytest
from costs import cost_of
from drawing import random_gather, uniform

from atleastk import RGather, Status
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.r_gather import balls, questions
from atleastk.solvers.r_gather.questions import AmongPoints


def decided(instance, near, radius, budget=None):
    budget = Budget.of() if budget is None else budget
    return AmongPoints([], instance, near, radius, budget).decide(3, budget)


@pytest.mark.parametrize(("large", "proofs"), [(1, True), (100, True), (100, False)])
def test_every_radius_is_decided(large, proofs, monkeypatch):
    """By HiGHS first, or by the SAT solver unless clusters are limited."""
    monkeypatch.setattr(balls, "LARGE", large)
    if not proofs:
        monkeypatch.setattr(questions, "refute", lambda *_: None)
    rng = random.Random(1)
    answers = {"solved": 0, "refuted": 0, "proved": 0}
    for _ in range(80):
        instance = random_gather(
            rng, rng.randint(1, 8), centres=rng.choice(["input", "member"])
        )
        if instance.least_clustered == 0:
            continue
        best = optimum(instance)
        near = neighbourhoods(instance.space, 100)
        radii = near.values(-1, 100).tolist()
        for radius in rng.sample(radii, min(3, len(radii))):
            answer = decided(instance, near, radius)
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
    # By the SAT solver only few instances, those with limits, begin with proofs.
    assert (answers["proved"] > (10 if large == 1 else 5)) == proofs


@pytest.mark.parametrize(
    ("instance", "cost"),
    [
        (uniform(RGather, 100, r=20), 10_230_410),
        (uniform(RGather, 200, r=50), 11_338_825),
        (uniform(RGather, 200, r=5, max_clusters=10, max_outliers=10), 3_284_660),
    ],
)
def test_large_clusters_and_limits(instance, cost):
    near = neighbourhoods(instance.space, 40_000_000)
    radii = near.values(-1, 40_000_000)
    first, last = 0, len(radii) - 1
    while first < last:
        middle = (first + last) // 2
        answer = decided(instance, near, int(radii[middle]))
        assert answer.status is not Status.UNKNOWN
        if answer.found is not None:
            last = middle
        else:
            first = middle + 1
    assert radii[last] == cost


def test_the_end_of_the_budget():
    instance = uniform(RGather, 100, r=20)
    near = neighbourhoods(instance.space, 10_230_410)
    answer = decided(instance, near, 10_000_000, Budget.of(0.0))
    assert answer.status is Status.UNKNOWN
