import numpy as np
from searching import searched

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.solvers.rectangle_tiling_grid.methods import solve


def grid_of(seed, lines, p):
    grid = np.random.default_rng(seed).integers(0, 10, (lines, lines))
    return RectangleTilingGrid(grid.tolist(), p)


def test_beyond_the_notes():
    instance = grid_of(5, 15, 15)
    first, again = (searched(solve, instance), searched(solve, instance))
    assert first.closed
    assert first.solution == again.solution


def test_covers_decide_where_memory_is_short():
    instance = grid_of(4, 10, 14)
    short = searched(solve, instance, memory=2.0**19)
    assert short.closed
    assert short.cost == searched(solve, instance).cost


def test_time_limit():
    search = searched(solve, grid_of(1, 12, 20), seconds=0.0)
    assert search.found_by == "at once: halves"
    assert search.cost < search.instance.total
    assert search.bound is not None
