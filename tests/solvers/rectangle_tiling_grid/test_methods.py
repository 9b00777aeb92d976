import numpy as np

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling_grid.methods import METHODS, solve
from atleastk.solvers.search import Search

RUNS = {"automatic": solve, **{method.name: method.run for method in METHODS}}


def run(name, instance, budget=None):
    search = Search(instance, check, budget or Budget())
    RUNS[name](search)
    return search


def grid_of(seed, lines, p):
    grid = np.random.default_rng(seed).integers(0, 10, (lines, lines))
    return RectangleTilingGrid(grid.tolist(), p)


def test_beyond_the_notes():
    instance = grid_of(5, 15, 15)
    first, again = run("automatic", instance), run("automatic", instance)
    assert first.closed
    assert first.solution == again.solution


def test_covers_decide_where_memory_is_short():
    instance = grid_of(4, 10, 14)
    short = run("automatic", instance, Budget(memory=2.0**19))
    assert short.closed
    assert short.cost == run("automatic", instance).cost


def test_time_limit():
    search = run("automatic", grid_of(1, 12, 20), Budget.of(0.0))
    assert search.found_by == "at once: halves"
    assert search.cost < search.instance.total
    assert search.bound is not None
