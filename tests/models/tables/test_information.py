import numpy as np
import pytest

from atleastk.models.tables.information import Pairs, entropy


def codes(*values):
    return np.array(values, dtype=np.int32)


def informed(one, other):
    """Return the mutual information of two columns."""
    return Pairs.of(one, other).mutual_information


def test_pairs_are_counted_in_order():
    pairs = Pairs.of(codes(1, 0, 1, 1), codes(0, 2, 0, 1))
    assert pairs.one.tolist() == [0, 1, 1]
    assert pairs.other.tolist() == [2, 0, 1]
    assert pairs.counts.tolist() == [1, 2, 1]


def test_known_values():
    assert entropy(codes()) == 0.0
    assert entropy(codes(4, 4, 4)) == 0.0
    assert entropy(codes(0, 1, 2, 3)) == 2.0
    assert entropy(codes(0, 0, 1, 2)) == 1.5
    assert informed(codes(), codes()) == 0.0
    assert informed(codes(0, 0, 1, 1), codes(0, 1, 0, 1)) == 0.0
    assert informed(codes(0, 1, 2, 3), codes(0, 0, 1, 1)) == 1.0


@pytest.mark.parametrize("seed", range(20))
def test_the_laws(seed):
    one, other = np.random.default_rng(seed).integers(0, 5, (2, 60)).astype(np.int32)
    shared = informed(one, other)
    assert shared == pytest.approx(informed(other, one), abs=1e-12)
    assert 0.0 <= shared <= min(entropy(one), entropy(other)) + 1e-12
    assert informed(one, one) == pytest.approx(entropy(one), rel=1e-12)
    assert informed(one, one // 2) == pytest.approx(entropy(one // 2), rel=1e-12)
