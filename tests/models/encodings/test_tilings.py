from itertools import combinations, product

import numpy as np
import pytest

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.encodings.tilings import box_encoding, cell_cover, corner_cover
from atleastk.models.groups import Parts
from atleastk.models.rectangle_tiling import solution_of_boxes, tiling_of

SHAPE = (2, 3)
BOXES = np.array(
    [
        (a, c, b, d)
        for a, c in product(range(2), range(3))
        for b, d in product(range(a + 1, 3), range(c + 1, 4))
    ]
)
BORDER = [(x, y, 1) for x, y in product(range(3), repeat=2) if (x, y) != (1, 1)]


def covers(chosen, required):
    covered = np.zeros(SHAPE, dtype=np.int64)
    for a, c, b, d in BOXES[chosen]:
        covered[a:b, c:d] += 1
    return bool((covered <= 1).all() and (covered >= required).all())


@pytest.mark.parametrize("parts", [None, 2, Parts(2, 3)])
@pytest.mark.parametrize("holes", [[], [(0, 1)], [(0, 0), (1, 2)]])
def test_both_forms_admit_covers_and_nothing_else(holes, parts):
    required = np.ones(SHAPE, dtype=np.bool_)
    for hole in holes:
        required[hole] = False
    cells = cell_cover(BOXES, required, parts)
    corners = corner_cover(BOXES, required, parts)
    fewest, most = {None: (0, 6), 2: (2, 2)}.get(parts, (2, 3))
    admitted = 0
    for size in range(4):
        for chosen in combinations(range(len(BOXES)), size):
            values = np.zeros(corners.columns, dtype=np.int64)
            values[list(chosen)] = 1
            right = covers(list(chosen), required) and fewest <= size <= most
            assert cells.admits(values[: len(BOXES)]) == right
            free = ~required.ravel()
            for a, c, b, d in BOXES[list(chosen)]:
                inside = np.zeros(SHAPE, dtype=np.bool_)
                inside[a:b, c:d] = True
                free &= ~inside.ravel()
            values[len(BOXES) :] = free[~required.ravel()]
            assert corners.admits(values) == right
            admitted += right
    assert admitted


@pytest.mark.parametrize("cover", [cell_cover, corner_cover])
def test_solutions_there_and_back(cover):
    def form(instance, boxes):
        tiling = tiling_of(instance)
        return box_encoding(tiling, boxes, cover(boxes, tiling.covered))

    instance = RectangleTiling(BORDER, 2, cover="points")
    pinwheel = np.array([(0, 0, 2, 1), (2, 0, 3, 2), (1, 2, 3, 3), (0, 1, 1, 3)])
    encoding = form(instance, pinwheel)
    solution = solution_of_boxes(instance, pinwheel)
    values = encoding.encode(solution)
    assert encoding.model.admits(values)
    assert encoding.decode(values) == solution
    assert form(instance, pinwheel[:3]).encode(solution) is None
    assert form(instance, np.zeros((0, 4), dtype=np.int64)).encode(solution) is None
    plane = form(RectangleTiling(BORDER, 2), pinwheel)
    assert not plane.model.admits(plane.encode(solution))
