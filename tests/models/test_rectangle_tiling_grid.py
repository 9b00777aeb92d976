import pytest

from atleastk import RectangleTilingGrid, Solution, Verdict
from atleastk.models.rectangle_tiling_grid import (
    boxes_of,
    check,
    completed,
    solution_of_boxes,
)
from atleastk.models.rectangles import RectanglesSolution

GRID = [[1, 2, 3], [4, 5, 6]]
ROWS = RectanglesSolution(((0, 1, 2), (3, 4, 5)), ((0, 0, 0, 2), (1, 0, 1, 2)))


def verdict(groups, rectangles=(), p=4):
    return check(RectangleTilingGrid(GRID, p), RectanglesSolution(groups, rectangles))


def test_a_tiling_is_priced():
    assert check(RectangleTilingGrid(GRID, 2), ROWS) == Verdict(15)
    assert check(RectangleTilingGrid(GRID, 2), Solution(ROWS.groups)) == Verdict(15)
    for grid in ([], [[]], [[], []]):
        assert check(RectangleTilingGrid(grid, 1), RectanglesSolution(())) == Verdict(0)
    assert check(RectangleTilingGrid([[0]], 1), Solution(((0,),))) == Verdict(0)


def test_no_rectangles_have_no_cost():
    assert verdict(ROWS.groups, ROWS.rectangles[:1]) == Verdict(
        None, ("rectangles: expected one for each of 2 groups, got 1",)
    )
    for *corner, last in ((1, 0, 2, 2), (1, 0, 0, 2), (1, -1, 1, 2), (1, 0, 1, 1.5)):
        (told,) = verdict(ROWS.groups, (ROWS.rectangles[0], (*corner, last))).violations
        assert told == (
            "rectangles[1]: expected cells of the grid, [row, column, last row, "
            f"last column], got {[*corner, last]}"
        )


def test_groups_are_the_cells_of_their_rectangles():
    wrong = "group {} is not the cells of its rectangle"
    swapped = verdict(ROWS.groups, ROWS.rectangles[::-1])
    assert swapped.violations == (wrong.format(0), wrong.format(1))
    grown = verdict(ROWS.groups, ((0, 0, 1, 2), (1, 0, 1, 2)))
    assert grown == Verdict(15, (wrong.format(0),))
    bent = verdict(((0, 1, 3), (2, 4, 5)))
    assert bent.violations == (wrong.format(0), wrong.format(1))


def test_at_most_p_rectangles():
    assert verdict(ROWS.groups, p=1) == Verdict(15, ("2 rectangles, above p = 1",))
    assert verdict(((0, 1, 2, 3, 4, 5),), p=1) == Verdict(21)


@pytest.mark.parametrize("guillotine", [False, True])
def test_straight_cuts_only(guillotine):
    instance = RectangleTilingGrid([[1] * 3] * 3, 5, guillotine)
    boxes = [(0, 0, 1, 2), (0, 2, 2, 3), (2, 1, 3, 3), (1, 0, 3, 1), (1, 1, 2, 2)]
    lines = ("no straight cuts make these rectangles",) if guillotine else ()
    assert check(instance, solution_of_boxes(instance, boxes)) == Verdict(2, lines)


def test_boxes_and_completion():
    instance = RectangleTilingGrid(GRID, 3)
    boxes = [(0, 0, 2, 1), (0, 1, 1, 3), (1, 1, 2, 3)]
    solution = solution_of_boxes(instance, boxes)
    assert boxes_of(solution) == boxes
    assert solution.groups == ((0, 3), (1, 2), (4, 5))
    assert solution.rectangles == ((0, 0, 1, 0), (0, 1, 0, 2), (1, 1, 1, 2))
    assert completed(instance, Solution(solution.groups)) == solution
    assert completed(instance, solution) is solution
