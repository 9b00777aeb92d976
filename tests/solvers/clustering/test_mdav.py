import random
from dataclasses import replace

import numpy as np
import pytest
from costs import cost_of
from searching import search_of

from atleastk import CellularClustering, Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.first import begin, far_cut
from atleastk.solvers.clustering import mdav


def scattered(n, axes=3, seed=1, **fields):
    rng = random.Random(seed)
    points = [[int(rng.gauss(0, 1e5)) for _ in range(axes)] for _ in range(n)]
    return CellularClustering(points=points, **{"metric": "euclidean", **fields})


def textbook(points, k):
    points, left, groups = np.array(points, dtype=float), list(range(len(points))), []

    def farthest(around):
        return max(left, key=lambda i: ((points[i] - around) ** 2).sum())

    def take(point):
        left.sort(key=lambda i: ((points[i] - points[point]) ** 2).sum())
        groups.append(sorted(left[:k]))
        del left[:k]

    while len(left) >= 3 * k:
        first = farthest(points[left].mean(axis=0))
        take(first)
        take(farthest(points[first]))
    if len(left) >= 2 * k:
        take(farthest(points[left].mean(axis=0)))
    return sorted([*groups, sorted(left)])


def groups_of(instance):
    order, starts = far_cut(instance, Budget())
    return sorted(sorted(group.tolist()) for group in np.split(order, starts[1:-1]))


@pytest.mark.parametrize("n", [4, 7, 8, 11, 12, 13, 61, 200])
def test_they_are_those_of_the_textbook(n):
    instance = scattered(n, r=4)
    assert groups_of(instance) == textbook(instance.points, 4)


def test_few_clusters_are_larger():
    instance = scattered(50, r=3, max_clusters=4)
    assert sorted(map(len, groups_of(instance))) == [11, 11, 11, 17]


@pytest.mark.parametrize("centres", ["input", "member", "any"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_what_a_search_begins_with_is_no_dearer(metric, centres):
    for n, r in (
        (30, 3),
        (400, 5),
        (4_100, 40) if metric == "euclidean" else (700, 10),
    ):
        instance = scattered(n, 6, metric=metric, centres=centres, r=r)
        search = search_of(instance)
        begin(search, "greedy")
        among = instance if centres == "any" else replace(instance, centres="member")
        assert search.cost <= cost_of(among, Solution.of(groups_of(instance)))


def test_many_points_are_grouped_in_parts(monkeypatch):
    monkeypatch.setattr(mdav, "_PART", 100)
    instance = scattered(1_003, r=7)
    for budget in (Budget(), Budget().slice(0.0)):
        order, starts = far_cut(instance, budget)
        assert sorted(order.tolist()) == list(range(instance.n))
        sizes = np.diff(starts)
        assert sizes.min() == 7
        assert sizes.max() < 14


def test_nothing_without_coordinates():
    points = [[x % 3, x % 5] for x in range(30)]
    by_texts = CellularClustering(points=points, metric="hamming", r=3)
    assert far_cut(by_texts, Budget()) is None
