"""Least squares of points: runs of one coordinate, annealing, and many points."""

import random

import numpy as np
import pytest
from searching import search_of

import atleastk
from atleastk.instances.generators.pair_partition import points
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.pair_partition import check
from atleastk.models.results.solution import Solution, labels_of
from atleastk.solvers.brute_force.pair_partition import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering import point_search as annealing
from atleastk.solvers.clustering.point_search import Ground
from atleastk.solvers.pair_partition import auto, point_search
from atleastk.solvers.pair_partition.algorithms.catalogue import mdav
from atleastk.solvers.pair_partition.local_search import ENDLESS
from atleastk.solvers.pair_partition.runs import best_runs, refuses


def line(rng, n, k, reach=20):
    axis = [[rng.randint(-reach, reach)] for _ in range(n)]
    return PairPartition(points=axis, k=k, objective="squares")


def test_runs_of_one_coordinate_are_between_bound_and_optimum():
    close = 0
    for seed in range(150):
        rng = random.Random(seed)
        instance = line(rng, rng.randint(1, 8), rng.randint(1, 4))
        best = optimum(instance)
        if best is None:
            continue
        groups, bound = best_runs(instance)
        cost = check(instance, Solution.of(groups)).cost
        assert bound <= best[0] <= cost <= bound + len(groups)
        close += cost == best[0]
    assert close > 100


def test_runs_are_for_one_coordinate_and_squares():
    assert not refuses(line(random.Random(1), 5, 2))
    assert refuses(points(1, n=5, k=2))
    assert refuses(PairPartition(points=[[1], [2]], k=1, objective="sum"))
    windowed = PairPartition(points=[[1]], k=1, objective="squares", groups=(1, 1))
    assert refuses(windowed)


def test_many_values_of_one_column_are_closed_but_for_rounding():
    instance = line(random.Random(5), 20_000, 5, 10**4)
    result = atleastk.solve(instance, time_limit=1.0, workers=1)
    assert result.cost - result.bound <= len(result.groups)


@pytest.mark.parametrize(("n", "k"), [(40, 3), (90, 5), (33, 1), (10, 6)])
def test_annealing_reports_better_groups_only(n, k):
    instance = points(n, n=n, k=k)
    groups = mdav(instance)
    costs = [sum(map(instance.cost_of, groups))]

    def offer(found):
        verdict = check(instance, Solution.of(found))
        assert not verdict.violations
        costs.append(verdict.cost)

    point_search.improve(instance, groups, Budget(), offer, 4)
    assert costs[-1] == min(costs)
    if k in (3, 5):
        assert costs[-1] < costs[0]


@pytest.mark.parametrize("rounds", [0, 1, 80, 800])
def test_the_best_labels_cost_what_is_told(rounds):
    """Also after a long way from them, of which the journal holds the last part."""
    instance = points(1, n=60, k=3)
    places = point_search.coordinates_of(instance)
    lengths, near, order = point_search.near_of(instance, (), Budget())
    labels = labels_of(mdav(instance), 60)

    def squares():
        groups = [places[labels == group] for group in set(labels.tolist())]
        return sum(np.square(group - group.mean(axis=0)).sum() for group in groups)

    before, hot = squares(), 3.0 * lengths.mean()
    rng, flag = np.random.default_rng(0), np.zeros(1, dtype=np.uint8)
    ground = Ground(places, near, 3, order)
    gained = annealing._cool(ground, labels, hot, 1.0, rounds, False, rng, flag)
    assert gained == pytest.approx(squares() - before)


def test_a_cold_search_comes_first_of_very_many_points(monkeypatch):
    monkeypatch.setattr(point_search, "VAST", 50)
    instance, costs = points(0, n=90, k=5), []
    groups = mdav(instance)

    def offer(found):
        costs.append(check(instance, Solution.of(found)).cost)

    point_search.improve(instance, groups, Budget(), offer, 0)
    assert len(costs) == 1
    assert costs[0] < check(instance, Solution.of(groups)).cost


def test_the_nearest_are_those_of_all_pairs():
    instance = points(3, n=60, k=3, dimension=3)
    wanted = np.arange(60) % 7 > 3
    coordinates = point_search.coordinates_of(instance)
    lengths, near, order = point_search.nearest_of(
        coordinates, 4, Budget(), wanted, np.arange(60)
    )
    every = instance.matrix + np.where(np.eye(60, dtype=bool), 10**12, 0)
    assert sorted(order) == [*range(60)]
    known = wanted.copy()
    known[near[wanted]] = True
    assert np.allclose(lengths[known], np.sort(every, axis=1)[known, :4])
    assert not lengths[~known].any()
    found = np.take_along_axis(every, near, axis=1)
    assert np.allclose(found[known], lengths[known])


def test_points_of_groups_of_equal_ones_are_not_wanted(monkeypatch):
    monkeypatch.setattr(point_search, "near_in_all", lambda n, k: 1)
    axis = [[0], [0], [50], [50], [5], [6], [9]]
    instance = PairPartition(points=axis, k=2, objective="squares")
    lengths, near, _ = point_search.near_of(
        instance, ([0, 1], [2, 3], [4, 5, 6]), Budget()
    )
    assert lengths[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 9]
    assert near[:, 0].tolist() == [0, 0, 0, 0, 5, 4, 5]


def test_near_points_fit_into_memory_and_fewer_pay_less(monkeypatch):
    instance = points(3, n=60, k=3)
    whole = point_search.near_of(instance, (), Budget())
    monkeypatch.setattr(point_search, "MOST_NEAR", 5 * 60)
    lengths, near, _ = point_search.near_of(instance, (), Budget())
    assert near.shape == (60, 5)
    assert (lengths == whole[0][:, :5]).all()


def test_many_points_are_never_dearer_than_mdav(monkeypatch):
    """As if 50 points were too many for a matrix of pairs."""
    monkeypatch.setattr(auto, "MOST_PAIRED", 50)
    monkeypatch.setattr(auto, "MOST_PRICED", 50)
    monkeypatch.setattr(auto, "ENDLESS", 3)
    assert ENDLESS > 3
    for k in (2, 4):
        instance = points(k, n=120, k=k, dimension=3)
        search = search_of(instance, workers=1)
        auto.solve(search)
        assert search.cost <= sum(map(instance.cost_of, mdav(instance)))
        exact = atleastk.solve(instance, time_limit=20, workers=1)
        assert 0 < search.bound <= exact.cost <= search.cost
