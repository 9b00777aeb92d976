import numpy as np
import pytest

from atleastk import CellularClustering, RGather, Solution
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.clustering import (
    _places,
    best_centre,
    completed,
    diameter,
    measured,
    radii_about,
    solution_of,
)
from atleastk.models.r_gather import check
from atleastk.runs.registry import problem_of

LINE = [[0], [1], [3], [10], [12]]


def on_a_line(kind=RGather, **fields):
    return kind(**{"points": LINE, "metric": "manhattan", "r": 2, **fields})


BOTH = pytest.mark.parametrize("kind", [RGather, CellularClustering])


def test_normal_form():
    solution = solution_of([[4, 3], [2, 0]], [4, 1], [1])
    assert (solution.groups, solution.centres) == (((0, 2), (3, 4)), (1, 4))
    assert solution.outliers == (1,)
    assert solution == solution_of([(0, 2), (4, 3)], [1, 4], {1})


def test_completion_of_a_grouping():
    instance = on_a_line(max_outliers=1)
    full = completed(instance, Solution.of([[0, 1], [3, 4]]))
    assert full == solution_of([[0, 1], [3, 4]], [0, 3], [2])
    assert completed(instance, full) is full
    nowhere = on_a_line(max_outliers=1, centres="any")
    full = completed(nowhere, Solution.of([[0, 1], [3, 4]]))
    assert full == solution_of([[0, 1], [3, 4]], (), [2])


def test_best_centres():
    assert best_centre(on_a_line(), [0, 2]) == (2, 1)
    assert best_centre(on_a_line(centres="member"), [0, 2]) == (3, 0)
    costs = CellularClustering(
        points=LINE, metric="manhattan", facility_costs=[0, 5, 0, 0, 0]
    )
    assert best_centre(costs, [0, 2], costs.facilities) == (6, 0)


def test_measures():
    solution = solution_of([[0, 2], [3, 4]], [1, 3], [1])
    assert measured(on_a_line(), solution) == [2, 2]
    anywhere = solution_of([[0, 2], [3, 4]], (), [1])
    assert measured(on_a_line(centres="any"), anywhere) == [3, 2]
    assert diameter(on_a_line(), [0, 1, 4]) == 12
    assert diameter(on_a_line(), [3]) == 0


TWO, ONE = ([[0, 1], [2, 3, 4]], [0, 3]), ([[0, 1, 2]], [1], [3, 4])
OUTSIDE = solution_of([[0, 2], [1, 3, 4]], [1, 3])


@pytest.mark.parametrize(
    ("fields", "solution", "violation"),
    [
        ({}, solution_of([[0, 1], [2, 3], [4]], [0, 2, 4]), "group 2 has 1 points"),
        ({"max_clusters": 1}, solution_of(*TWO), "2 groups, above max_clusters = 1"),
        ({"max_outliers": 1}, solution_of(*ONE), "2 outliers, above max_outliers = 1"),
        ({"centres": "member"}, OUTSIDE, "group 0 does not hold its centre 1"),
        ({}, Solution.of([[0, 1], [2, 3]]), "1 outliers, above max_outliers = 0"),
    ],
)
@BOTH
def test_violations(kind, fields, solution, violation):
    instance = on_a_line(kind, **fields)
    verdict = problem_of(instance).check(instance, solution)
    assert len(verdict.violations) == 1
    assert verdict.violations[0].startswith(violation)
    assert verdict.cost is not None


@pytest.mark.parametrize(
    ("fields", "solution", "violation"),
    [
        ({}, solution_of([[0, 1], [2, 3]], [0, 2]), "1 items are in no group"),
        ({}, solution_of([[0, 1, 2, 3, 4]], [0], [4]), "item 4 is in groups 0 and 1"),
        ({}, solution_of([[0, 1], [2, 3, 4]], [0]), "centres: expected 2 centres, got"),
        ({}, solution_of([[0, 1, 2, 3, 4]], [5]), "centres: 5 is outside 0..4"),
        ({}, solution_of([[0, 1, 2, 3, 4]], [-1]), "centres: -1 is outside 0..4"),
        (
            {"centres": "any"},
            solution_of([[0, 1, 2, 3, 4]], [0]),
            "centres: expected 0 centres since they may be anywhere",
        ),
    ],
)
@BOTH
def test_no_solutions_at_all(kind, fields, solution, violation):
    instance = on_a_line(kind, **fields)
    verdict = problem_of(instance).check(instance, solution)
    assert verdict.cost is None
    assert verdict.violations[0].startswith(violation)


@pytest.mark.parametrize("centres", ["input", "member", "any"])
def test_missing_distances_are_violations(centres):
    path = [[0, 1, None], [1, 0, 1], [None, 1, 0]]
    instance = RGather(distances=path, r=3, centres=centres)
    verdict = check(instance, Solution.of([[0, 1, 2]]))
    if centres == "any":
        assert verdict.violations == ("group 0 joins points whose distance is null",)
        assert verdict.cost >= FAR
    else:
        assert verdict.feasible
        assert verdict.cost == 1
        apart = check(instance, solution_of([[0, 1, 2]], [0]))
        assert apart.violations == ("group 0 joins points whose distance is null",)


@BOTH
def test_nothing(kind):
    none = kind(distances=[], r=3)
    assert problem_of(none).check(none, Solution(())).feasible
    outliers = kind(distances=[[0, 1], [1, 0]], r=3, max_outliers=2)
    for solution in (Solution(()), solution_of((), (), [0, 1])):
        verdict = problem_of(outliers).check(outliers, solution)
        assert (verdict.cost, verdict.violations) == (0, ())


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "great-circle"])
@pytest.mark.parametrize("fees", [None, 40, 90_000])
def test_best_centres_of_many_points_are_near(metric, fees):
    """Centres of groups that had none took n distances for each point."""
    rng = np.random.default_rng(1)
    points = rng.integers(0, 90, (2_100, 2))
    costs = None if fees is None else rng.integers(0, fees, 2_100).tolist()
    instance = CellularClustering(
        points=points.tolist(), metric=metric, r=2, facility_costs=costs
    )
    order = np.lexsort(points.T)
    for size in (1, 2, 5, 70, 400):
        group = order[300 : 300 + size]
        radii = radii_about(instance, group)
        prices = radii + 0 if fees is None else np.array(costs) + size * radii
        found = best_centre(instance, group, None if fees is None else np.array(costs))
        assert found == (prices.min(), prices.argmin())
    assert len(_places(instance, order[:5], None)) < 500
