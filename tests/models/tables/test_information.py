import numpy as np
import pytest

from atleastk.models.tables.information import entropy, mutual_information


def codes(*values):
    return np.array(values, dtype=np.int32)


def test_known_values():
    assert entropy(codes()) == 0.0
    assert entropy(codes(4, 4, 4)) == 0.0
    assert entropy(codes(0, 1, 2, 3)) == 2.0
    assert entropy(codes(0, 0, 1, 2)) == 1.5
    assert mutual_information(codes(), codes()) == 0.0
    assert mutual_information(codes(0, 0, 1, 1), codes(0, 1, 0, 1)) == 0.0
    assert mutual_information(codes(0, 1, 2, 3), codes(0, 0, 1, 1)) == 1.0


@pytest.mark.parametrize("seed", range(20))
def test_the_laws(seed):
    one, other = np.random.default_rng(seed).integers(0, 5, (2, 60)).astype(np.int32)
    shared = mutual_information(one, other)
    assert shared == pytest.approx(mutual_information(other, one), abs=1e-12)
    assert 0.0 <= shared <= min(entropy(one), entropy(other)) + 1e-12
    assert mutual_information(one, one) == pytest.approx(entropy(one), rel=1e-12)
    assert mutual_information(one, one // 2) == pytest.approx(
        entropy(one // 2), rel=1e-12
    )
