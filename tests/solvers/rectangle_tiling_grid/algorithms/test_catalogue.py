import random

import pytest
from costs import cost_by

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.solvers.rectangle_tiling_grid.algorithms.catalogue import ALGORITHMS

BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}


def random_instance(rng, rows=4, columns=3):
    shape = rng.randint(1, rows), rng.randint(1, columns)
    weights = rng.choice([[0, 1], [0, 0, 1, 5, 6], [0, 1, 2, 3, 9], list(range(10))])
    grid = [[rng.choice(weights) for _ in range(shape[1])] for _ in range(shape[0])]
    return RectangleTilingGrid(grid, rng.randint(1, 13), rng.random() < 0.3)


def test_straight_cuts_are_never_worse():
    rng = random.Random(2)
    for _ in range(100):
        instance = random_instance(rng, 9, 9)
        best = cost_by("guillotine", instance)
        assert best == min(cost_by(name, instance) for name in BY_NAME)


@pytest.mark.parametrize("name", BY_NAME)
def test_weights_up_to_the_limit(name):
    grid = [[2**61, 2**60, 2**60]]
    assert cost_by(name, RectangleTilingGrid(grid, 2)) == 2**61
    assert cost_by(name, RectangleTilingGrid(grid, 1)) == 2**62


@pytest.mark.parametrize("name", [name for name in BY_NAME if name != "guillotine"])
def test_large_grids(name):
    rng = random.Random(4)
    grid = [[rng.randint(0, 9) for _ in range(300)] for _ in range(300)]
    instance = RectangleTilingGrid(grid, 300)
    assert "boxes" in BY_NAME["guillotine"].refuses(instance)
    assert cost_by(name, instance) <= 1.3 * instance.total / 300
