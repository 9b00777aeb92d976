import random
from dataclasses import replace

import pytest
from known import CENTRED, RING

from atleastk import RectangleTiling, RectangleTilingGrid
from atleastk.models import rectangle_tiling, rectangle_tiling_grid
from atleastk.models.rectangle_tiling import tiling_of as plane_tiling_of
from atleastk.models.rectangle_tiling_grid import tiling_of as grid_tiling_of
from atleastk.models.rectangles import RectanglesSolution, by_guillotine
from atleastk.solvers.brute_force import rectangle_tiling as tiling_judge
from atleastk.solvers.brute_force import rectangle_tiling_grid as grid_judge
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings.guillotine import (
    cheaper_tilings,
    guillotine_tiling,
    refuses,
)


def tiling_of(instance):
    of = grid_tiling_of
    if isinstance(instance, RectangleTiling):
        of = plane_tiling_of
    return of(instance)


def best(instance, budget=None):
    return guillotine_tiling(tiling_of(instance), budget or Budget())


def cost(instance):
    model = rectangle_tiling_grid
    if isinstance(instance, RectangleTiling):
        model = rectangle_tiling
    verdict = model.check(instance, best(instance))
    assert verdict.feasible, (instance, verdict)
    return verdict.cost


@pytest.mark.parametrize("seed", range(40))
def test_below_a_cost_nothing_is_lost(seed):
    rng = random.Random(seed)
    side = rng.choice((4, 8, 14))
    points = [
        (rng.randrange(side), rng.randrange(side), rng.choice((0, 1, 2, 5, 9)))
        for _ in range(rng.randint(6, 60))
    ]
    total = sum(weight for *_, weight in points)
    instance = RectangleTiling(points, max(1, total // rng.randint(1, 12)), "plane")
    tiling, least = tiling_of(instance), cost(instance)
    for below in {least, least + 1, least + 3, 2 * least, total + 1}:
        found = []
        assert cheaper_tilings(tiling, Budget(), below, found.append)
        costs = [rectangle_tiling.check(instance, each).cost for each in found]
        assert costs == [least] * (below > least)


@pytest.mark.parametrize("cover", ["plane", "points"])
def test_other_instances_get_a_tiling_too(cover):
    assert cost(RectangleTiling(RING, 4, cover)) == 6
    assert cost(RectangleTiling(CENTRED, 4, cover)) == 5


def test_weights_up_to_the_limit():
    points = [(0, 0, 2**60), (1, 0, 2**60), (1, 1, 2**61), (2, 5, 0)]
    assert cost(RectangleTiling(points, 2**60)) == 2**61
    assert cost(RectangleTiling(points, 2**61)) == 2**61
    assert cost(RectangleTiling(points, 2**62)) == 2**62
    grid = [[2**60, 2**60], [0, 2**61]]
    assert cost(RectangleTilingGrid(grid, 2)) == 2**61
    assert cost(RectangleTilingGrid(grid, 1)) == 2**62


def test_nothing_to_tile_and_nothing_feasible():
    for instance in (RectangleTiling([], 2), RectangleTilingGrid([[]], 2)):
        assert best(instance) == RectanglesSolution(())
    assert best(RectangleTiling([(0, 0, 1)], 2)) is None
    assert best(RectangleTiling([(0, 0, 1)], 10**40)) is None
    assert cost(RectangleTilingGrid([[0, 0], [0, 0]], 3)) == 0


def test_limits():
    many = RectangleTiling([(i, i, 1) for i in range(150)], 3)
    assert refuses(tiling_of(many)) == (
        "150 x 150 cells have 128255625 boxes; guillotine tilings take 67108864"
    )
    assert best(many) is None
    few = RectangleTilingGrid([[1] * 30] * 30, 7)
    assert refuses(tiling_of(few)) is None
    assert best(few, Budget(memory=1e6)) is None
    large = RectangleTilingGrid(
        [[i * j % 10 for i in range(80)] for j in range(80)], 99
    )
    assert best(large, Budget.of(0)) is None


@pytest.mark.parametrize("seed", range(3))
def test_middling_sizes(seed):
    rng = random.Random(seed)
    places = rng.sample(range(60), 60)
    points = [(x, y, rng.randint(1, 9)) for x, y in enumerate(places)]
    instance = RectangleTiling(points, 20, guillotine=True)
    assert 20 <= cost(instance) < 40
    grid = [[rng.randint(0, 9) for _ in range(30)] for _ in range(30)]
    instance = RectangleTilingGrid(grid, 30)
    solution = best(instance)
    assert by_guillotine(rectangle_tiling_grid.boxes_of(solution))
    assert -(-instance.total // 30) <= cost(instance) <= instance.total // 30 + 15


def turned(tiling, judge, model, instance):
    """The cost of the best tiling by cuts and wheels, checked against the judge."""
    found = []
    assert cheaper_tilings(
        tiling, Budget(), tiling.total + 1, found.append, turning=True
    )
    known = judge.optimum(instance)
    if known is None:
        assert not found
        return None
    verdict = model.check(instance, found[-1])
    assert verdict.feasible
    assert verdict.cost >= known[0]
    return verdict.cost, known[0]


def test_wheels_beside_cuts_against_the_judge():
    """All tilings of five boxes or fewer are made of cuts and wheels."""
    rng, better = random.Random(5), 0
    pinwheel = (1, 1, 1, 1), (1, 3, 0, 1), (1, 0, 0, 1), (1, 1, 1, 1)
    for _ in range(20):
        grid = [[4 * w + rng.randint(0, 1) for w in row] for row in pinwheel]
        instance = RectangleTilingGrid(grid, rng.randint(4, 5))
        wheel, least = turned(
            tiling_of(instance), grid_judge, rectangle_tiling_grid, instance
        )
        assert wheel == least
        better += wheel < cost(replace(instance, guillotine=True))
    assert better > 0


def test_wheels_reach_what_straight_cuts_miss():
    ring = RectangleTiling(CENTRED, 4, "plane")
    assert cost(ring) == 5
    assert turned(tiling_of(ring), tiling_judge, rectangle_tiling, ring) == (4, 4)
