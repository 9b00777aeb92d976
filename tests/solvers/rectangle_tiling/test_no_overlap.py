import random
from functools import partial

import numpy as np
from searching import search_of

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models import rectangle_tiling
from atleastk.solvers.brute_force.rectangle_tiling import optimum
from atleastk.solvers.rectangle_tiling.no_overlap import Placing, minimise_no_overlap

RING = [(x, y, 1) for x in range(5) for y in range(5) if not (0 < x < 4 and 0 < y < 4)]


def solved(instance):
    plane = np.ones_like(instance.grid)
    held = np.zeros_like(instance.grid)
    for cell in instance.cells:
        held[cell] += 1
    most = max(1, min(instance.total // instance.k, instance.grid.size))
    placing = Placing(
        instance.grid, plane if instance.cover == "plane" else held, instance.k, 1, most
    )
    assert placing.refusal is None
    search = search_of(instance)
    minimise_no_overlap(
        search, placing, partial(rectangle_tiling.solution_of_boxes, instance), "test"
    )
    assert search.closed
    return search.cost


def test_tilings_and_packings_of_points_against_the_judge():
    rng = random.Random(1)
    feasible = 0
    for _ in range(40):
        points = [
            (rng.randrange(4), rng.randrange(3), rng.choice([0, 1, 1, 2, 5, 9]))
            for _ in range(rng.randint(1, 8))
        ]
        k, cover = rng.randint(1, 5), rng.choice(["plane", "points"])
        instance = RectangleTiling(points, k, cover)
        best = optimum(instance)
        feasible += best is not None
        assert solved(instance) == (None if best is None else best[0]), instance
    assert 20 < feasible < 40


def test_a_ring_has_a_cheaper_packing():
    """A pinwheel with a hole costs 4, no tiling of the plane does."""
    assert solved(RectangleTiling(RING, 4, "points")) == 4


def test_refusals():
    ones = np.ones((3, 3), dtype=np.int64)
    assert Placing(ones, ones, 0, 2, 2).refusal is None
    assert "2**31" in Placing(ones * 2**30, ones, 0, 2, 2).refusal
    assert "too many" in Placing(ones, ones, 0, 2, 10**5).refusal
