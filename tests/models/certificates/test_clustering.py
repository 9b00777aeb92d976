import numpy as np
import pytest

from atleastk import CellularClustering, CertificateError, RGather
from atleastk.models.certificates.clustering import expect_too_few, surplus, too_few

LINE = {"points": [[0], [1], [3]], "metric": "manhattan"}


@pytest.mark.parametrize("kind", [RGather, CellularClustering])
def test_too_few(kind):
    assert too_few(kind(**LINE, r=4))
    expect_too_few(kind(**LINE, r=4), None)
    for feasible in (kind(**LINE, r=3), kind(**LINE, r=4, max_outliers=3)):
        assert not too_few(feasible)
        with pytest.raises(CertificateError, match="proves exactly that"):
            expect_too_few(feasible, None)
    with pytest.raises(CertificateError, match="proves exactly that"):
        expect_too_few(kind(**LINE, r=4), 1)


def test_surplus():
    weights = np.array([5, -2, 4], dtype=np.int64)
    for outliers, left in ((0, 7), (1, 2), (2, -2), (3, -2)):
        assert surplus(RGather(**LINE, r=1, max_outliers=outliers), weights) == left
