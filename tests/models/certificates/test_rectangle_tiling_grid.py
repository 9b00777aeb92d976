from certificates import refused

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.certificates.rectangle_tiling_grid import check_certificate


def test_count():
    certificate = {"kind": "count"}
    for p, bound, holds in (
        (1, 10, True),
        (1, 11, False),
        (2, 5, True),
        (2, 6, False),
        (9, 4, True),
        (9, 5, False),
        (2, None, False),
    ):
        instance = RectangleTilingGrid([[3, 4, 3]], p)
        assert refused(instance, certificate, bound) != holds
    assert not refused(RectangleTilingGrid([], 1), certificate, 0)
    assert refused(RectangleTilingGrid([], 1), certificate, 1)


def test_no_more_rectangles_than_cells():
    entry = {"parts": [4, 4], "weights": [[0, 0, 1]], "most": 0}
    certificate = {"kind": "parts", "level": 8, "refuted": [entry]}
    check_certificate(RectangleTilingGrid([[9, 1], [1, 1]], 100), certificate, 9)
