import json

import numpy as np
import pytest
from certificates import refused

from atleastk import NotApplicableError, RectangleTiling, RectangleTilingGrid
from atleastk.models.certificates.rectangle_tiling import check_certificate
from atleastk.models.certificates.rectangles import greatest_weight
from atleastk.models.windows import Window
from atleastk.runs.registry import problem_of

ROW = [(0, 0, 3), (1, 0, 4), (2, 0, 3)]


@pytest.fixture(params=[RectangleTiling(ROW, 4), RectangleTilingGrid([[3, 4, 3]], 2)])
def pinned(request):
    """Of 3, 4, 3 in a row two parts of 4 to 6 cannot hold the first."""
    return request.param, {
        "kind": "parts",
        "level": 6,
        "refuted": [{"parts": [2, 2], "weights": [[0, 0, 1]], "most": 0}],
    }


def test_handmade_weights(pinned):
    instance, certificate = pinned
    check = problem_of(instance).check_certificate
    check(instance, certificate, 7)
    check(instance, json.loads(json.dumps(certificate)), 7)
    check(instance, certificate, 0)
    assert refused(instance, certificate, 8)
    assert refused(instance, certificate, None)


def test_holes_may_not_have_positive_weight():
    """One cell of four is empty: where it may stay uncovered it cannot be missed."""
    points = [(0, 0, 2), (1, 0, 2), (0, 1, 1)]
    plane = RectangleTiling(points, 2)
    entry = {"parts": [1, 2], "weights": [[1, 0, 1], [0, 1, 1], [1, 1, 3]], "most": 1}
    certificate = {"kind": "parts", "level": 2, "refuted": [entry]}
    assert refused(RectangleTiling(points, 2, "points"), certificate, 3)
    assert not refused(plane, certificate, 3)


@pytest.mark.parametrize(
    ("instance", "most", "infeasible"),
    [
        *((RectangleTiling(ROW, k), most, False) for k, most in ((4, 5), (2, 4))),
        *((RectangleTiling(ROW, k), 10, k > 10) for k in (10, 11)),
        (RectangleTiling([], 1), 0, False),
        *(
            (RectangleTilingGrid([[3, 4, 3]], p), most, False)
            for p, most in ((1, 10), (2, 5), (9, 4))
        ),
        (RectangleTilingGrid([], 1), 0, False),
    ],
    ids=str,
)
def test_counting_proves_so_much_and_no_more(instance, most, infeasible):
    count = {"kind": "count"}
    assert not refused(instance, count, most)
    assert refused(instance, count, most + 1) != infeasible
    assert refused(instance, count, None) != infeasible


def test_no_more_rectangles_than_cells():
    entry = {"parts": [4, 4], "weights": [[0, 0, 1]], "most": 0}
    certificate = {"kind": "parts", "level": 8, "refuted": [entry]}
    assert not refused(RectangleTilingGrid([[9, 1], [1, 1]], 100), certificate, 9)


def test_the_greatest_weight_against_all_boxes():
    rng = np.random.default_rng(1)
    for _ in range(100):
        rows, columns = rng.integers(1, 5, 2)
        grid = rng.integers(0, 4, (rows, columns))
        weights = rng.integers(-5, 6, (rows, columns))
        least, most = np.sort(rng.integers(0, 10, 2)).tolist()
        values = [
            int(weights[a:b, c:d].sum())
            for a in range(rows)
            for b in range(a + 1, rows + 1)
            for c in range(columns)
            for d in range(c + 1, columns + 1)
            if least <= grid[a:b, c:d].sum() <= most
        ]
        window = Window(1, least, most)
        assert greatest_weight(grid, weights, window, -99) == max(values, default=-99)


def test_too_many_boxes():
    points = [(i, i, 1) for i in range(300)]
    entry = {"parts": [1, 300], "weights": [], "most": -1}
    certificate = {"kind": "parts", "level": 1, "refuted": [entry]}
    with pytest.raises(NotApplicableError, match="too many boxes"):
        check_certificate(RectangleTiling(points, 1), certificate, 2)
