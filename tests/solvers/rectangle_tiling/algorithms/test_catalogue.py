"""kd-trees as [Du09] has them: feasible, within Theorem 4, and as bad as it says."""

import random

import pytest
from costs import cost_by

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.solvers.brute_force.rectangle_tiling import optimum
from atleastk.solvers.rectangle_tiling.algorithms.catalogue import ALGORITHMS

BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}
KD = [name for name in BY_NAME if name.startswith("kd-")]


def random_instance(rng, size=4):
    width, height, k = rng.randint(1, size), rng.randint(1, size), rng.randint(1, 6)
    heavy = rng.choice([k, k + 1, 3 * k])
    points = [
        (rng.randrange(width), rng.randrange(height), rng.choice([0, 1, 1, 2, heavy]))
        for _ in range(rng.randint(0, 9))
    ]
    cover = rng.choice(["plane", "points"])
    return RectangleTiling(points, k, cover, cover == "plane" and rng.random() < 0.3)


def test_straight_cuts_are_never_worse_than_kd_trees():
    rng = random.Random(2)
    for seed in range(150):
        instance = random_instance(rng, size=12)
        if instance.total >= instance.k:
            best = cost_by("guillotine", instance)
            assert all(best <= cost_by(name, instance, seed) for name in KD)


def cross(k, arms):
    """A centre of weight k, and on each of four arms these weights outwards."""
    arm = [(distance, weight) for distance, weight in enumerate(arms, 1)]
    points = [(0, 0, k)]
    for x, y in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
        points += [(x * far, y * far, weight) for far, weight in arm]
    return RectangleTiling(points, k)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_the_printed_worst_case_is_optimal(k):
    """Five points of k - 1 and k: 5k - 4 is the optimum, so the ratio is 1."""
    instance = cross(k, [k - 1])
    assert optimum(instance)[0] == 5 * k - 4
    assert {cost_by(name, instance) for name in BY_NAME} == {5 * k - 4}


def test_guillotine_refuses_what_kd_trees_take():
    rng = random.Random(3)
    points = [(rng.random(), rng.random(), 1) for _ in range(30_000)]
    instance = RectangleTiling(points, 10)
    assert "boxes" in BY_NAME["guillotine"].refuses(instance)
    costs = {name: cost_by(name, instance, 1) for name in KD}
    assert costs["kd-smallest-side"] == 10
    assert max(costs.values()) <= 46
