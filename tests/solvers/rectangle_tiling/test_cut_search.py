"""The search for straight cuts: all there are of few points, near the mean of many."""

import random

import pytest

from atleastk.instances.generators.rectangle_tiling import FAMILIES
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import (
    check,
    counting_bound,
    solution_of_boxes,
    tiling_of,
)
from atleastk.models.rectangles import by_guillotine
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling.auto import solve
from atleastk.solvers.rectangle_tiling.cut_search import tilings_by_cuts
from atleastk.solvers.search import Search
from atleastk.solvers.tilings.guillotine import guillotine_tiling

UNIFORM = next(family for family in FAMILIES if family.name == "uniform")

EFFORT = 2**16


def draw(rng, side, most):
    scale = rng.choice([1, 1, 2**50])
    points = [
        (rng.randrange(side), rng.randrange(side), scale * rng.choice((0, 1, 2, 5, 9)))
        for _ in range(rng.randint(1, most))
    ]
    total = sum(weight for _, _, weight in points)
    k = rng.randint(1, max(1, min(total, total // rng.randint(1, 8))))
    return RectangleTiling(points, k, guillotine=True)


@pytest.mark.parametrize("seed", range(80))
def test_few_points_get_the_best_cuts(seed):
    """They have no more lines than are tried."""
    rng = random.Random(seed)
    instance = draw(rng, rng.choice((3, 6, 12)), 24)
    if instance.total < instance.k:
        pytest.skip("not feasible")
    best = check(instance, guillotine_tiling(tiling_of(instance), Budget())).cost
    bound, cost = counting_bound(instance), instance.total + 1
    for boxes in tilings_by_cuts(instance, bound, cost, Budget(), EFFORT):
        verdict = check(instance, solution_of_boxes(instance, boxes))
        assert not verdict.violations
        assert by_guillotine(boxes)
        assert verdict.cost < cost
        cost = verdict.cost
    assert cost == best


def test_only_what_is_cheaper_is_yielded():
    instance = UNIFORM.make(3, n=60, parts=8)
    best = check(instance, guillotine_tiling(tiling_of(instance), Budget())).cost
    assert not list(tilings_by_cuts(instance, 1, best, Budget(), EFFORT))


def test_without_time_there_are_none():
    instance = UNIFORM.make(1, n=400, parts=20)
    ends = instance.k, instance.total
    assert not list(tilings_by_cuts(instance, *ends, Budget.of(0.0), EFFORT))


@pytest.mark.parametrize("guillotine", [False, True])
@pytest.mark.parametrize(("n", "parts"), [(400, 20), (1000, 100), (3000, 100)])
def test_parts_near_the_mean(n, parts, guillotine):
    """Less than 6 % above it; strips end at a twelfth."""
    instance = UNIFORM.make(1, n=n, parts=parts)
    instance = RectangleTiling(instance.points, instance.k, guillotine=guillotine)
    ends = counting_bound(instance), 2 * instance.k
    *_, best = tilings_by_cuts(instance, *ends, Budget(), EFFORT)
    verdict = check(instance, solution_of_boxes(instance, best))
    assert not verdict.violations
    assert verdict.cost * parts < 1.06 * instance.total


def test_the_seed_draws_the_order_of_lines():
    instance = UNIFORM.make(5, n=300, parts=30)
    ends = counting_bound(instance), 2 * instance.k
    found = {
        tuple(map(tuple, boxes))
        for seed in range(4)
        for boxes in tilings_by_cuts(instance, *ends, Budget(seed=seed), EFFORT)
    }
    once = [*tilings_by_cuts(instance, *ends, Budget(), EFFORT)]
    assert once == [*tilings_by_cuts(instance, *ends, Budget(), EFFORT)]
    assert len(found) > len(once)


@pytest.mark.parametrize("cover", ["plane", "points"])
def test_the_automatic_choice_searches_for_cuts(cover):
    instance = UNIFORM.make(2, n=1000, parts=100)
    instance = RectangleTiling(instance.points, instance.k, cover)
    ends = counting_bound(instance), 2 * instance.k
    *_, best = tilings_by_cuts(instance, *ends, Budget(), EFFORT)
    cost = check(instance, tiling_of(instance).solution(best)).cost
    budget = Budget()

    def stop(event):
        if event.cost is not None and event.cost <= cost:
            budget.stop.set()

    search = Search(instance, check, budget, stop)
    solve(search)
    assert search.credits["cost", "search for cuts"]
    assert search.cost <= cost
