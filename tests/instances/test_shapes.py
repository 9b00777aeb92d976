"""Integers: exact, of any reasonable magnitude, and refused on one line."""

import pytest

from atleastk import BinCovering, IntervalCovering, InvalidInstanceError
from atleastk.instances.shapes import MOST_DIGITS


class Seven:
    """What NumPy's integers are to Python: something with an index."""

    def __index__(self):
        return 7


def test_whole_numbers_of_other_libraries_are_taken():
    """They become plain integers."""
    instance = BinCovering([Seven(), 3], Seven())
    assert instance == BinCovering([7, 3], 7)
    assert set(map(type, instance.sizes)) == {int}


@pytest.mark.parametrize(
    "value",
    [10**MOST_DIGITS, 10**5000, -(10**5000), [10**5000], (Seven(), 10**5000)],
    ids=["one more", "unprintable", "negative", "list", "strange"],
)
@pytest.mark.parametrize("field", ["sizes", "k"])
def test_absurd_magnitudes_are_refused_on_one_line(value, field):
    """Even those that Python itself would not print."""
    sizes = value if isinstance(value, list | tuple) else [value]
    wrong = {"sizes": sizes} if field == "sizes" else {"k": value}
    with pytest.raises(InvalidInstanceError) as caught:
        BinCovering(**{"sizes": [1], "k": 1, **wrong})
    assert str(caught.value).startswith(field)
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("objective", ["max", "excess", "quadratic"])
def test_the_greatest_numbers_allowed_can_be_solved_and_printed(objective):
    """A sum of squares has twice the digits, which Python prints."""
    largest = 10**MOST_DIGITS - 1
    instance = IntervalCovering([largest] * 9, 5, objective)
    assert str(instance)
    assert instance.to_dict()["sizes"][0] == largest
    assert len(str((9 * largest) ** 2)) < 4300
