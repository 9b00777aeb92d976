"""Integers, tables and texts: exact, and what is refused is told on one line."""

import pytest

from atleastk import BinCovering, IntervalCovering, InvalidInstanceError
from atleastk.instances.shapes import MOST_DIGITS, Table, Text


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


class Name(str):
    """What an enumeration of texts is made of."""


def test_tables_hold_plain_texts_and_integers():
    """Rows of any kind of sequence, cells of other libraries."""
    parsed = Table().parse([["a", 1], (Name("b"), Seven()), iter([2**70, ""])], "t")
    assert parsed == (("a", 1), ("b", 7), (2**70, ""))
    assert {type(cell) for row in parsed for cell in row} == {str, int}
    assert Table().parse([], "t") == ()
    assert Table().parse([[], []], "t") == ((), ())


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (5, "t: expected a list of rows, got 5"),
        ("ab", "t: expected a list of rows, got 'ab'"),
        ({"a": 1}, "t: expected a list of rows"),
        ([5], "t[0]: expected a row of cells, got 5"),
        ([["a"], "b"], "t[1]: expected a row of cells, got 'b'"),
        ([["a"], []], "t[1]: expected 1 cells as in row 0, got ()"),
        ([["a"], ["b", "c"]], "t[1]: expected 1 cells as in row 0"),
        ([["a"], [1.0]], "t[1][0]: expected a text or an integer, got 1.0"),
        ([["a", None]], "t[0][1]: expected a text or an integer, got null"),
        ([[False]], "t[0][0]: expected a text or an integer, got False"),
        ([[b"a"]], "t[0][0]: expected a text or an integer"),
        ([[10**MOST_DIGITS]], "t[0][0]: expected an integer of at most 2000 digits"),
        ([[-(10**5000)]], "t[0][0]: expected an integer of at most 2000 digits"),
    ],
)
def test_what_is_no_table_is_told(value, told):
    """With the place of the first wrong cell."""
    with pytest.raises(InvalidInstanceError) as caught:
        Table().parse(value, "t")
    assert str(caught.value).startswith(told)
    assert len(str(caught.value)) < 200


def test_texts_are_texts():
    """Nothing else is turned into one."""
    assert Text().parse("a", "t") == "a"
    with pytest.raises(InvalidInstanceError, match="t: expected a text, got 1"):
        Text().parse(1, "t")
