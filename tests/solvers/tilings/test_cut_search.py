"""The search for straight cuts: all there are of few points, near the mean of many."""

import random

import pytest
from searching import search_of

from atleastk.instances.generators import rectangle_tiling_grid as grids
from atleastk.instances.generators.rectangle_tiling import FAMILIES
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling import (
    check,
    counting_bound,
    tiling_of,
)
from atleastk.models.rectangle_tiling_grid import check as check_grid
from atleastk.models.rectangle_tiling_grid import tiling_of as tiling_of_grid
from atleastk.models.rectangles import by_guillotine
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling.auto import solve
from atleastk.solvers.tilings.cut_search import tilings_by_cuts
from atleastk.solvers.tilings.guillotine import guillotine_tiling

UNIFORM = next(family for family in FAMILIES if family.name == "uniform")

GRIDS = next(family for family in grids.FAMILIES if family.name == "uniform")

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


def cheaper_and_cheaper(instance, tiling, check):
    """Return what the last tiling costs, each below the one before and by cuts."""
    cost = instance.total + 1
    for boxes in tilings_by_cuts(tiling, tiling.bound, cost, Budget(), EFFORT):
        verdict = check(instance, tiling.solution(boxes))
        assert not verdict.violations
        assert by_guillotine(boxes)
        assert verdict.cost < cost
        cost = verdict.cost
    return cost


@pytest.mark.parametrize("seed", range(80))
def test_few_points_get_the_best_cuts(seed):
    """They have no more lines than are tried."""
    rng = random.Random(seed)
    instance = draw(rng, rng.choice((3, 6, 12)), 24)
    if instance.total < instance.k:
        pytest.skip("not feasible")
    tiling = tiling_of(instance)
    best = check(instance, guillotine_tiling(tiling, Budget())).cost
    assert cheaper_and_cheaper(instance, tiling, check) == best


def test_only_what_is_cheaper_is_yielded():
    instance = UNIFORM.make(3, n=60, parts=8)
    best = check(instance, guillotine_tiling(tiling_of(instance), Budget())).cost
    assert not list(tilings_by_cuts(tiling_of(instance), 1, best, Budget(), EFFORT))


def test_without_time_there_are_none():
    instance = UNIFORM.make(1, n=400, parts=20)
    ends = instance.k, instance.total
    assert not list(tilings_by_cuts(tiling_of(instance), *ends, Budget.of(0.0), EFFORT))


@pytest.mark.parametrize("guillotine", [False, True])
@pytest.mark.parametrize(("n", "parts"), [(400, 20), (1000, 100), (3000, 100)])
def test_parts_near_the_mean(n, parts, guillotine):
    """Less than 6 % above it; strips end at a twelfth."""
    instance = UNIFORM.make(1, n=n, parts=parts)
    instance = RectangleTiling(instance.points, instance.k, guillotine=guillotine)
    tiling, ends = tiling_of(instance), (counting_bound(instance), 2 * instance.k)
    *_, best = tilings_by_cuts(tiling, *ends, Budget(), EFFORT)
    verdict = check(instance, tiling.solution(best))
    assert not verdict.violations
    assert verdict.cost * parts < 1.06 * instance.total


def test_the_seed_draws_the_order_of_lines():
    instance = UNIFORM.make(5, n=300, parts=30)
    tiling = tiling_of(instance)
    ends = counting_bound(instance), 2 * instance.k
    found = {
        tuple(map(tuple, boxes))
        for seed in range(4)
        for boxes in tilings_by_cuts(tiling, *ends, Budget(seed=seed), EFFORT)
    }
    once = [*tilings_by_cuts(tiling, *ends, Budget(), EFFORT)]
    assert once == [*tilings_by_cuts(tiling, *ends, Budget(), EFFORT)]
    assert len(found) > len(once)


@pytest.mark.parametrize("seed", range(30))
def test_few_cells_get_the_best_cuts_into_few_boxes(seed):
    rng = random.Random(seed)
    rows, columns = rng.randint(2, 6), rng.randint(2, 6)
    cells = [[rng.choice((0, 1, 2, 9)) for _ in range(columns)] for _ in range(rows)]
    instance = RectangleTilingGrid(cells, p=rng.randint(2, 8), guillotine=True)
    tiling = tiling_of_grid(instance)
    best = check_grid(instance, guillotine_tiling(tiling, Budget())).cost
    assert cheaper_and_cheaper(instance, tiling, check_grid) >= best


def test_large_boxes_of_a_grid_are_near_the_mean():
    instance = GRIDS.make(3, rows=120, columns=120, p=20)
    tiling = tiling_of_grid(instance)
    ends = tiling.bound, instance.total
    *_, best = tilings_by_cuts(tiling, *ends, Budget(), EFFORT)
    assert check_grid(instance, tiling.solution(best)).cost * 20 < 1.03 * instance.total


@pytest.mark.parametrize("cover", ["plane", "points"])
def test_the_automatic_choice_searches_for_cuts(cover):
    instance = UNIFORM.make(2, n=1000, parts=100)
    instance = RectangleTiling(instance.points, instance.k, cover)
    ends = counting_bound(instance), 2 * instance.k
    *_, best = tilings_by_cuts(tiling_of(instance), *ends, Budget(), EFFORT)
    cost = check(instance, tiling_of(instance).solution(best)).cost
    budget = Budget()

    def stop(event):
        if event.cost is not None and event.cost <= cost:
            budget.stop.set()

    search = search_of(instance, budget, stop)
    solve(search)
    assert search.credits["cost", "search for cuts"]
    assert search.cost <= cost
