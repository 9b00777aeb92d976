import random
import sys

import pytest

from atleastk import BackendUnavailableError, InvalidInstanceError
from atleastk.instances.datasets.borders import (
    NearBorders,
    exact_neighbours,
    near_borders,
    near_neighbours,
)


def box(left, bottom, right, top):
    return [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]


def region(*boxes):
    return [[box(*sides)] for sides in boxes]


def lattice(rng, side):
    boxes = [(0, 0, side, side)]
    while len(boxes) < 12:
        a, c, b, d = boxes.pop(rng.randrange(len(boxes)))
        if rng.random() < 0.5 and b - a > 1:
            x = rng.randrange(a + 1, b)
            boxes += [(a, c, x, d), (x, c, b, d)]
        elif d - c > 1:
            y = rng.randrange(c + 1, d)
            boxes += [(a, c, b, y), (a, y, b, d)]
        else:
            boxes.append((a, c, b, d))
    return boxes


def touching(p, q):
    across = min(p[2], q[2]) - max(p[0], q[0])
    up = min(p[3], q[3]) - max(p[1], q[1])
    return min(across, up) == 0 and max(across, up) > 0


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("tolerance", [None, 0, 0.01])
def test_boxes(seed, tolerance):
    rng = random.Random(seed)
    boxes = lattice(rng, 12)
    scale, turned = rng.choice([1, 0.125, 3]), rng.random() < 0.5
    regions = [
        [[[(scale * (x + y), scale * (y - x)) if turned else (scale * x, scale * y)
           for x, y in box(*bounds)]]]
        for bounds in boxes
    ]  # fmt: skip
    if tolerance is None:
        found = exact_neighbours(regions)
    else:
        pytest.importorskip("shapely")
        found = near_neighbours(regions, tolerance)
    assert found == [
        (i, j)
        for i, p in enumerate(boxes)
        for j, q in enumerate(boxes)
        if i < j and touching(p, q)
    ]


def test_several_polygons_and_holes():
    around = [[box(0, 0, 4, 4), box(1, 1, 2, 2)]]
    enclave = region((1, 1, 2, 2))
    pieces = region((4, 0, 5, 4), (5, 0, 6, 4), (-9, 0, -8, 1))
    assert exact_neighbours([around, enclave, pieces]) == [(0, 1), (0, 2)]
    assert exact_neighbours([]) == []


def test_borders_of_a_point_do_not_count():
    twice = [[[(1, 1), (1, 1), (2, 1), (2, 2), (1, 1)]]]
    assert exact_neighbours([region((0, 0, 1, 1)), twice]) == []


def test_all_of_three_that_share_a_side():
    boxes = [region((0, 0, 1, 1)), region((0, 0, 1, 1)), region((1, 0, 2, 1))]
    assert exact_neighbours(boxes) == [(0, 1), (0, 2), (1, 2)]


def test_borders_within_a_tolerance():
    pytest.importorskip("shapely")
    gap = [region((0, 0, 1, 1)), region((1.01, 0, 2, 1)), region((1.995, 0.1, 3, 0.9))]
    assert exact_neighbours(gap) == []
    assert near_neighbours(gap, 0.02) == [(0, 1), (1, 2)]
    assert near_neighbours(gap, 0.001) == [(1, 2)]
    corner = [region((0, 0, 1, 1)), region((1.01, 1.01, 2, 2))]
    assert near_neighbours(corner, 0.02) == []


def moved(regions, by, rng):
    return [
        [
            [
                [
                    (x + rng.uniform(-by, by), y + rng.uniform(-by, by))
                    for x, y in ring[:-1]
                ]
            ]
            for (ring,) in region
        ]
        for region in regions
    ]


def closed(regions):
    return [[[[*ring, ring[0]]] for (ring,) in region] for region in regions]


def test_a_tolerance_may_be_large():
    """A chessboard, its corners moved: corners are no borders, short ones stay ones."""
    pytest.importorskip("shapely")
    board = [region((x, y, x + 1, y + 1)) for x in range(5) for y in range(5)]
    true = exact_neighbours(board)
    assert len(true) == 40
    loose = closed(moved(board, 0.001, random.Random(1)))
    assert exact_neighbours(loose) == []
    for tolerance in (0.01, 0.02, 0.1, 0.3):
        assert near_neighbours(loose, tolerance) == true


def test_borders_that_nearly_fit_are_noticed(monkeypatch):
    pytest.importorskip("shapely")
    board = [region((x, y, x + 1, y + 1)) for x in range(5) for y in range(5)]
    assert near_borders(board, exact_neighbours(board)) is None
    assert near_borders([], []) is None
    loose = closed(moved(board, 0.001, random.Random(1)))
    assert near_borders(loose, []) == NearBorders(40, 0.01)
    monkeypatch.setitem(sys.modules, "shapely", None)
    assert near_borders(loose, []) is None


def test_polygons_that_cross_themselves_are_refused():
    pytest.importorskip("shapely")
    bow = [[[(0, 0), (1, 1), (1, 0), (0, 1), (0, 0)]]]
    with pytest.raises(InvalidInstanceError, match="region 1: Self-intersection"):
        near_neighbours([region((5, 5, 6, 6)), bow], 0)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(BackendUnavailableError, match=r"atleastk\[maps\]"):
        near_neighbours([], 0)
