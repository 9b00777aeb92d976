import random

import numpy as np
from drawing import random_distances, random_gather, uniform
from searching import search_of

from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import completed, solution_of
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.r_gather import local_search, windows
from atleastk.solvers.r_gather.local_search import improve


def begun(instance, bound=0, **limits):
    search = search_of(instance, **limits)
    together = solution_of([range(instance.n)])
    search.offer(completed(instance, together), "one cluster")
    search.raise_bound(bound, "known")
    return search


def test_small_cases_are_solved():
    rng = random.Random(4)
    bettered = 0
    for _ in range(80):
        n = rng.randint(4, 8)
        distances = random_distances(rng, n, range(10))
        instance = random_gather(
            rng, n, distances=distances, centres=rng.choice(["input", "member"])
        )
        best = optimum(instance)
        if best is None:
            continue
        search = begun(instance, best[0])
        bettered += search.cost > best[0]
        improve(search, search.budget)
        assert search.cost == best[0]
    assert bettered > 40


def test_a_large_case_with_all_limits():
    instance = uniform(RGather, 200, r=5, max_clusters=10, max_outliers=10)
    search = begun(instance, 3284660)
    improve(search, search.budget)
    assert search.closed


def test_nothing_is_done_without_need():
    points = [[0], [1], [5], [6]]
    instance = RGather(points=points, r=2, metric="manhattan")
    search = search_of(instance)
    improve(search, search.budget)
    assert search.cost is None
    closed = begun(instance, 0)
    closed.offer(solution_of([[0, 1], [2, 3]], [0, 2]), "by hand")
    closed.raise_bound(1, "by hand")
    improve(closed, closed.budget)
    assert closed.cost == 1
    search = search_of(RGather(points=points, r=2, metric="manhattan", centres="any"))
    search.offer(solution_of([range(4)]), "one cluster")
    improve(search, search.budget)
    assert search.cost == 6


def test_centres_that_miss_points_may_be_better(monkeypatch):
    """Those of points 0 and 6 serve at radius 1, wherever annealing looked for them."""

    def missing(balls, centres, *_):
        return 1, np.flatnonzero(np.isin(centres, [0, 3]))

    monkeypatch.setattr(local_search, "annealed", missing)
    search = begun(RGather(points=[[0], [1], [5], [6]], r=2, metric="manhattan"))
    assert search.cost > 1
    improve(search, search.budget)
    assert search.cost == 1


def test_it_ends_by_itself():
    instance = RGather(points=[[0], [1], [5], [6]], r=2, metric="manhattan")
    search = begun(instance)
    improve(search, search.budget)
    assert search.cost == 1
    assert not search.budget.spent


def test_growing_searches_have_a_part_of_the_time_left(monkeypatch):
    """They begin with none, and grow after three failures, as far as time allows."""
    now, asked = [0.0], []

    def taking(rounds, heat):
        asked.append((rounds, heat))
        now[0] += rounds / 20_000

    def missing(balls, centres, opened, n, limits, heat, rounds, *_):
        taking(rounds, heat)
        return 1, opened[:0]

    class Idle:
        missing = 1

        def __init__(self, space, balls, centres, opened, limits):
            self.opened = opened

        def repair(self, rounds, rng, budget):
            if len(self.opened):
                taking(rounds, None)
            return 0

    monkeypatch.setattr(local_search, "annealed", missing)
    monkeypatch.setattr(local_search, "Windows", Idle)
    monkeypatch.setattr(CLOCK, "source", lambda: now[0])
    monkeypatch.setattr(local_search, "_FEW", 3)
    monkeypatch.setattr(local_search, "_SEVERAL", 2)
    instance = RGather(points=[[0], [1], [5], [6]], r=2, metric="manhattan")
    search = begun(instance, seconds=100.0)
    improve(search, search.budget, growing=True)
    rounds = [20_000] * 3 + [160_000] * 3 + [int(160_000 * 81 / 32)] * 4
    assert [each for each, _ in asked] == rounds
    assert [heat for _, heat in asked][:4] == [1.0, 0.5, None, 1.0]


def test_windows_of_many_points(monkeypatch):
    """They go on from where points are missing, down to the optimum or near it."""
    monkeypatch.setattr(local_search, "_FEW", 30)
    monkeypatch.setattr(local_search, "_SEVERAL", 2)
    monkeypatch.setattr(windows, "_POINTS", 9)
    monkeypatch.setattr(windows, "_LEAST", 3)
    for seed in range(6):
        instance = uniform(RGather, 60, seed=seed, r=3, max_outliers=3)
        search = begun(instance)
        improve(search, search.budget, 200_000, growing=True)
        again = begun(instance)
        monkeypatch.setattr(local_search, "_FEW", 60)
        improve(again, again.budget, 200_000, growing=True)
        monkeypatch.setattr(local_search, "_FEW", 30)
        assert search.cost <= 1.1 * again.cost
