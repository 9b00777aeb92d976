import json

import numpy as np
import pytest

import atleastk
from atleastk import InvalidInstanceError, RectangleTiling

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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"k": 0}, r"k: expected an integer of at least 1, got 0"),
        ({"points": 3}, r"points: expected a list, got 3"),
        ({"points": [[0, 1]]}, r"points\[0\]: expected \[x, y, weight\]"),
        (
            {"points": [[0, 1, -1]]},
            r"points\[0\]\[2\]: expected an integer of at least 0",
        ),
        ({"points": [[0, 1, 1.5]]}, r"points\[0\]\[2\]: expected an integer"),
        ({"points": [[0, 0, 1], [0, "a", 1]]}, r"points\[1\]\[1\]: expected a finite"),
        ({"points": [[float("inf"), 0, 1]]}, r"points\[0\]\[0\]: expected a finite"),
        ({"points": [[10**400, 0, 1]]}, r"points\[0\]\[0\]: expected a finite"),
        ({"points": [[0, -(10**309), 1]]}, r"points\[0\]\[1\]: expected a finite"),
        ({"points": [[0, True, 1]]}, r"points\[0\]\[1\]: expected a finite number"),
        ({"points": [[0, 0, 2**62], [1, 1, 1]]}, r"points: their weights add up"),
        ({"cover": "all"}, r'cover: expected one of "plane", "points"'),
        ({"guillotine": 1}, r"guillotine: expected true or false, got 1"),
        ({"guillotine": True, "cover": "points"}, r'take cover "plane"'),
        ({"r": 3}, r"r: unknown field of rectangle-tiling; known are points, k"),
    ],
)
def test_what_is_refused(changes, message):
    data = {"problem": "rectangle-tiling", "points": POINTS, "k": 2, **changes}
    with pytest.raises(InvalidInstanceError, match=message) as error:
        RectangleTiling.from_dict(data)
    assert "\n" not in str(error.value)


def test_coordinates_up_to_the_limit_are_exact():
    far = 10**308
    instance = RectangleTiling([(far, 0, 1), (far + 1, 0, 1)], 1)
    result = atleastk.solve(instance)
    assert result.cost == 1
    document = json.loads(json.dumps(result.to_dict()))
    assert atleastk.check(instance, document).feasible


def test_weights_up_to_the_limit():
    assert RectangleTiling([(0, 0, 2**61), (0, 1, 2**61)], 1).grid.sum() == 2**62


def test_fingerprints():
    instance = RectangleTiling(POINTS, 2)
    assert RectangleTiling.from_dict(instance.to_dict()) == instance
    listed = RectangleTiling(np.array([[0, 1, 2]]).tolist(), 2, "plane", False)
    assert listed.sha256 == RectangleTiling([(0, 1, 2)], 2).sha256
    others = [
        RectangleTiling(POINTS, 3),
        RectangleTiling(POINTS[:3], 2),
        RectangleTiling(POINTS, 2, "points"),
        RectangleTiling(POINTS, 2, guillotine=True),
    ]
    assert len({instance.sha256, *(other.sha256 for other in others)}) == 5


def test_it_says_what_it_is():
    assert "n=4 grid=2x2 k=2 total=12" in str(RectangleTiling(POINTS, 2))
    assert "cover=points" in str(RectangleTiling(POINTS, 2, "points"))
    assert "guillotine" in str(RectangleTiling(POINTS, 2, guillotine=True))
    assert "guillotine" not in str(RectangleTiling(POINTS, 2))
