"""Decisions and the search over radii, alone, against the judge."""

import random
from itertools import combinations

import numpy as np
import pytest

from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.models.clustering import completed
from atleastk.models.r_gather import check
from atleastk.models.solution import Solution
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import nearest, neighbourhoods
from atleastk.solvers.r_gather import levels as climbing
from atleastk.solvers.r_gather.among_points import AmongPoints
from atleastk.solvers.r_gather.balls import ground
from atleastk.solvers.r_gather.bounds import (
    raise_by_lonely_points,
    raise_by_scattered_points,
)
from atleastk.solvers.r_gather.decision import Decision
from atleastk.solvers.r_gather.first import begin
from atleastk.solvers.r_gather.levels import Climb
from atleastk.solvers.search import Search


def random_instance(rng):
    n = rng.randint(1, 7)
    fields = {
        "r": rng.randint(1, min(4, n)),
        "centres": rng.choice(["input", "member"]),
        "max_clusters": rng.choice([None, None, 1, 2, 3]),
        "max_outliers": rng.choice([0, 0, 0, 1, 2]),
    }
    if rng.random() < 0.3:
        points = [[rng.randint(0, 6), rng.randint(0, 6)] for _ in range(n)]
        metric = rng.choice(["euclidean", "manhattan"])
        return RGather(points=points, metric=metric, **fields)
    most, missing = rng.choice([2, 6, 40]), rng.choice([0, 0, 0.2, 0.5])
    distances = [[0] * n for _ in range(n)]
    for i, j in combinations(range(n), 2):
        value = None if rng.random() < missing else rng.randint(0, most)
        distances[i][j] = distances[j][i] = value
    return RGather(distances=distances, **fields)


def uniform(n, r, **fields):
    points = np.random.default_rng(0).integers(0, 10_001, (n, 2)).tolist()
    return RGather(points=points, r=r, **fields)


def agree(search):
    """Whether a search that ended found what the judge finds."""
    best = optimum(search.instance)
    if best is None:
        return search.infeasible
    return search.closed and search.cost == best[0]


@pytest.mark.parametrize("seed", range(3))
def test_climbing_from_nothing(seed, monkeypatch):
    """No bound and no solution to start from; bisection as well as small steps."""
    monkeypatch.setattr(climbing, "LARGE", 3)
    rng = random.Random(seed)
    for _ in range(80):
        instance = random_instance(rng)
        if instance.least_clustered == 0:
            continue
        search = Search(instance, check, Budget())
        search.raise_bound(0, "distances")
        climb = Climb(search, AmongPoints, "cuts")
        efforts = 0
        while climb.ask_all(efforts, search.budget):
            efforts += 1
        assert agree(search), instance


@pytest.mark.parametrize("seed", range(3))
def test_bounds_and_beginnings_are_sound(seed):
    """Neither is above or below the optimum, and certificates are accepted."""
    rng = random.Random(100 + seed)
    tight = found = 0
    for _ in range(80):
        instance = random_instance(rng)
        if instance.least_clustered == 0:
            continue
        best = optimum(instance)
        search = Search(instance, check, Budget())
        search.raise_bound(0, "distances")
        reach = nearest(instance.space, instance.r)
        raise_by_lonely_points(search, reach)
        if not search.infeasible:
            raise_by_scattered_points(search, reach)
        if search.certificate is not None:
            claimed = None if search.infeasible else search.bound
            check_certificate(instance, search.certificate, claimed)
        if best is None:
            continue
        assert not search.infeasible
        assert search.bound <= best[0]
        tight += search.bound == best[0] > 0
        begin(search, reach)
        found += search.cost is not None
    assert tight > 10
    assert found > 30


@pytest.mark.parametrize("first", ["_satisfy", "_count"])
@pytest.mark.parametrize("centres", ["input", "member"])
def test_both_solvers_decide(first, centres):
    """Each alone, at every distance."""
    rng = random.Random(7)
    answers = []
    while len(answers) < 60:
        instance = random_instance(rng)
        instance = RGather.from_dict({**instance.to_dict(), "centres": centres})
        if instance.least_clustered == 0:
            continue
        best = optimum(instance)
        cost = None if best is None else best[0]
        near = neighbourhoods(instance.space, 100)
        radius = rng.choice(near.values(-1, 100).tolist())
        decision = Decision(ground(instance, near, radius, Budget()))
        answer = decision.answer or getattr(decision, first)(5, Budget())
        feasible = answer.candidates is not None
        assert feasible == (cost is not None and cost <= radius)
        answers.append(feasible)
    assert 10 < sum(answers) < 50


@pytest.mark.parametrize(
    ("instance", "cost"),
    [
        (uniform(100, 20), 10_230_410),
        (uniform(200, 5, max_outliers=10), 970_225),
    ],
)
def test_known_optima(instance, cost):
    search = Search(instance, check, Budget())
    search.raise_bound(0, "distances")
    begin(search, nearest(instance.space, instance.r))
    climb = Climb(search, AmongPoints, "cuts")
    efforts = 0
    while climb.ask_all(efforts, search.budget):
        efforts += 1
    assert search.bound == search.cost == cost
    groups = Solution(search.solution.groups)
    assert check(instance, completed(instance, groups)).cost == cost


def test_a_spent_budget_ends_it_open():
    instance = uniform(400, 5)
    search = Search(instance, check, Budget.of(0.0))
    assert not Climb(search, AmongPoints, "cuts").ask_all(0, search.budget)
    assert not search.closed
