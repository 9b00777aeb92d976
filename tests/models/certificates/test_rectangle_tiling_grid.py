import pytest
from cases import each
from certificates import refused, tampered

from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.models.certificates.rectangle_tiling_grid import check_certificate


@pytest.fixture
def pinned():
    """Two rectangles of 4 to 6 cannot hold the first of 3, 4, 3."""
    return RectangleTilingGrid([[3, 4, 3]], 2), {
        "kind": "parts",
        "level": 6,
        "refuted": [{"parts": [2, 2], "weights": [[0, 0, 1]], "most": 0}],
    }


def test_handmade_weights(pinned):
    instance, certificate = pinned
    check_certificate(instance, certificate, 7)
    check_certificate(instance, certificate, 0)
    assert refused(instance, certificate, 8)
    assert refused(instance, certificate, None)


TAMPERED = {
    "kind": ["weights"],
    "level": [7, 5],
    "refuted": [[]],
    "refuted/0/parts": [[1, 1], [3, 3]],
    "refuted/0/weights": [[[0, 1, 1]], [[1, 0, 1]]],
    "refuted/0/most": [1, -1],
}


@pytest.mark.parametrize(("field", "value"), each(TAMPERED))
def test_tampered_certificates_are_refused(pinned, field, value):
    instance, certificate = pinned
    check_certificate(instance, certificate, 7)
    assert refused(instance, tampered(certificate, field, value), 7)


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
