import random
from itertools import pairwise

import numpy as np
import pytest

from atleastk import RectangleTiling, Solution, Verdict
from atleastk.models import rectangle_tiling
from atleastk.models.rectangle_tiling import (
    boxes_of,
    check,
    completed,
    solution_of_boxes,
)
from atleastk.models.rectangles import RectanglesSolution

CORNERS = [(0, 0, 2), (0, 1.5, 3), (4, 0, 4), (4, 1.5, 5)]
COLUMNS = RectanglesSolution(((0, 1), (2, 3)), ((0, 0, 0, 1.5), (4, 0, 4, 1.5)))


def violations(groups, rectangles=(), points=CORNERS, k=2, **options):
    solution = RectanglesSolution(groups, rectangles)
    return check(RectangleTiling(points, k, **options), solution).violations


def test_a_tiling_is_priced():
    for options in ({}, {"cover": "points"}, {"guillotine": True}):
        instance = RectangleTiling(CORNERS, 5, **options)
        assert check(instance, COLUMNS) == Verdict(9)
        assert check(instance, Solution(COLUMNS.groups)) == Verdict(9)
    assert check(RectangleTiling([], 3), RectanglesSolution(())) == Verdict(0)
    assert check(RectangleTiling([], 3), Solution(())) == Verdict(0)


def test_rectangles_that_are_no_rectangles_have_no_cost():
    groups = ((0, 1), (2, 3))
    assert violations(groups, ((0, 0, 0, 1.5),)) == (
        "rectangles: expected one for each of 2 groups, got 1",
    )
    for wrong in ((1, 0, 4, 1.5), (4, 0, 0, 1.5), (0, 1.5, 4, 0), (4, 0, 4, 2)):
        (line,) = violations(groups, ((0, 0, 0, 1.5), wrong))
        assert line == (
            "rectangles[1]: expected corners at coordinates of points, [first x, first "
            f"y, last x, last y], got {list(wrong)}"
        )
    assert violations((), ((0, 0, 0, 0),), points=[]) == (
        "rectangles: expected one for each of 0 groups, got 1",
    )


def test_no_points_need_no_rectangle():
    none = RectangleTiling(np.zeros((0, 3), dtype=np.int64), 1)
    assert check(none, RectanglesSolution(())) == Verdict(0, ())
    [line] = check(none, RectanglesSolution((), rectangles=((0, 0, 0, 0),))).violations
    assert line == "rectangles: expected one for each of 0 groups, got 1"


def test_points_outside_their_rectangle():
    swapped = COLUMNS.rectangles[::-1]
    assert violations(((0, 1), (2, 3)), swapped) == (
        "point 0 is outside rectangle 0, that of its group",
        "point 2 is outside rectangle 1, that of its group",
    )


def test_points_of_others_inside_a_rectangle():
    whole = (0, 0, 4, 1.5)
    assert violations(((0, 1), (2, 3)), (whole, (4, 0, 4, 1.5))) == (
        "rectangles 0 and 1 overlap",
    )
    lines = violations(((0, 1, 2), (3,)), ((0, 0, 4, 0), (4, 1.5, 4, 1.5)))
    assert "point 1 is outside rectangle 0, that of its group" in lines


def test_light_groups_keep_their_cost():
    verdict = check(RectangleTiling(CORNERS, 6), COLUMNS)
    assert verdict == Verdict(9, ("group 0 weighs 5, below k = 6",))


def test_the_plane_has_to_be_covered_and_points_have_not():
    diagonal = [(0, 0, 2), (1, 1, 2)]
    single = ((0,), (1,))
    assert violations(single, points=diagonal) == (
        "2 cells are in no rectangle, the first is [0, 1]",
    )
    assert violations(single, points=diagonal, cover="points") == ()
    assert violations(single, ((0, 0, 0, 1), (1, 0, 1, 1)), points=diagonal) == ()
    crossing = [(0, 0, 1), (2, 2, 1), (1, 1, 2)]
    overlap = ("rectangles 0 and 1 overlap",)
    assert violations(((0, 1), (2,)), points=crossing, cover="points") == overlap


def test_straight_cuts_only():
    points = [(x, y, 2) for x in range(3) for y in range(3)]
    boxes = [(0, 0, 1, 2), (0, 2, 2, 3), (2, 1, 3, 3), (1, 0, 3, 1), (1, 1, 2, 2)]
    free = RectangleTiling(points, 2)
    pinwheel = solution_of_boxes(free, boxes)
    assert check(free, pinwheel) == Verdict(4)
    straight = RectangleTiling(points, 2, guillotine=True)
    assert check(straight, pinwheel) == Verdict(
        4, ("no straight cuts make these rectangles",)
    )


@pytest.mark.parametrize("scale", [1, 0.1, -3, 2**60])
def test_boxes_there_and_back(scale):
    rng = random.Random(1)
    for _ in range(100):
        points = [
            (rng.randrange(5) * scale, rng.randrange(5) * scale, rng.randint(0, 3))
            for _ in range(8)
        ]
        instance = RectangleTiling(points, 1)
        columns, rows = len(instance.xs), len(instance.ys)
        line = rng.randint(1, columns)
        boxes = [(0, 0, line, rows), (line, 0, columns, rows)][: 1 + (line < columns)]
        solution = solution_of_boxes(instance, boxes)
        assert sorted(boxes_of(instance, solution)) == boxes


def test_completion():
    instance = RectangleTiling(CORNERS, 1)
    assert completed(instance, Solution(((2, 3), (0, 1)))) == COLUMNS
    assert completed(instance, RectanglesSolution(((0, 1), (2, 3)))) == COLUMNS
    assert completed(instance, COLUMNS) is COLUMNS


@pytest.mark.parametrize("seed", range(200))
def test_points_are_found_in_boxes_in_strips_and_anywhere(seed):
    rng = random.Random(seed)
    points = [(rng.randint(0, 5), rng.randint(0, 5), 1) for _ in range(12)]
    instance = RectangleTiling(points, 1)
    columns, rows = len(instance.xs), len(instance.ys)

    def spans(most):
        places = sorted(rng.sample(range(most + 1), min(most + 1, rng.randint(2, 4))))
        return list(pairwise(places))

    boxes = [(a, c, b, d) for a, b in spans(columns) for c, d in spans(rows)]
    rng.shuffle(boxes)
    if seed % 2:
        boxes.append((0, 0, columns, rows))
    found = solution_of_boxes(instance, boxes)
    for group, (x0, y0, x1, y1) in zip(found.groups, found.rectangles, strict=True):
        inside = [
            i for i, (x, y, _) in enumerate(points) if x0 <= x <= x1 and y0 <= y <= y1
        ]
        assert list(group) == inside


def test_few_points_are_looked_at_for_each_box_of_a_cross(monkeypatch):
    """Tall boxes of one arm, flat ones of the other: their lines are nearer."""
    arm, looked = 2_000, []
    points = [(i, 0, 1) for i in range(arm)] + [(arm, i, 1) for i in range(1, arm)]
    boxes = [(i, 0, i + 1, arm) for i in range(arm)]
    boxes += [(arm, max(0, i), arm + 1, i + 1) for i in range(1, arm)]
    boxes[arm] = (arm, 0, arm + 1, 2)
    holds = rectangle_tiling._holds

    def counting(boxes, cells):
        looked.append(len(cells))
        return holds(boxes, cells)

    monkeypatch.setattr(rectangle_tiling, "_holds", counting)
    solution = solution_of_boxes(RectangleTiling(points, 1), boxes)
    assert sum(looked) < 3 * len(points)
    assert solution.groups == tuple((p,) for p in range(len(points)))
