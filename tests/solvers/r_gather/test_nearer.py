"""Points that are near their centres, without a greater radius."""

import random
from dataclasses import replace

import numpy as np
import pytest

import atleastk
from atleastk.models.clustering import completed
from atleastk.models.r_gather import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.r_gather.nearer import nearer


def total(instance, solution):
    """Return the sum of all distances to centres."""
    lengths = [
        instance.space.row(centre)[list(group)]
        for centre, group in zip(solution.centres, solution.groups, strict=True)
    ]
    found = np.concatenate(lengths)
    return float((np.sqrt(found) if instance.squared else found).sum())


def drawn(rng, metric):
    n, r = rng.randint(6, 30), rng.randint(1, 4)
    return atleastk.RGather(
        points=[[rng.randint(0, 20), rng.randint(0, 20)] for _ in range(n)],
        metric=metric,
        r=r,
        max_outliers=rng.choice([0, 0, 2]),
        max_clusters=rng.choice([None, None, 3]),
        centres=rng.choice(["input", "member"]),
    )


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_the_sum_falls_and_the_rest_is_kept(seed, metric):
    instance = drawn(random.Random(seed), metric)
    result = atleastk.solve(instance, time_limit=20)
    before = completed(instance, result.solution)
    offered = [before]
    nearer(instance, before, Budget.of(), offered.append)
    sums = [total(instance, solution) for solution in offered]
    assert sums == sorted(sums, reverse=True)
    for solution in offered:
        verdict = check(instance, solution)
        assert verdict.feasible, verdict.violations
        assert verdict.cost <= result.cost
        assert solution.outliers == before.outliers


def test_a_line_of_pairs_is_taken_apart():
    """Radius 5 allows one cluster of all; pairs are nearer to each other."""
    line = [[0], [1], [4], [5], [9], [10], [20], [30]]
    instance = atleastk.RGather(points=line, metric="manhattan", r=2)
    one = completed(instance, atleastk.models.solutions.Solution.of([range(6), (6, 7)]))
    offered = []
    nearer(instance, one, Budget.of(), offered.append)
    assert total(instance, offered[-1]) == 1 + 1 + 1 + 10
    assert [len(group) for group in offered[-1].groups] == [2, 2, 2, 2]


def test_nothing_is_done_when_time_is_up():
    instance = drawn(random.Random(1), "manhattan")
    solution = completed(instance, atleastk.solve(instance).solution)
    offered = []
    nearer(instance, solution, Budget.of(0.0), offered.append)
    assert offered == []


def test_points_without_clusters_stay_so():
    far = atleastk.RGather(points=[[0], [9]], metric="manhattan", r=3, max_outliers=2)
    solution = completed(far, atleastk.solve(far).solution)
    offered = []
    nearer(far, replace(solution), Budget.of(), offered.append)
    assert (solution.groups, offered) == ((), [])
