import pytest

from atleastk.cli import readers
from atleastk.instances.fields.errors import AtleastkError


@pytest.mark.parametrize(
    ("reader", "text", "value"),
    [
        ("seconds", "1.5", 1.5),
        ("seconds_or_none", "none", None),
        ("gap", "1%", 0.01),
        ("gap", "0.5", 0.5),
        ("integer", "-3", -3),
        ("levels", "2,5,10", (2, 5, 10)),
        ("count", "0", 0),
        ("amount", "2.5", 2.5),
        ("allowance", "2.5%", "2.5%"),
        ("allowance", "12", "12"),
        ("delimiter", "tab", "\t"),
        ("names", 'age, "a,b"', ["age", "a,b"]),
        ("classes", 'age > "a>b",sex', [["age"], ["a>b", "sex"]]),
        ("sized", "a=b=10", ("a=b", "10")),
    ],
)
def test_texts_become_values(reader, text, value):
    assert getattr(readers, reader)(text) == value


@pytest.mark.parametrize(
    ("reader", "text", "told"),
    [
        ("seconds", "0", "^expected seconds above 0"),
        ("gigabytes", "-1", "^expected gigabytes above 0"),
        ("processors", "0", "^expected an integer of at least 1"),
        ("seed_of", "-1", "^expected an integer from 0"),
        ("gap", "2", "^expected a number from 0 to 1"),
        ("gap", "nan", "^expected a number from 0 to 1"),
        ("gap", "x%", 'expected a number or a percentage, got "x%"'),
        ("levels", "2,x", "expected an integer, got"),
        ("level", "0", "expected an integer of at least 1, got 0"),
        ("count", "-1", "expected an integer of at least 0"),
        ("window", "22-23", 'got "22-23"; a range is 22..23$'),
        ("amount", "inf", "expected a number of at least 0"),
        ("allowance", "1.5", "^expected a number of rows, or a share of them"),
        ("delimiter", "ab", "expected one character or the word tab"),
        ("names", "a\nb", "expected one line"),
        ("sized", "=1", "expected NAME=SIZE"),
    ],
)
def test_mistakes_are_told(reader, text, told):
    with pytest.raises((AtleastkError, ValueError), match=told):
        getattr(readers, reader)(text)
