import random

import numpy as np
import pytest
from known import RING

from atleastk import RectangleTiling, Status
from atleastk.models import rectangle_tiling
from atleastk.models.rectangle_tiling import required_cells
from atleastk.models.rectangles import box_weights, prefix_sums
from atleastk.models.windows import Window, windows
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.brute_force import rectangle_tiling as tiling_judge
from atleastk.solvers.budget import Budget
from atleastk.solvers.tilings.boxes import admissible_boxes, listed_boxes
from atleastk.solvers.tilings.corner_lp import fractional_tiling, refute
from atleastk.solvers.tilings.levels import decide_by_cover


def random_points(rng):
    width, height = rng.randint(1, 4), rng.randint(1, 4)
    points = [
        (rng.randrange(width), rng.randrange(height), rng.choice([0, 1, 1, 2, 5, 9]))
        for _ in range(rng.randint(1, 8))
    ]
    return RectangleTiling(points, rng.randint(1, 6), rng.choice(["plane", "points"]))


def required(instance):
    return None if instance.cover == "plane" else required_cells(instance)


def decide(grid, window, held=None, fewest=None, backend=None):
    boxes = admissible_boxes(grid, window, Budget(), required=held, fewest=fewest)
    parts = None if fewest else window.parts
    return decide_by_cover(grid.shape, boxes, parts, Budget(), held, backend)


def test_windows_against_the_judge():
    rng = random.Random(3)
    for _ in range(25):
        instance = random_points(rng)
        best = tiling_judge.optimum(instance)
        for level in () if best is None else (best[0] - 1, best[0]):
            found = []
            for window in windows(instance.total, instance.k, level, instance.n):
                decision = decide(instance.grid, window, required(instance))
                assert decision.status in (Status.FEASIBLE, Status.INFEASIBLE)
                if decision.found is not None:
                    assert len(decision.found) == window.parts
                    found.append(decision.found)
            assert bool(found) == (level == best[0]), instance
            for boxes in found:
                solution = rectangle_tiling.solution_of_boxes(instance, boxes)
                verdict = rectangle_tiling.check(instance, solution)
                assert verdict.feasible
                assert verdict.cost <= level


@pytest.mark.parametrize("backend", [None, Highs()])
def test_pinwheels(backend):
    plane = RectangleTiling(RING, 4)
    points = RectangleTiling(RING, 4, "points")
    window = Window(4, 4, 4)
    decision = decide(plane.grid, window, backend=backend)
    assert decision.status is Status.INFEASIBLE
    decision = decide(points.grid, window, required_cells(points), backend=backend)
    assert len(decision.found) == 4
    solution = rectangle_tiling.solution_of_boxes(points, decision.found)
    assert rectangle_tiling.check(points, solution).cost == 4
    assert refute(plane.grid, window, Budget()) is not None
    assert refute(points.grid, window, Budget(), required_cells(points)) is None


def test_a_window_for_several_numbers_of_parts():
    grid = np.array([[2, 2, 2]])
    assert decide(grid, Window(2, 2, 3)).found is None
    assert decide(grid, Window(3, 2, 3), fewest=2).found is not None


def general_position(n, parts, seed):
    rng = np.random.default_rng(seed)
    weights, ys = rng.integers(1, 21, n).tolist(), rng.permutation(n).tolist()
    points = list(zip(range(n), ys, weights, strict=True))
    return RectangleTiling(points, sum(weights) // parts)


def test_weights_refute_what_is_worth_more_than_known_boxes():
    grid = general_position(25, 6, 1).grid
    window = next(windows(int(grid.sum()), int(grid.sum()) // 6, 47, 6))
    boxes = listed_boxes(grid, window.least, window.most, Budget())
    parts = window.parts, window.parts
    few = boxes[:: len(boxes) // 20]
    answer = fractional_tiling(boxes, grid, parts, Budget(), start=few)
    weights, most = answer.refuted.values, answer.refuted.most
    assert box_weights(prefix_sums(weights), boxes).max() == most
    assert weights.sum() > window.parts * most


def test_shares_cover_all():
    grid = np.ones((3, 3), dtype=np.int64)
    boxes = listed_boxes(grid, 2, 2, Budget())
    assert fractional_tiling(boxes, grid, (4, 4), Budget()).shares is None
    boxes = listed_boxes(grid, 1, 3, Budget())
    shares = fractional_tiling(boxes, grid, (3, 3), Budget()).shares
    assert abs(shares.sum() - 3) < 1e-4
    covered = np.zeros((3, 3))
    for (a, c, b, d), share in zip(boxes, shares, strict=True):
        covered[a:b, c:d] += share
    assert np.allclose(covered, 1.0, atol=1e-4)


def test_a_spent_budget():
    grid = np.ones((3, 3), dtype=np.int64)
    boxes = listed_boxes(grid, 1, 3, Budget())
    decision = decide_by_cover(grid.shape, boxes, 3, Budget.of(0.0))
    assert decision.status is Status.UNKNOWN
    answer = fractional_tiling(boxes, grid, (3, 3), Budget.of(0.0))
    assert answer.refuted is None
    assert answer.shares is None
