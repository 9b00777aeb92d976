from itertools import product

import numpy as np
import pytest

import atleastk
from atleastk.instances.generators.r_gather import FAMILIES, random_formula
from atleastk.instances.reductions.r_gather import assignment_back, to_r_gather
from atleastk.models.results.solution import Solution
from atleastk.solvers.brute_force.r_gather import optimum

BY_NAME = {family.name: family for family in FAMILIES}


def test_limits_are_as_asked_for():
    fields = {"r": 2, "max_clusters": 4, "max_outliers": 1, "centres": "member"}
    for family in FAMILIES:
        if "max_clusters" in family.parameters:
            instance = family.make(1, **fields)
            assert {key: getattr(instance, key) for key in fields} == fields


def test_points_are_as_asked_for():
    points = BY_NAME["uniform"].make(1, n=500, high=7).points
    assert len(points) == 500
    assert set(points) == set(product(range(7), repeat=2))
    assert BY_NAME["line"].make(1, n=9, high=1).points == ((0,),) * 9
    assert BY_NAME["lattice"].make(1, side=3).points == tuple(
        product(range(3), repeat=2)
    )
    rows = BY_NAME["hamming"].make(1, n=40, m=5, values=2).points
    assert {len(row) for row in rows} == {5}
    assert {cell for row in rows for cell in row} == {0, 1}


def test_clusters_are_tight_without_spread_or_noise():
    points = BY_NAME["clustered"].make(1, n=60, clusters=4, spread=0).points
    assert len(set(points)) == 4
    rows = BY_NAME["hamming-clustered"].make(1, n=60, clusters=4, noise=0).points
    assert len(set(rows)) == 4
    assert len(set(BY_NAME["hamming-clustered"].make(1, noise=30).points)) > 20


def test_graphs_are_connected():
    instance = BY_NAME["graph"].make(1, n=40, degree=4, weight=1)
    matrix = instance.space.matrix
    assert instance.not_metric is None
    assert matrix.max() < 40
    assert np.count_nonzero(matrix == 1) == 40 * 4
    assert BY_NAME["graph"].make(1, n=6, degree=50, weight=1).space.matrix.sum() == 30
    assert BY_NAME["graph"].make(1, n=30, weight=5).space.matrix.max() > 5


def test_us_cities_are_on_the_earth():
    instance = BY_NAME["us-cities"].make(0, n=20, r=4)
    assert instance.metric == "great-circle"
    assert "GeoNames" in instance.source
    assert 10**6 < instance.space.matrix.max() < 5 * 10**6


def test_figures_are_as_printed():
    instance = BY_NAME["figure-1"].make(0)
    cost, solution = optimum(instance)
    assert instance.radius(cost) == 3
    assert solution.groups == ((0, 1), (2, 3, 4))
    instance = BY_NAME["figure-3"].make(0)
    cost, solution = optimum(instance)
    assert (instance.r, cost, solution.centres) == (5, 1, (0,))


@pytest.mark.parametrize(
    ("family", "parameters", "algorithm", "cost"),
    [
        ("tight-star", {}, "r-gather", 2),
        ("tight-star", {"r": 6}, "k-r-center", 2),
        ("tight-line", {}, "r-gather", 2),
        ("tight-line", {"r": 2}, "r-gather", 2),
        ("tight-outliers", {}, "r-eps-gather", 4),
        ("tight-outliers", {"max_outliers": 0}, "r-eps-gather", 4),
        ("tight-outliers", {}, "r-eps-gather-input", 3),
        ("tight-k-outliers", {}, "k-r-eps-center", 4),
        ("tight-k-outliers", {"max_outliers": 2}, "k-r-eps-center", 4),
    ],
)
def test_tight_families_cost_what_is_guaranteed(family, parameters, algorithm, cost):
    instance = BY_NAME[family].make(0, **parameters)
    assert optimum(instance)[0] == 1
    assert atleastk.approximate(instance, algorithm).cost == cost


@pytest.mark.parametrize(("width", "count"), [(1, 5), (2, 14), (3, 11)])
def test_formulas_are_as_asked_for(width, count):
    clauses = random_formula(1, 6, count, width).clauses
    assert len(clauses) == len(set(clauses)) == count
    assert all(len({abs(x) for x in clause}) == width for clause in clauses)
    instance = BY_NAME["three-sat"].make(1, clauses=4, width=width, r=8)
    assert (instance.n, instance.r) == (6 * 8 + 4, 8)


def test_satisfiable_formulas_gather_within_1():
    formula = random_formula(1, 6, 10, 3)
    values = next(filter(formula.satisfied, product((False, True), repeat=6)))
    instance = to_r_gather(formula)
    assert instance.distances == BY_NAME["three-sat"].make(1).distances
    groups = [list(range(7 * x, 7 * x + 7)) for x in range(6)]
    for j, clause in enumerate(formula.clauses):
        x = next(abs(x) - 1 for x in clause if values[abs(x) - 1] == (x > 0))
        groups[x].append(42 + j)
    verdict = atleastk.check(instance, Solution.of(groups))
    assert verdict.feasible
    assert verdict.cost == 1
    assert formula.satisfied(assignment_back(formula, groups))
