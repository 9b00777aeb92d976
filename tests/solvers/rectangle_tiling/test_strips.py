import random
from itertools import combinations, pairwise

import pytest

from atleastk import RectangleTiling, Solution
from atleastk.instances.generators.rectangle_tiling import FAMILIES
from atleastk.models.rectangle_tiling import boxes_of, check, completed
from atleastk.models.rectangles import by_guillotine
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling import strips
from atleastk.solvers.rectangle_tiling.auto import solve
from atleastk.solvers.rectangle_tiling.strips import strip_tilings
from atleastk.solvers.search import Search

UNIFORM = next(family for family in FAMILIES if family.name == "uniform")


def divisions(length):
    for count in range(length):
        for cuts in combinations(range(1, length), count):
            yield list(pairwise((0, *cuts, length)))


def best_strips(instance):
    costs = []
    for grid in (instance.grid, instance.grid.T):
        for across in divisions(grid.shape[0]):
            heaviest = []
            for a, b in across:
                rows = grid[a:b].sum(axis=0)
                weights = [
                    [int(rows[c:d].sum()) for c, d in along]
                    for along in divisions(len(rows))
                ]
                fitting = [max(each) for each in weights if min(each) >= instance.k]
                heaviest.append(min(fitting, default=None))
            if None not in heaviest:
                costs.append(max(heaviest))
    return min(costs, default=None)


def draw(rng, side, most):
    points = [
        (rng.randrange(side), rng.randrange(side), rng.choice((0, 1, 2, 5, 9)))
        for _ in range(rng.randint(1, most))
    ]
    total = sum(weight for _, _, weight in points)
    k = rng.randint(1, max(1, min(total, total // rng.randint(1, 8))))
    return RectangleTiling(points, k)


@pytest.mark.parametrize("seed", range(40))
def test_small_instances_get_the_best_strips(seed, monkeypatch):
    monkeypatch.setattr(strips, "_WIDTH", 1000)
    rng = random.Random(seed)
    instance = draw(rng, rng.choice((3, 5)), 14)
    best = None if instance.total < instance.k else best_strips(instance)
    found = None
    for tiling in strip_tilings(instance, instance.total + 1, Budget()):
        verdict = check(instance, tiling)
        assert not verdict.violations
        assert by_guillotine(boxes_of(instance, tiling))
        assert found is None or verdict.cost < found
        found = verdict.cost
    assert found == best


@pytest.mark.parametrize("seed", range(10))
def test_only_what_is_cheaper_is_yielded(seed):
    instance = draw(random.Random(seed), 4, 12)
    if instance.total < instance.k:
        pytest.skip("not feasible")
    *_, best = strip_tilings(instance, instance.total + 1, Budget())
    assert not list(strip_tilings(instance, check(instance, best).cost, Budget()))


def test_great_weights():
    points = [(i, j, 2**55 + i + 7 * j) for i in range(4) for j in range(5)]
    instance = RectangleTiling(points, 3 * 2**55)
    *_, best = strip_tilings(instance, instance.total + 1, Budget())
    assert check(instance, best).cost == best_strips(instance)


def test_without_time_there_are_none():
    instance = UNIFORM.make(1, n=400, parts=20)
    assert not list(strip_tilings(instance, instance.total, Budget.of(0.0)))


@pytest.mark.parametrize("guillotine", [False, True])
@pytest.mark.parametrize(("n", "parts"), [(1000, 100), (3000, 100)])
def test_parts_near_the_mean(n, parts, guillotine):
    """Cuts in proportion were all that large grids got: a sixth above it, and more."""
    instance = UNIFORM.make(1, n=n, parts=parts)
    instance = RectangleTiling(instance.points, instance.k, guillotine=guillotine)
    *_, best = strip_tilings(instance, 2 * instance.k, Budget())
    verdict = check(instance, best)
    assert not verdict.violations
    assert verdict.cost * parts < 1.09 * instance.total


@pytest.mark.parametrize("cover", ["plane", "points"])
def test_the_automatic_choice_has_strips_of_large_grids(cover):
    instance = UNIFORM.make(2, n=1000, parts=100)
    instance = RectangleTiling(instance.points, instance.k, cover)
    *_, best = strip_tilings(instance, 2 * instance.k, Budget())
    if cover == "points":
        best = completed(instance, Solution(best.groups))
    cost = check(instance, best).cost
    budget = Budget()

    def stop(event):
        if event.cost is not None and event.cost <= cost:
            budget.stop.set()

    search = Search(instance, check, budget, stop)
    solve(search)
    assert search.credits["cost", "strips"]
    assert search.cost <= cost
