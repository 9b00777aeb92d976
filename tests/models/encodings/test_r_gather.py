import random
from importlib import import_module

import pytest
from costs import cost_of

from atleastk import RGather, Solution, Status
from atleastk.models.encodings.r_gather import level_model, levels, threshold_model
from atleastk.models.r_gather import check
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.budget import Budget


@pytest.fixture(scope="module")
def instances():
    drawn = import_module("scripts.sweeps.drawn_places").random_clustering

    def listed(seed, count):
        rng = random.Random(seed)
        return [drawn(rng, "r-gather", rng.randint(1, 7)) for _ in range(count)]

    return listed


@pytest.mark.parametrize("backend", [CpSat(), Highs(), Sat()], ids=lambda b: b.name)
def test_thresholds_are_those_of_the_judge(backend, instances):
    for instance in instances(1, 60):
        best = optimum(instance)
        most = int(levels(instance)[-1]) if best is None else best[0]
        encoding = threshold_model(instance, most)
        answer = backend.minimise(encoding.model, Budget())
        if best is None:
            assert answer.status is Status.INFEASIBLE
            continue
        assert cost_of(instance, encoding.decode(answer.values)) == best[0]
        if best[0]:
            less = threshold_model(instance, best[0] - 1).model
            assert backend.minimise(less, Budget()).status is Status.INFEASIBLE


def test_levels_are_those_of_the_judge(instances):
    for instance in instances(2, 80):
        best, encoding = optimum(instance), level_model(instance)
        answer = CpSat().minimise(encoding.model, Budget())
        if best is None:
            assert answer.status is Status.INFEASIBLE
            continue
        verdict = check(instance, encoding.decode(answer.values))
        assert verdict.feasible
        assert verdict.cost == levels(instance)[answer.cost] == best[0]


def test_solutions_come_back(instances):
    for instance in instances(3, 150):
        best = optimum(instance)
        if best is None:
            continue
        cost, solution = best
        index = int((levels(instance) < cost).sum())
        for given in (solution, Solution.of(solution.groups)):
            for encoding in (threshold_model(instance, cost), level_model(instance)):
                values = encoding.encode(given)
                assert encoding.model.admits(values)
                assert encoding.model.cost(values) in (0, index)
                assert check(instance, encoding.decode(values)).cost == cost
        assert level_model(instance).model.cost(values) == index


def test_solutions_without_a_place():
    instance = RGather(points=[[0], [1], [7], [9]], r=2)
    encoding = threshold_model(instance, 3)
    assert encoding.encode(Solution.of([[0, 1], [2, 3]])) is None
    assert level_model(instance).encode(Solution.of([[0, 1]])) is None
    wide = threshold_model(instance, 4)
    assert wide.model.admits(wide.encode(Solution.of([[0, 1], [2, 3]])))


def test_levels_without_distances():
    assert levels(RGather(distances=[[0]], r=1)).tolist() == [0]
    assert levels(RGather(distances=[[0, None], [None, 0]], r=1)).tolist() == [0]
    assert levels(RGather(points=[[0, 0], [3, 4], [0, 0]], r=1)).tolist() == [0, 25]
