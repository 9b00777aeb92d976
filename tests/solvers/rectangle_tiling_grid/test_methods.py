import numpy as np

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.rectangle_tiling_grid import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling_grid.methods import METHODS, solve
from atleastk.solvers.search import Search

RUNS = {"automatic": solve, **{method.name: method.run for method in METHODS}}
REFUSES = {method.name: method.refuses for method in METHODS}
STRAIGHT = ("guillotine", "cuts", "cuts-highs")
"""What takes instances of straight cuts only."""


def run(name, instance, budget=None):
    search = Search(instance, check, budget or Budget())
    RUNS[name](search)
    return search


def test_refusals():
    straight = RectangleTilingGrid([[1, 2], [3, 4]], 2, guillotine=True)
    free = RectangleTilingGrid([[1, 2], [3, 4]], 2)
    large = RectangleTilingGrid([[1] * 60] * 60, 9)
    heavy = RectangleTilingGrid([[2**40, 1], [1, 1]], 2)
    for name, refuses in REFUSES.items():
        assert (refuses(free) is None) == (name not in STRAIGHT)
        assert (refuses(straight) is None) == (name in STRAIGHT)
        assert (refuses(large) is None) == (name in ("skyline", "no-overlap"))
    for name in ("cells", "cells-highs", "no-overlap"):
        assert "2**31" in REFUSES[name](heavy)


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
