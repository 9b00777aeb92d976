import json

import pytest

import atleastk
from atleastk import RectangleTiling

POINTS = [(2.5, -1, 3), (0, 7, 0), (2.5, 7, 4), (2.5, -1, 5)]


def test_cells_and_their_weights():
    instance = RectangleTiling(POINTS, 2)
    assert (instance.n, instance.total, instance.xs) == (4, 12, (0, 2.5))
    assert instance.ys == (-1, 7)
    assert instance.cells.tolist() == [[1, 0], [0, 1], [1, 1], [1, 0]]
    assert instance.grid.tolist() == [[0, 0], [8, 4]]
    with pytest.raises(ValueError, match="read-only"):
        instance.grid[0, 0] = 1
    assert RectangleTiling([], 2).grid.shape == (0, 0)


def test_coordinates_up_to_the_limit_are_exact():
    far = 10**308
    instance = RectangleTiling([(far, 0, 1), (far + 1, 0, 1)], 1)
    result = atleastk.solve(instance)
    assert result.cost == 1
    document = json.loads(json.dumps(result.to_dict()))
    assert atleastk.check(instance, document).feasible


def test_weights_up_to_the_limit():
    assert RectangleTiling([(0, 0, 2**61), (0, 1, 2**61)], 1).grid.sum() == 2**62


def test_it_says_what_it_is():
    assert "n=4 grid=2x2 k=2 total=12" in str(RectangleTiling(POINTS, 2))
    assert "cover=points" in str(RectangleTiling(POINTS, 2, "points"))
    assert "guillotine" in str(RectangleTiling(POINTS, 2, guillotine=True))
    assert "guillotine" not in str(RectangleTiling(POINTS, 2))
