import pytest

from atleastk import RectangleTilingGrid

GRID = [[1, 2, 3], [4, 5, 6]]


def test_shape_and_weights():
    instance = RectangleTilingGrid(GRID, 2)
    assert (instance.rows, instance.columns, instance.n) == (2, 3, 6)
    assert instance.total == 21
    assert instance.weights.tolist() == GRID
    with pytest.raises(ValueError, match="read-only"):
        instance.weights[0, 0] = 1
    for grid in ([], [[]], [[], []]):
        empty = RectangleTilingGrid(grid, 2)
        assert (empty.rows, empty.columns, empty.n, empty.total) == (0, 0, 0, 0)
        assert empty.weights.shape == (0, 0)


def test_it_says_what_it_is():
    assert "grid=2x3 p=2 total=21" in str(RectangleTilingGrid(GRID, 2))
    assert "guillotine" in str(RectangleTilingGrid(GRID, 2, True))
