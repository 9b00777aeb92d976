import pytest
from costs import cost_of

from atleastk import NotApplicableError, RectangleTiling
from atleastk.solvers.brute_force.rectangle_tiling import optimum

RING = [(x, y, 1) for x in range(5) for y in range(5) if not (0 < x < 4 and 0 < y < 4)]
CENTRED = [*RING, (2, 2, 4)]


@pytest.mark.parametrize(
    ("points", "cover", "guillotine", "cost"),
    [
        (RING, "points", False, 4),
        (RING, "plane", False, 6),
        (RING, "plane", True, 6),
        (CENTRED, "points", False, 4),
        (CENTRED, "plane", False, 4),
        (CENTRED, "plane", True, 5),
    ],
)
def test_pinwheels(points, cover, guillotine, cost):
    instance = RectangleTiling(points, 4, cover, guillotine)
    found, solution = optimum(instance)
    assert found == cost_of(instance, solution) == cost


def test_three_points_by_hand():
    """A row 2, 1, 2: no two rectangles weigh at least 3; with k = 2 one must be 3."""
    row = [(0, 0, 2), (0.5, 0, 1), (7, 0, 2)]
    assert optimum(RectangleTiling(row, 3))[0] == 5
    assert optimum(RectangleTiling(row, 2))[0] == 3


def test_limits():
    assert optimum(RectangleTiling([(0, 0, 1), (1, 1, 1)], 3)) is None
    assert optimum(RectangleTiling([(0, 0, 0)], 1)) is None
    assert optimum(RectangleTiling([], 1))[0] == 0
    assert optimum(RectangleTiling([(1, 1, 2)] * 3, 2))[0] == 6
    with pytest.raises(NotApplicableError, match="at most 25 cells, got 36"):
        optimum(RectangleTiling([(i, i, 1) for i in range(6)], 1))
