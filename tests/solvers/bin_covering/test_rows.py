import numpy as np
import pytest

from atleastk.solvers.bin_covering.rows import MOST_ROWS, in_rows


@pytest.mark.parametrize("share", [1, 2, 5])
def test_levels_are_those_of_the_bins(share):
    for seed in range(100):
        rng = np.random.default_rng(seed)
        sizes = np.sort(rng.integers(1, 100, rng.integers(1, 40)))[::-1].copy()
        bins = int(rng.integers(1, 9))
        homes, levels = in_rows(sizes, bins, share, 5)
        assert levels.tolist() == [int(sizes[homes == b].sum()) for b in range(bins)]


def test_rows_that_are_put_in_again_are_nearly_even():
    sizes = np.sort(np.random.default_rng(1).integers(1, 10**6, 30_000))[::-1].copy()
    _, once = in_rows(sizes, 10_000)
    _, levels = in_rows(sizes, 10_000, passes=40)
    assert 100 * np.ptp(levels) < np.ptp(once)


def test_it_ends_when_it_is_over():
    sizes = np.sort(np.random.default_rng(2).integers(1, 10**6, 3_000))[::-1].copy()
    seen = []

    def over(levels):
        seen.append(np.ptp(levels))
        return len(seen) == 2

    in_rows(sizes, 1_000, passes=9, over=over)
    assert len(seen) == 2
    many = np.ones(MOST_ROWS + 2, dtype=np.int64)
    in_rows(many, 1, passes=9, over=over)
    assert len(seen) == 2
