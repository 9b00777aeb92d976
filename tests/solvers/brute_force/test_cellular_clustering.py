import pytest

from atleastk import CellularClustering, NotApplicableError
from atleastk.solvers.brute_force.cellular_clustering import optimum

LINE = [[0], [1], [2], [10], [12]]


def cost(**fields):
    found = optimum(CellularClustering(**fields))
    return None if found is None else found[0]


def test_costs_by_hand():
    assert cost(points=LINE, r=1) == 0
    assert cost(points=LINE, r=2) == 3 + 4
    assert cost(points=LINE, r=2, centres="any") == 6 + 4
    assert cost(points=LINE, r=3) == 5 * 10
    assert cost(points=LINE, r=2, max_clusters=1) == 5 * 10
    assert cost(points=LINE, r=3, centres="any") == 5 * 12


def test_outliers_may_be_fewer():
    assert cost(points=LINE, r=2, max_outliers=1) == 2 + 4
    assert cost(points=LINE, r=2, max_outliers=2) == 3
    assert cost(points=LINE, r=2, max_outliers=5) == 0
    assert cost(points=LINE, r=5, max_outliers=4) == 50


def test_centres_of_clusters_they_are_not_in():
    apart = [[0, 8, 2], [8, 0, 2], [2, 2, 0]]
    fields = {"distances": apart, "r": 2, "max_outliers": 1}
    assert cost(**fields) == cost(**fields, centres="member") == 4
    assert cost(**fields, facility_costs=[9, 9, 0]) == 4
    twin = [[0, 8, 2, 9], [8, 0, 2, 9], [2, 2, 0, 1], [9, 9, 1, 0]]
    assert cost(distances=twin, r=2) == 2 * 2 + 2 * 1
    assert cost(distances=twin, r=2, centres="member") == 4 * 2


def test_facilities():
    assert cost(points=LINE, facility_costs=[1] * 5) == 5
    assert cost(points=[[0], [1]], facility_costs=[9, 2]) == 2 + 2
    assert cost(points=[[0], [1]], facility_costs=[9, 2], r=2) == 2 + 2
    assert cost(points=[[0], [9]], facility_costs=[30, 2], centres="input") == 2 + 2 + 9
    assert cost(points=[[0], [9]], facility_costs=[7, 2], centres="member") == 9


def test_limits():
    assert optimum(CellularClustering(points=[]))[0] == 0
    assert cost(points=[[1]], r=2) is None
    assert cost(distances=[[0, None], [None, 0]], r=2) is None
    assert cost(distances=[[0, None], [None, 0]], r=1) == 0
    assert cost(distances=[[0, None], [None, 0]], r=2, max_outliers=2) == 0
    with pytest.raises(NotApplicableError, match="at most 9 points, got 10"):
        optimum(CellularClustering(points=[[0]] * 10))
