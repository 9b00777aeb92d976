import random

import numpy as np
import pytest

from atleastk.models.rectangles import tiling_violations
from atleastk.models.results.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.brute_force.rectangle_tiling_grid import packings
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings.boxes import admissible_boxes, listed_boxes
from atleastk.solvers.tilings.potentials import partial_potentials, potentials
from atleastk.solvers.tilings.skyline import decide_by_skyline


def drawn(rng):
    rows, columns = rng.choice([(1, 1), (1, 5), (3, 3), (3, 4), (4, 3), (2, 5), (5, 2)])
    grid = np.array([rng.choices([0, 1, 2, 3, 9], k=columns) for _ in range(rows)])
    total, parts = int(grid.sum()), rng.randint(1, 6)
    least = rng.choice([0, 0, 1, 2, total // (parts + 1), max(1, total // parts - 1)])
    return grid, Window(parts, least, max(least, total // parts + rng.randint(0, 2)))


def judge(grid, window, points=None):
    """Whether there is a tiling, or packing, of so many boxes of such weights."""

    def weight(box):
        a, c, b, d = box
        return int(grid[a:b, c:d].sum())

    found = packings(
        *grid.shape,
        lambda box: window.holds(weight(box)),
        lambda cell: points is not None and points[cell] == 0,
    )
    return any(len(boxes) == window.parts for boxes in found)


def assert_right(grid, window, decision, points=None):
    if not judge(grid, window, points):
        assert decision.status is Status.INFEASIBLE, (grid, window, points)
        return False
    assert decision.status is Status.FEASIBLE, (grid, window, points)
    boxes = decision.found
    assert len(boxes) == window.parts
    assert not tiling_violations(*grid.shape, boxes, points is None)
    covered = 0
    for a, c, b, d in boxes:
        assert window.holds(int(grid[a:b, c:d].sum()))
        covered += 0 if points is None else points[a:b, c:d].sum()
    assert points is None or covered == points.sum()
    return True


def test_holes_against_the_judge():
    rng = random.Random(2)
    feasible = 0
    for _ in range(150):
        grid, window = drawn(rng)
        window = Window(window.parts, max(1, window.least), max(1, window.most))
        free = np.array([rng.choices([0, 0, 1], k=grid.shape[1]) for _ in grid])
        points = np.maximum(free, grid > 0)
        decision = decide_by_skyline(grid, window, Budget(), points=points)
        feasible += assert_right(grid, window, decision, points)
    assert 20 < feasible < 130


def test_good_potentials_against_the_judge():
    rng = random.Random(3)
    for _ in range(60):
        grid, window = drawn(rng)
        boxes = admissible_boxes(grid, window, Budget())
        if not len(boxes):
            assert not judge(grid, window)
            continue
        both = window.least > 0
        weights = potentials(boxes, grid.shape, Budget(), both=both)
        assert len(weights) == 1 + both
        weights += partial_potentials(boxes, grid.shape, Budget())
        decision = decide_by_skyline(grid, window, Budget(), boxes, weights)
        assert_right(grid, window, decision)


def test_potentials_refute_what_counting_does_not():
    """Six cells of 2 are not five boxes of at most 3, which could hold 15."""
    grid = np.full((1, 6), 2)
    boxes = listed_boxes(grid, 0, 3, Budget())
    (weights,) = potentials(boxes, grid.shape, Budget(), both=False)
    assert weights.sum() > 5 * 2**30
    decision = decide_by_skyline(grid, Window(5, 0, 3), Budget(), boxes, [weights])
    assert decision.status is Status.INFEASIBLE


def test_weights_of_62_bits():
    heavy = 2**60
    grid = np.array([[heavy, heavy], [heavy, heavy]])
    for parts, least, most, status in (
        (4, heavy, heavy, Status.FEASIBLE),
        (2, 2 * heavy, 2 * heavy, Status.FEASIBLE),
        (3, 0, 2 * heavy, Status.FEASIBLE),
        (3, heavy, 2 * heavy, Status.FEASIBLE),
        (3, heavy + 1, 2 * heavy, Status.INFEASIBLE),
        (1, 0, 4 * heavy, Status.FEASIBLE),
        (1, 0, 4 * heavy - 1, Status.INFEASIBLE),
    ):
        window = Window(parts, least, most)
        assert decide_by_skyline(grid, window, Budget()).status is status


@pytest.mark.parametrize("spent", ["memory", "time"])
def test_budgets(spent):
    grid = np.random.default_rng(4).integers(0, 10, (15, 15))
    level = int(grid.sum()) // 30 + 3
    window = Window(30, 0, level)
    boxes = admissible_boxes(grid, window, Budget())
    budget = Budget(memory=2.0**21) if spent == "memory" else Budget.of(0)
    decision = decide_by_skyline(grid, window, budget, boxes)
    assert decision.status is Status.UNKNOWN
    assert decision.found is None
