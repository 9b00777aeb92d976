import itertools
import random
from functools import cache, partial

import numpy as np
import pytest
from costs import cost_of
from drawing import symmetric, uniform
from searching import search_of

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.cellular_clustering import check
from atleastk.models.clustering import completed
from atleastk.solvers.brute_force.cellular_clustering import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering import local_search
from atleastk.solvers.cellular_clustering.local_search import beginning, improve
from atleastk.solvers.cellular_clustering.local_search_state import COUNT, TOTAL
from atleastk.solvers.cellular_clustering.two_clusters import Task, split_about_centres
from atleastk.solvers.cellular_clustering.two_diameters import split_by_diameters

square = partial(uniform, CellularClustering, high=1000)

NOTHING = 10**15


def improved(instance, seed=0, seconds=None):
    search = search_of(instance, seconds=seconds, seed=seed)
    improve(search, search.budget)
    return search


def least(distances, facilities, r, reading, points, spare, most):
    @cache
    def price(group):
        if reading == "any":
            return len(group) * max(distances[p][q] for p in group for q in group)
        places = group if reading == "member" else range(len(distances))
        return min(
            facilities[c] + len(group) * max(distances[c][p] for p in group)
            for c in places
        )

    best = NOTHING
    for labels in itertools.product(range(most + 1), repeat=len(points)):
        groups = [
            tuple(p for p, label in zip(points, labels, strict=True) if label == g)
            for g in range(1, most + 1)
        ]
        used = [group for group in groups if group]
        if labels.count(0) <= spare and all(len(group) >= r for group in used):
            best = min(best, sum(map(price, used)))
    return best


@pytest.mark.parametrize("reading", ["input", "member", "any"])
def test_two_clusters_are_settled_as_well_as_can_be(reading):
    rng = np.random.default_rng(7)
    missed = 0
    for _ in range(150):
        n, most = int(rng.integers(1, 8)), int(rng.choice([2, 10, 1000]))
        distances = np.triu(rng.integers(0, most + 1, (n, n)), 1)
        distances += distances.T
        facilities = rng.integers(0, most + 1, n) * int(rng.integers(0, 2))
        r, spare = int(rng.integers(1, 4)), int(rng.choice([0, 0, 1, 2]))
        clusters = int(rng.integers(1, 3))
        points = rng.permutation(n)[: int(rng.integers(1, n + 1))]
        part, centre = np.ones(len(points), dtype=np.int64), np.full(3, -1)
        member = reading == "member"
        task = Task(
            distances,
            facilities,
            r,
            member,
            points,
            points if member else np.arange(n),
            spare,
            clusters,
            NOTHING,
        )
        if reading == "any":
            found = split_by_diameters(task, part)
        else:
            found = split_about_centres(task, part, centre)
        plain = distances.tolist(), facilities.tolist(), r, reading, points.tolist()
        best = least(*plain, spare, clusters)
        assert found >= best
        missed += found > best
    assert missed <= (15 if reading == "any" else 0)


def test_few_points_are_clustered_best():
    rng, compared = random.Random(3), 0
    for seed in range(80):
        n, most = rng.randint(1, 7), rng.choice([2, 9, 100])
        rows = symmetric(
            n, lambda most=most: rng.choice([rng.randint(0, most)] * 5 + [None])
        )
        centres = rng.choice(["input", "member", "any"])
        costs = [rng.randint(0, 9) for _ in range(n)] if centres == "input" else None
        instance = CellularClustering(
            distances=rows,
            r=rng.randint(1, 3),
            centres=centres,
            facility_costs=costs,
            max_clusters=rng.choice([None, None, 1, 2]),
            max_outliers=rng.choice([0, 0, 1, 2]),
        )
        best, search = optimum(instance), improved(instance, seed)
        if best is None:
            assert search.cost is None
        else:
            compared += 1
            assert search.cost is not None
            assert search.cost == best[0], instance
    assert compared > 50


@pytest.mark.parametrize(("r", "cost"), [(2, 4449), (3, 6277)])
def test_uniform_points(r, cost):
    instance = square(50, r=r)
    assert any(improved(instance, seed).cost <= cost for seed in range(3))


@pytest.mark.parametrize(
    "fields",
    [
        {"centres": "any"},
        {"centres": "member", "max_clusters": 6},
        {"max_outliers": 5},
        {"facility_costs": [500] * 24, "r": 1},
    ],
)
def test_better_than_the_beginning(fields):
    instance = square(24, **{"r": 4, **fields})
    assert improved(instance, 1).cost < cost_of(instance, beginning(instance, 1))


def test_a_start_is_never_lost():
    instance = square(24, r=3)
    best = improved(instance)
    search = search_of(instance, seed=5)
    search.offer(best.solution, "before")
    improve(search, search.budget)
    assert search.cost <= best.cost


def test_same_seed_same_answer():
    instance = square(24, r=5)
    first, second = improved(instance, 4), improved(instance, 4)
    assert first.solution == second.solution


def test_a_spent_budget_is_honoured():
    assert improved(square(300, r=3), seconds=0).solution is not None


@pytest.mark.parametrize("fields", [{}, {"centres": "any"}, {"max_clusters": 3}])
def test_a_beginning_of_no_time(fields):
    plain = square(1700, r=2, **fields)
    assert check(plain, beginning(plain, 0, Budget.of(0))).feasible
    if not fields:
        dear = square(1700, r=2, facility_costs=[10**6] * 1700)
        assert len(beginning(dear, 0, Budget.of(0)).groups) == 1


@pytest.mark.usefixtures("_measured_by_work")
def test_many_points_are_improved_in_parts():
    instance = square(4500, r=5, max_outliers=3, max_clusters=850)
    first = check(instance, beginning(instance, 0))
    search = improved(instance, seconds=1)
    assert first.feasible
    assert search.cost < first.cost


def test_workers_have_parts_of_their_own(monkeypatch):
    monkeypatch.setattr(local_search, "_PART", 20)
    instance = square(300, r=5, max_outliers=9, max_clusters=57)
    start = completed(instance, beginning(instance, 0))
    now = local_search._Assignment.of(instance, start)
    around = local_search._Around(instance, 0)
    apart = around.apart(now, 0, 3, np.random.default_rng(0))
    assert len(apart) > 1
    assert len(np.unique(np.concatenate(apart))) == sum(map(len, apart))
    locals_ = [now.part(instance, points, 3).local for points in apart]
    held = [now.label[points] for points in apart]
    clusters = [len(np.unique(labels[labels > 0])) for labels in held]
    outliers = [np.count_nonzero(labels == 0) for labels in held]
    more = sum(each.max_clusters for each in locals_) - sum(clusters)
    assert 0 < more <= instance.max_clusters - len(start.groups)
    more = sum(each.max_outliers for each in locals_) - sum(outliers)
    assert 0 <= more <= instance.max_outliers - len(start.ungrouped)


def test_clusters_are_known_by_their_points():
    instance = square(120, r=5, max_outliers=3)
    now = local_search._Assignment.of(instance, beginning(instance, 0))
    part = now.part(instance, np.arange(120))
    assert not part.settle(Budget())
    assert part.improve(0.1, None, np.random.default_rng(0), Budget())
    local, best = part.local, part.best
    for g, name in enumerate(best.name):
        members = np.flatnonzero(best.label == g)
        assert name == np.bitwise_xor.reduce(local.names[members], initial=0)
    assert best.sums[TOTAL] == best.price.sum()
    assert best.sums[COUNT] == np.count_nonzero(best.size[1:])
    # A pair that nothing improves is known, and no better clusters of its points.
    seen, least = local.seen
    known = [
        least[seen == name ^ best.name[0] ^ 1].tolist()
        for name in np.bitwise_xor.outer(best.name[1:], best.name[1:]).ravel()
    ]
    prices = np.add.outer(best.price[1:], best.price[1:]).ravel()
    met = [(k[0], p) for k, p in zip(known, prices, strict=True) if k]
    assert len(met) > best.sums[COUNT]
    assert all(k >= p for k, p in met)


def test_nothing_to_do():
    assert improved(CellularClustering(points=[])).cost == 0
    assert improved(square(3, r=2, max_outliers=3)).cost == 0
    assert improved(square(3, r=4)).cost is None
    assert beginning(square(3, r=4), 0) is None
    apart = CellularClustering(distances=[[0, None], [None, 0]], r=2)
    assert beginning(apart, 0) is None
    assert improved(apart).cost is None
