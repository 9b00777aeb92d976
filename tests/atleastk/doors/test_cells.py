from decimal import Decimal

import pytest

from atleastk.doors.cells import number_of, numbers_of


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["12,5", " 3,25", "7"], ["12.5", "3.25", "7"]),
        (["1,234", "0,5"], ["1.234", "0.5"]),
        (["12.5", 3, 0.25, Decimal(4)], ["12.5", "3", "0.25", "4"]),
        (["1,234", "5,678"], None),  # of thousands, maybe
        (["12,5", "3.25"], None),
        (["12,5", 3], None),
        (["nan"], None),
        ([None], None),
        ([], []),
    ],
)
def test_cells_tell_together_whether_commas_are_of_decimals(cells, numbers):
    found = numbers_of(cells)
    assert (None if found is None else list(map(str, found))) == numbers


def test_one_cell_has_a_point():
    assert number_of("12,5") is None
    assert number_of(" 12.5 ") == Decimal("12.5")
