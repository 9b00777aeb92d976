import random

import numpy as np
import pytest
from searching import search_of

from atleastk import RectangleTiling, RectangleTilingGrid
from atleastk.models.encodings.tilings import heavy_boxes
from atleastk.models.rectangle_tiling import tiling_of as plane
from atleastk.models.rectangle_tiling_grid import tiling_of as rtile
from atleastk.models.rectangles import box_weights, prefix_sums
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling import first as points
from atleastk.solvers.rectangle_tiling_grid import first as grids
from atleastk.solvers.tilings import levels as tried
from atleastk.solvers.tilings.levels import Levels, OpenLevels
from atleastk.solvers.tilings.stages import begin


def drawn(rng):
    grid = [[rng.randint(0, 9) for _ in range(6)] for _ in range(6)]
    return RectangleTilingGrid(grid, rng.randint(3, 9))


@pytest.mark.parametrize("few", [0, 10])
def test_levels_are_weights_of_boxes(few, monkeypatch):
    monkeypatch.setattr(tried, "_FEW_LEVELS", few)
    rng = random.Random(1)
    for _ in range(20):
        instance = drawn(rng)
        boxes, _ = heavy_boxes(rtile(instance))
        grid = instance.weights * 1000
        weights = np.unique(box_weights(prefix_sums(grid), boxes))
        low = rng.randint(1, 50_000)
        cost = low + rng.randint(20, 90_000)
        inside = weights[(weights >= low) & (weights < cost)].tolist()
        assert OpenLevels(grid, Budget())(low, cost) == inside


def test_turns_close_the_levels():
    rng = random.Random(2)
    for _ in range(5):
        instance = drawn(rng)
        search, tiling = search_of(instance), rtile(instance)
        assert begin(search, tiling, grids.first_answers, "test")
        levels = Levels(search, tiling)
        levels.take_turn(0)
        assert search.closed
        assert not levels.hopeless


def test_too_many_boxes_are_hopeless(monkeypatch):
    monkeypatch.setattr(tried, "MOST_BOXES", 3)
    rng = random.Random(3)
    places = [(rng.random(), rng.random(), rng.randint(1, 9)) for _ in range(20)]
    instance = RectangleTiling(places, 12)
    search, tiling = search_of(instance), plane(instance)
    assert begin(search, tiling, points.first_answers, "test")
    levels = Levels(search, tiling)
    levels.take_turn(0)
    assert levels.hopeless
    assert not search.closed
