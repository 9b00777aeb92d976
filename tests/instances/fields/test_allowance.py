import numpy as np
import pytest

from atleastk.instances.fields.allowance import allowed_rows


@pytest.mark.parametrize(
    ("wish", "n", "rows"),
    [
        (7, 100, 7),
        ("7", 100, 7),
        (0, 5, 0),
        ("5%", 45_222, 2_261),
        (0.05, 45_222, 2_261),
        (0.29, 100, 29),
        ("29%", 100, 29),
        (" 0.5% ", 1_000, 5),
        ("100%", 3, 3),
        (1.0, 3, 3),
        (1, 3, 1),
        ("33%", 3, 0),
        ("0.05", 45_222, 2_261),
        ("1/3", 9, 3),
        (np.int64(4), 9, 4),
        (np.float64(0.5), 9, 4),
    ],
)
def test_shares_are_exact_and_rounded_down(wish, n, rows):
    assert allowed_rows(wish, n) == rows
