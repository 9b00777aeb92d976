import random

from small_instances import DRAWN

from atleastk import RGather, Solution
from atleastk.models.encodings.r_gather import level_model, levels, threshold_model
from atleastk.models.r_gather import check
from atleastk.solvers.brute_force.r_gather import optimum


def test_solutions_come_back():
    rng = random.Random(3)
    for _ in range(150):
        instance = DRAWN["r-gather"](rng)
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
