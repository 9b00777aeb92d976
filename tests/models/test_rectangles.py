import random

import numpy as np
import pytest

from atleastk.instances.fields.errors import InvalidResultError
from atleastk.models.rectangles import (
    RectanglesSolution,
    by_guillotine,
    tiles,
    tiling_violations,
)
from atleastk.solvers.brute_force.rectangle_tiling_grid import packings

PINWHEEL = [(0, 0, 1, 2), (0, 2, 2, 3), (2, 1, 3, 3), (1, 0, 3, 1), (1, 1, 2, 2)]


def random_boxes(rng, rows, columns):
    boxes = []
    for _ in range(rng.randint(0, 5)):
        a, c = rng.randrange(rows), rng.randrange(columns)
        boxes.append((a, c, rng.randint(a + 1, rows), rng.randint(c + 1, columns)))
    return boxes


def test_overlaps_and_gaps_by_counting():
    rng = random.Random(2)
    seen = set()
    for _ in range(3000):
        rows, columns = rng.randint(1, 4), rng.randint(1, 4)
        boxes = random_boxes(rng, rows, columns)
        times = np.zeros((rows, columns), dtype=int)
        for a, c, b, d in boxes:
            times[a:b, c:d] += 1
        bare = np.argwhere(times == 0).tolist()
        sides = np.array(boxes, dtype=np.int64).reshape(-1, 4)
        assert tiles(rows, columns, sides) == bool((times == 1).all())
        for whole in (True, False):
            found = tiling_violations(rows, columns, boxes, whole)
            if times.max() > 1:
                seen.add("overlap")
                assert found
                for line in found:
                    g, other = map(int, line.split()[1:4:2])
                    (a, c, b, d), (i, j, k, m) = boxes[g], boxes[other]
                    assert max(a, i) < min(b, k)
                    assert max(c, j) < min(d, m)
                    assert line == f"rectangles {g} and {other} overlap"
            elif whole and bare:
                seen.add("gap")
                assert found == [
                    f"{len(bare)} cells are in no rectangle, the first is {bare[0]}"
                ]
            else:
                seen.add("fine")
                assert found == []
    assert seen == {"overlap", "gap", "fine"}


def test_grids_too_large_to_list():
    n = 100_000
    boxes = [(0, 0, n, 7), (0, 7, 5, n), (6, 7, n, n), (5, 8, 6, n)]
    assert tiling_violations(n, n, boxes, whole=False) == []
    assert tiling_violations(n, n, boxes, whole=True) == [
        "1 cells are in no rectangle, the first is [5, 7]"
    ]
    boxes.append((5, 7, 6, 8))
    assert tiling_violations(n, n, boxes, whole=True) == []
    assert tiles(n, n, np.array(boxes))
    assert not tiles(n, n, np.array([*boxes, (0, 0, n, n)]))
    assert tiling_violations(0, 0, [], whole=True) == []


def straight(boxes):
    if len(boxes) < 2:
        return True
    for axis in (0, 1):
        for line in {box[axis] for box in boxes}:
            low = [box for box in boxes if box[axis + 2] <= line]
            high = [box for box in boxes if box[axis] >= line]
            if low and high and len(low) + len(high) == len(boxes):
                return straight(low) and straight(high)
    return False


def test_straight_cuts_of_all_tilings():
    assert not by_guillotine(PINWHEEL)
    assert not by_guillotine([*PINWHEEL, (0, 3, 3, 4)])
    assert by_guillotine([])
    for boxes in packings(3, 4, lambda _: True, lambda _: False):
        assert by_guillotine(boxes) == straight(boxes)


def test_order_and_json():
    solution = RectanglesSolution.of(
        [(4, 3), (2, 0), (1,)], rectangles=[(1, 1, 2, 2), (0,) * 4, (5,) * 4]
    )
    assert solution.groups == ((0, 2), (1,), (3, 4))
    assert solution.rectangles == ((0,) * 4, (5,) * 4, (1, 1, 2, 2))
    too_few = RectanglesSolution.of([(1,), (0,)], rectangles=((0,) * 4,))
    assert too_few == RectanglesSolution(((0,), (1,)), ((0,) * 4,))
    assert RectanglesSolution.from_dict(solution.to_dict()) == solution
    assert RectanglesSolution.from_dict({"groups": None}) is None
    bare = RectanglesSolution.from_dict({"groups": [[1, 0]]})
    assert bare == RectanglesSolution(((0, 1),), ())


@pytest.mark.parametrize(
    ("rectangle", "message"),
    [
        ([0, 0, 1], ": expected four finite numbers"),
        (3, ": expected four finite numbers"),
        ([0, 0, 1, "1"], r"\[3\]: expected a finite number"),
        ([0, 0, 1, float("nan")], r"\[3\]: expected a finite number"),
        ([0, 0, 1, True], r"\[3\]: expected a finite number"),
    ],
)
def test_rectangles_that_are_none(rectangle, message):
    with pytest.raises(InvalidResultError, match=rf"rectangles\[0\]{message}"):
        RectanglesSolution.from_dict({"groups": [[0]], "rectangles": [rectangle]})


def test_many_straight_cuts_are_found_fast():
    count = 3_000
    strips = [
        strip
        for i in range(count)
        for strip in ((i, i, i + 1, count + 3), (i + 1, i, count + 3, i + 1))
    ]
    assert by_guillotine([*strips, (count, count, count + 3, count + 3)])
    pinwheel = [(0, 0, 2, 1), (2, 0, 3, 2), (1, 2, 3, 3), (0, 1, 1, 3), (1, 1, 2, 2)]
    shifted = [tuple(count + line for line in box) for box in pinwheel]
    assert not by_guillotine([*strips, *shifted])
