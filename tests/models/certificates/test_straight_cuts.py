import random

import numpy as np
import pytest

from atleastk import RectangleTiling, RectangleTilingGrid
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.models.certificates import rectangle_tiling, rectangle_tiling_grid
from atleastk.models.certificates.straight_cuts import NEVER, fewest_boxes
from atleastk.runs.registry import problem_of


def cuts(level):
    return {"kind": "cuts", "level": level}


def drawn_tiling(rng):
    places = rng.sample(range(12), rng.randint(1, 6))
    points = [(i // 4, i % 4, rng.randint(1, 5)) for i in places]
    total = sum(weight for _, _, weight in points)
    return RectangleTiling(points, rng.randint(1, total), guillotine=True)


def drawn_grid(rng):
    rows, columns = rng.randint(1, 3), rng.randint(1, 3)
    grid = [[rng.randint(0, 5) for _ in range(columns)] for _ in range(rows)]
    return RectangleTilingGrid(grid, rng.randint(1, 4), guillotine=True)


@pytest.mark.parametrize("drawn", [drawn_tiling, drawn_grid])
def test_bounds_of_tilings_by_straight_cuts(drawn):
    rng, proved = random.Random(4), 0
    for _ in range(40):
        instance = drawn(rng)
        problem = problem_of(instance)
        best, _ = problem.optimum(instance)
        if best:
            check = problem.check_certificate
            check(instance, cuts(best - 1), best)
            with pytest.raises(CertificateError, match="straight cuts make"):
                check(instance, cuts(best), best + 1)
            with pytest.raises(CertificateError, match="no more than"):
                check(instance, cuts(best - 1), best + 1)
            proved += best > getattr(instance, "k", 1)
    assert proved > 10


def test_fewest_boxes_of_a_pinwheel():
    """The border of 5 x 5 unit cells about a 4: fours by a pinwheel, not by cuts."""
    grid = np.ones((5, 5), dtype=np.int64)
    grid[1:4, 1:4] = 0
    grid[2, 2] = 4
    assert fewest_boxes(grid, 4, 4) >= NEVER
    assert fewest_boxes(grid, 4, 20) == 1
    assert fewest_boxes(grid, 0, 0) >= NEVER


def test_only_what_is_tiled_by_straight_cuts():
    free = RectangleTilingGrid([[1, 1]], 1)
    with pytest.raises(CertificateError, match="has to be tiled by them"):
        rectangle_tiling_grid.check_certificate(free, cuts(1), 2)
    light = RectangleTiling([(0, 0, 1)], 2, guillotine=True)
    with pytest.raises(CertificateError, match="has to be tiled by them"):
        rectangle_tiling.check_certificate(light, cuts(1), None)
    many = RectangleTiling([(i, i, 1) for i in range(100)], 2, guillotine=True)
    with pytest.raises(NotApplicableError, match="too many boxes"):
        rectangle_tiling.check_certificate(many, cuts(2), 3)
