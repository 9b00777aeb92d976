import math
from types import SimpleNamespace

import pytest

from atleastk import CellularClustering, InvalidInstanceError, RGather
from atleastk.instances.spaces.metric_spaces import (
    EARTH_RADIUS,
    FAR,
    Euclidean,
    Hamming,
)

LINE = [[0], [3], [7]]
CORNERS = [["a", "b"], ["c", "d"]]
PLACES = [[0, 0], [0, 90]]
METRES = 20_015_115


@pytest.mark.parametrize(
    ("problem", "points", "metric", "most"),
    [
        (RGather, CORNERS, "hamming", 2**59),
        (RGather, [[], []], "hamming", 2**60),
        (RGather, LINE, "manhattan", 2**60 // 7),
        (RGather, [[5], [5]], "manhattan", 2**60),
        (RGather, PLACES, "great-circle", 10**6),
        (CellularClustering, CORNERS, "hamming", 2**39),
        (CellularClustering, PLACES, "great-circle", 2**40 // METRES),
        (CellularClustering, LINE, "manhattan", 2**40 // 7),
        (CellularClustering, LINE, "euclidean", 2**30 // 7),
        (CellularClustering, [[5], [5]], "euclidean", 2**30),
    ],
)
def test_scales_keep_every_distance_exact(problem, points, metric, most):
    instance = problem(points=points, metric=metric, scale=most, r=2)
    away = int(instance.space.matrix[0, -1])
    assert 0 <= away <= instance.most_distance
    if metric == "great-circle":
        assert abs(away - most * math.pi / 2 * EARTH_RADIUS) < 1
    else:
        assert away % most == 0
    for scale in (most + 1, 2**61, 2**63, 10**30, 10**400):
        with pytest.raises(
            InvalidInstanceError, match=r"scale: expected at most|take larger units"
        ):
            problem(points=points, metric=metric, scale=scale, r=2)


def test_sums_over_all_points_fit_64_bits():
    for n, most in ((0, 2**40), (2**20, 2**40), (2**21, 2**39)):
        unread = SimpleNamespace(points=range(n), distances=None)
        assert CellularClustering.most_distance.fget(unread) == most


def test_squares_have_no_scale():
    """Radii of euclidean points are compared exactly; sizes times radii are not."""
    gather = RGather(points=LINE, r=2)
    assert gather.squared
    assert gather.space.matrix[0].tolist() == [0, 9, 49]
    assert gather.stretched(9, 2) == 36
    assert gather.radius(49) == 7.0
    cellular = CellularClustering(points=LINE, scale=10)
    assert not cellular.squared
    assert cellular.space.matrix[0].tolist() == [0, 30, 70]
    assert cellular.stretched(30, 2) == 60
    assert cellular.radius(30) == 3.0


@pytest.mark.parametrize("problem", [RGather, CellularClustering])
def test_centres_anywhere_have_half_the_diameter(problem):
    instance = problem(points=LINE, metric="manhattan", r=2, centres="any")
    assert instance.any_centre
    assert instance.radius(7) == 3.5


def test_metrics():
    assert isinstance(CellularClustering(points=LINE).space, Euclidean)
    rows = [["a", 1, 0.5], ["a", "1", 0.5]]
    hamming = CellularClustering(points=rows, metric="hamming").space
    assert isinstance(hamming, Hamming)
    assert hamming.matrix.tolist() == [[0, 1], [1, 0]]
    quarter = CellularClustering(points=[[0, 0], [0.0, 90]], metric="great-circle")
    assert quarter.space.matrix[0, 1] == 10_007_558
    assert quarter.not_metric is None


def test_far_coordinates_cost_no_precision():
    out = 10**30
    points = [[out, 5], [out + 3, 9]]
    assert CellularClustering(points=points).space.matrix[0, 1] == 5
    assert RGather(points=points, r=2).space.matrix[0, 1] == 25
    assert CellularClustering(points=points, metric="manhattan").space.row(0)[1] == 7


def test_null_is_far():
    rows = [[0, 1, None], [1, 0, 2], [None, 2, 0]]
    instance = CellularClustering(distances=rows, r=2)
    assert instance.space.matrix[0, 2] == FAR
    assert instance.not_metric == (0, 2, 1)


def test_given_distances_need_not_make_a_metric():
    rows = [[0, 1, 5], [1, 0, 2], [5, 2, 0]]
    assert CellularClustering(distances=rows).not_metric == (0, 2, 1)
    assert CellularClustering(points=[[0], [1]]).not_metric is None


def test_numbers_of_points_and_clusters():
    instance = CellularClustering(points=[[x] for x in range(7)], r=2, max_outliers=3)
    assert (instance.n, instance.least_clustered, instance.most_clusters) == (7, 4, 3)
    few = CellularClustering(points=LINE, r=1, max_clusters=2, max_outliers=9)
    assert (few.least_clustered, few.most_clusters) == (0, 2)
    assert (instance.limits, few.limits) == ((None, 3), (2, 3))
    assert CellularClustering(points=LINE, max_clusters=2**70).limits == (3, 0)
    assert CellularClustering(points=[]).n == 0
    assert CellularClustering(points=LINE).facilities.tolist() == [0, 0, 0]


def test_what_an_instance_says_of_itself():
    text = str(CellularClustering(points=LINE, r=2, max_outliers=1, centres="member"))
    assert "n=3 r=2 max_outliers=1 centres=member" in text
    assert "max_clusters" not in text


def test_the_distance_of_two_points():
    points = [[0, 0], [3, 4]]
    assert RGather(points=points, r=1).distance(0, 1) == 25
    assert CellularClustering(points=points).distance(1, 0) == 5
    given = RGather(distances=[[0, None], [None, 0]], r=1)
    assert (given.distance(0, 0), given.distance(0, 1)) == (0, None)
