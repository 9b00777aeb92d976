import random

import numpy as np
import pytest

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.certificates.rectangle_tiling import check_certificate
from atleastk.solvers.budget import Budget
from atleastk.solvers.rectangle_tiling.certify import certify


def test_a_pinwheel_with_a_hole():
    ring = [(x, y, 1) for x in range(5) for y in (0, 4)]
    ring += [(x, y, 1) for x in (0, 4) for y in (1, 2, 3)]
    plane = RectangleTiling(ring, 4)
    check_certificate(plane, certify(plane, 5, Budget()), 5)
    holed = RectangleTiling(ring, 4, "points")
    assert certify(holed, 5, Budget()) is None
    check_certificate(holed, certify(holed, 4, Budget()), 4)


@pytest.mark.parametrize(("seed", "bound"), [(0, 60), (1, 52)])
def test_points_in_general_position(seed, bound):
    rng = random.Random(seed)
    ys = list(range(25))
    rng.shuffle(ys)
    points = [(x, ys[x], rng.randint(1, 20)) for x in range(25)]
    instance = RectangleTiling(points, sum(w for _, _, w in points) // 6)
    check_certificate(instance, certify(instance, bound, Budget()), bound)


def test_one_set_of_weights_for_many_numbers_of_parts():
    weights = np.random.default_rng(0).integers(1, 21, (8, 8)).tolist()
    points = [(x, y, weights[x][y]) for x in range(8) for y in range(8)]
    instance = RectangleTiling(points, 30)
    bound = 30
    while (certificate := certify(instance, bound + 1, Budget())) is not None:
        check_certificate(instance, certificate, bound + 1)
        bound += 1
    assert bound > 30 + 2
