import random

import numpy as np

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import check, solution_of_boxes, tiling_of
from atleastk.models.rectangles import by_guillotine
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling_grid.narrow_cuts import narrow_cuts
from atleastk.solvers.tilings.guillotine import guillotine_tiling


def found_by(instance, budget):
    least = max(int(instance.weights.max()), -(-instance.total // instance.p))
    ends = least, instance.total + 1
    return [*narrow_cuts(instance.weights, instance.p, *ends, budget)]


def random_grid(rng, high):
    rows, columns = rng.randint(1, high), rng.randint(1, high)
    cells = [[rng.choice([0, 1, 5, 9]) for _ in range(columns)] for _ in range(rows)]
    return RectangleTilingGrid(cells, rng.randint(1, rows * columns + 2))


def test_every_offer_is_a_cheaper_tiling_by_straight_cuts():
    rng = random.Random(1)
    for _ in range(100):
        instance = random_grid(rng, 9)
        costs = []
        for boxes in found_by(instance, Budget()):
            verdict = check(instance, solution_of_boxes(instance, np.array(boxes)))
            assert not verdict.violations, instance
            assert by_guillotine(boxes), instance
            costs.append(verdict.cost)
        assert costs, instance
        assert costs == sorted(set(costs), reverse=True), instance
        best = check(instance, guillotine_tiling(tiling_of(instance), Budget()))
        assert costs[-1] >= best.cost, instance


def test_little_is_lost_against_straight_cuts_at_large():
    rng = random.Random(2)
    for _ in range(5):
        cells = [[rng.randint(0, 9) for _ in range(12)] for _ in range(12)]
        instance = RectangleTilingGrid(cells, rng.randint(4, 30))
        boxes = np.array(found_by(instance, Budget())[-1])
        cost = check(instance, solution_of_boxes(instance, boxes)).cost
        best = check(instance, guillotine_tiling(tiling_of(instance), Budget())).cost
        assert best <= cost <= 1.05 * best


def test_a_spent_budget_and_little_memory():
    instance = RectangleTilingGrid([[3] * 20] * 20, 40)
    assert not found_by(instance, Budget.of(0))
    boxes = np.array(found_by(instance, Budget(memory=4e4))[-1])
    assert check(instance, solution_of_boxes(instance, boxes)).feasible
