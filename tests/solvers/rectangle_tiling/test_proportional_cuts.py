"""Cuts in proportion: tilings that are feasible, and near the mean weight."""

import random

import pytest

from atleastk.instances.generators.rectangle_tiling import FAMILIES
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import (
    boxes_of,
    check,
    solution_of_boxes,
    tiling_of,
)
from atleastk.models.rectangles import by_guillotine
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling.proportional_cuts import proportional_cuts
from atleastk.solvers.tilings.guillotine import guillotine_tiling

UNIFORM = next(family for family in FAMILIES if family.name == "uniform")


def best_of(instance):
    """Return the last tiling, which is the cheapest."""
    *_, boxes = proportional_cuts(instance)
    return solution_of_boxes(instance, boxes)


def test_small_instances():
    """Straight cuts, no better than the best of them; weights up to the limit."""
    rng = random.Random(3)
    for _ in range(60):
        scale = rng.choice([1, 1, 2**50])
        points = [
            (rng.randrange(6), rng.randrange(6), scale * rng.randint(0, 9))
            for _ in range(rng.randint(1, 25))
        ]
        total = sum(weight for _, _, weight in points)
        if total == 0:
            continue
        k = rng.randint(1, max(1, min(total, total // rng.randint(1, 8))))
        instance = RectangleTiling(points, k, guillotine=True)
        found = best_of(instance)
        verdict = check(instance, found)
        assert not verdict.violations
        assert by_guillotine(boxes_of(instance, found))
        best = check(instance, guillotine_tiling(tiling_of(instance), Budget())).cost
        assert best <= verdict.cost


@pytest.mark.parametrize(("n", "parts"), [(400, 20), (3_000, 150)])
def test_parts_near_the_mean(n, parts):
    """Twenty points each: less than a fifth above it."""
    instance = UNIFORM.make(1, n=n, parts=parts)
    found = best_of(instance)
    verdict = check(instance, found)
    assert not verdict.violations
    assert verdict.cost * parts < 1.2 * instance.total


def test_each_tiling_is_cheaper_than_the_one_before():
    instance = UNIFORM.make(2, n=300, parts=40)
    tilings = [
        solution_of_boxes(instance, each) for each in proportional_cuts(instance)
    ]
    costs = [check(instance, tiling).cost for tiling in tilings]
    assert costs == sorted(set(costs), reverse=True)


def test_heavy_places():
    """One that weighs more than all parts should is a part of its own, or in one."""
    points = [(0, 0, 1000), *((i, i * 7 % 20, 5) for i in range(1, 20))]
    instance = RectangleTiling(points, 15)
    found = best_of(instance)
    verdict = check(instance, found)
    assert not verdict.violations
    assert verdict.cost < 1000 + 3 * 15
