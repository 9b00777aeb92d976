from itertools import pairwise

import pytest
from costs import cost_of

from atleastk import NotApplicableError, RGather
from atleastk.solvers.brute_force.r_gather import optimum

LINE = [[0], [1], [2], [10], [11], [19]]
READINGS = ["input", "member", "any"]


def on_a_line(**fields):
    return RGather(points=LINE, metric="manhattan", **fields)


@pytest.mark.parametrize(
    ("fields", "costs"),
    [
        ({"r": 1}, (0, 0, 0)),
        ({"r": 2}, (8, 8, 8)),
        ({"r": 2, "max_outliers": 1}, (1, 1, 2)),
        ({"r": 3}, (8, 8, 9)),
        ({"r": 3, "max_outliers": 3}, (1, 1, 2)),
        ({"r": 4}, (10, 10, 19)),
        ({"r": 4, "max_outliers": 2}, (8, 8, 10)),
        ({"r": 1, "max_clusters": 1}, (10, 10, 19)),
        ({"r": 1, "max_clusters": 2}, (8, 8, 9)),
        ({"r": 1, "max_clusters": 2, "max_outliers": 1}, (1, 1, 2)),
        ({"r": 6, "max_outliers": 6}, (0, 0, 0)),
    ],
)
def test_known_answers(fields, costs):
    for reading, cost in zip(READINGS, costs, strict=True):
        instance = on_a_line(centres=reading, **fields)
        best, solution = optimum(instance)
        assert best == cost, reading
        assert cost_of(instance, solution) == cost


def test_readings_differ():
    edges = {(0, 1), (0, 2), (0, 3), (0, 4), (4, 5)}
    steps = [[0 if p == q else 99 for q in range(6)] for p in range(6)]
    for p, q in edges:
        steps[p][q] = steps[q][p] = 1
    for via in range(6):
        steps = [
            [min(steps[p][q], steps[p][via] + steps[via][q]) for q in range(6)]
            for p in range(6)
        ]
    found = [optimum(RGather(distances=steps, r=3, centres=c))[0] for c in READINGS]
    assert found == [1, 2, 2]


def test_missing_distances():
    apart = [[0, 1, None], [1, 0, None], [None, None, 0]]
    for reading in READINGS:
        assert optimum(RGather(distances=apart, r=2, centres=reading)) is None
        loose = RGather(distances=apart, r=2, max_outliers=1, centres=reading)
        assert optimum(loose)[0] == 1
    path = [[0, 1, None], [1, 0, 1], [None, 1, 0]]
    costs = [optimum(RGather(distances=path, r=3, centres=c)) for c in READINGS]
    assert [cost and cost[0] for cost in costs] == [1, 1, None]


def test_no_triangle_inequality():
    """A centre that is an outlier, or of another cluster, is near all the same."""
    rows = [[0, 9, 1], [9, 0, 1], [1, 1, 0]]
    cost, solution = optimum(RGather(distances=rows, r=2, max_outliers=1))
    assert cost == 1
    near = [[0, 9, 9, 0], [9, 0, 9, 0], [9, 9, 0, 0], [0, 0, 0, 0]]
    cost, solution = optimum(RGather(distances=near, r=2, centres="input"))
    assert cost == 0
    assert set(solution.centres) == {3}
    assert optimum(RGather(distances=near, r=2, centres="any"))[0] == 9


def test_monotone_in_the_reading():
    rows = [[0, 5, 2, 7], [5, 0, 6, 1], [2, 6, 0, 3], [7, 1, 3, 0]]
    for r in (1, 2, 3, 4):
        costs = [optimum(RGather(distances=rows, r=r, centres=c))[0] for c in READINGS]
        assert all(low <= high for low, high in pairwise(costs))


def test_limits():
    cost, solution = optimum(RGather(distances=[], r=2))
    assert (cost, solution.groups) == (0, ())
    assert optimum(RGather(distances=[[0]], r=2)) is None
    with pytest.raises(NotApplicableError, match="at most 9 points, got 10"):
        optimum(RGather(points=[[i] for i in range(10)], r=2))
