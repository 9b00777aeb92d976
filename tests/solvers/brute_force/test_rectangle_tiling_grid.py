import pytest
from costs import cost_of

from atleastk import NotApplicableError, RectangleTilingGrid
from atleastk.models.rectangles import by_guillotine
from atleastk.solvers.brute_force.rectangle_tiling_grid import optimum, packings


@pytest.mark.parametrize(
    ("rows", "columns", "tilings", "straight"),
    [(1, 1, 1, 1), (1, 4, 8, 8), (2, 2, 8, 8), (3, 3, 322, 320), (3, 4, 3164, 3118)],
)
def test_tilings_are_counted(rows, columns, tilings, straight):
    found = list(packings(rows, columns, lambda _: True, lambda _: False))
    assert len(found) == len(set(map(frozenset, found))) == tilings
    assert sum(map(by_guillotine, found)) == straight


def test_packings_may_leave_optional_cells():
    found = {
        frozenset(boxes)
        for boxes in packings(1, 3, lambda _: True, lambda cell: cell == (0, 1))
    }
    free = frozenset({(0, 0, 1, 1), (0, 2, 1, 3)})
    assert free in found
    assert len(found) == 5
    narrow = packings(1, 3, lambda box: box[3] - box[1] == 1, lambda _: True)
    assert len(list(narrow)) == 8


@pytest.mark.parametrize(("p", "cost"), [(1, 12), (2, 9), (3, 6), (4, 5), (5, 4)])
def test_a_heavy_centre_by_hand(p, cost):
    instance = RectangleTilingGrid([[1, 1, 1], [1, 4, 1], [1, 1, 1]], p)
    found, solution = optimum(instance)
    assert found == cost_of(instance, solution) == cost


def test_straight_cuts_cost_more():
    """Five rectangles of weight 3 are a pinwheel; straight cuts leave one of 4."""
    grid = [[1, 2, 1], [1, 3, 2], [2, 2, 1]]
    free = optimum(RectangleTilingGrid(grid, 5))
    straight = optimum(RectangleTilingGrid(grid, 5, True))
    assert (free[0], straight[0]) == (3, 4)


def test_limits():
    assert optimum(RectangleTilingGrid([], 1))[0] == 0
    assert optimum(RectangleTilingGrid([[], []], 3))[0] == 0
    with pytest.raises(NotApplicableError, match="at most 16 cells, got 20"):
        optimum(RectangleTilingGrid([[1] * 5] * 4, 2))
