import pytest

from atleastk import InvalidInstanceError, RectangleTilingGrid

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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"p": 0}, r"p: expected an integer of at least 1, got 0"),
        ({"grid": 3}, r"grid: expected a list, got 3"),
        ({"grid": [3]}, r"grid\[0\]: expected a list, got 3"),
        ({"grid": [[1], [-1]]}, r"grid\[1\]\[0\]: expected an integer of at least 0"),
        ({"grid": [[1, 0.5]]}, r"grid\[0\]\[1\]: expected an integer"),
        ({"grid": [[1, 2], [3]]}, r"grid\[1\]: expected 2 weights as in row 0, got 1"),
        ({"grid": [[], [3]]}, r"grid\[1\]: expected 0 weights as in row 0, got 1"),
        ({"grid": [[2**62, 1]]}, r"grid: the weights add up to more than 2\*\*62"),
        ({"guillotine": "yes"}, r"guillotine: expected true or false, got 'yes'"),
        ({"k": 3}, r"k: unknown field of rectangle-tiling-grid; known are grid, p"),
    ],
)
def test_what_is_refused(changes, message):
    data = {"problem": "rectangle-tiling-grid", "grid": GRID, "p": 2, **changes}
    with pytest.raises(InvalidInstanceError, match=message) as error:
        RectangleTilingGrid.from_dict(data)
    assert "\n" not in str(error.value)


def test_fingerprints():
    instance = RectangleTilingGrid(GRID, 2)
    assert RectangleTilingGrid.from_dict(instance.to_dict()) == instance
    assert RectangleTilingGrid(GRID, 2, False).sha256 == instance.sha256
    others = [
        RectangleTilingGrid(GRID, 3),
        RectangleTilingGrid(GRID[:1], 2),
        RectangleTilingGrid(GRID, 2, True),
    ]
    assert len({instance.sha256, *(other.sha256 for other in others)}) == 4


def test_it_says_what_it_is():
    assert "grid=2x3 p=2 total=21" in str(RectangleTilingGrid(GRID, 2))
    assert "guillotine" in str(RectangleTilingGrid(GRID, 2, True))
