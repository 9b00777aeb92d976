import random
from itertools import combinations

import numpy as np
import pytest

from atleastk.doors.clustering.enclosing import middle_of_ball


def farthest(points, centre):
    return float(np.sqrt(np.square(points - centre).sum(axis=1)).max())


@pytest.mark.parametrize("seed", range(60))
def test_no_place_is_nearer_to_the_farthest_point(seed):
    """Small steps from the centre do not help, and the radius is convex."""
    rng = random.Random(seed)
    n, d = rng.randint(1, 40), rng.randint(1, 5)
    kinds = (lambda: rng.randint(0, 3), lambda: rng.gauss(0, 1))
    draw = rng.choice(kinds)
    points = np.array([[draw() for _ in range(d)] for _ in range(n)], dtype=float)
    centre = middle_of_ball(points)
    radius = farthest(points, centre)
    for _ in range(300):
        step = np.array([rng.gauss(0, 1) for _ in range(d)])
        for length in (1.0, 0.1, 0.001):
            assert farthest(points, centre + length * step) >= radius - 1e-7


@pytest.mark.parametrize("seed", range(20))
def test_the_ball_in_the_plane_is_that_of_two_or_three_points(seed):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 9, (7, 2)).astype(float)
    found = [
        farthest(points, middle_of_ball(points[list(some)]))
        for size in (1, 2, 3)
        for some in combinations(range(7), size)
    ]
    assert farthest(points, middle_of_ball(points)) == pytest.approx(min(found))
