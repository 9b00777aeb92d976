import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from atleastk import (
    BinCovering,
    CellularClustering,
    ConnectedPartition,
    IntervalCovering,
    InvalidInstanceError,
    KAnonymity,
    RectangleTiling,
    RGather,
)
from atleastk.instances.fields.shapes import (
    MOST_DIGITS,
    Integer,
    ListOf,
    Number,
    Row,
    Table,
    Text,
    whole,
)


class Seven:
    def __index__(self):
        return 7


def test_whole_numbers_of_other_libraries_are_taken():
    instance = BinCovering([Seven(), 3], Seven())
    assert instance == BinCovering([7, 3], 7)
    assert set(map(type, instance.sizes)) == {int}


INTEGERS = [np.int8(7), np.int64(7), np.uint64(7), np.array(7)]
NO_NUMBERS = [
    np.array([7]),
    np.array([1, 2]),
    np.array([]),
    np.array(2.5),
    np.bool_(True),
    np.float64(7.0),
    np.ma.masked,
    np.datetime64("2020"),
    np.nan,
    Fraction(7),
    Decimal(7),
    1j,
    object,
    {},
    b"7",
]


@pytest.mark.parametrize("seven", INTEGERS, ids=repr)
def test_integers_of_numpy_are_integers(seven):
    assert type(whole(seven)) is int
    instances = (
        (BinCovering([7, 7], 7), BinCovering([seven, seven], seven)),
        (KAnonymity([[7], [7]], 7), KAnonymity([[seven], [seven]], seven)),
        (RGather(points=[[7]], r=7), RGather(points=[[seven]], r=seven)),
        (RGather(distances=[[0]], r=7), RGather(distances=[[0]], r=seven)),
        (RectangleTiling([(7, 7, 7)], 7), RectangleTiling([(seven,) * 3], seven)),
        (ConnectedPartition([7], [], 7), ConnectedPartition([seven], [], seven)),
    )
    for plain, other in instances:
        assert plain == other
        assert json.dumps(plain.to_dict()) == json.dumps(other.to_dict())


@pytest.mark.parametrize("half", [np.float16(0.5), np.float32(0.5), np.float64(0.5)])
def test_floats_of_numpy_are_floats(half):
    places = RGather(points=[(half, half)], metric="great-circle", r=1)
    assert places == RGather(points=[(0.5, 0.5)], metric="great-circle", r=1)
    assert RectangleTiling([(half, half, 1)], 1) == RectangleTiling([(0.5, 0.5, 1)], 1)
    assert {type(x) for x in places.points[0]} == {float}


def test_arrays_of_numpy_are_lists():
    table = np.arange(4).reshape(2, 2)
    assert KAnonymity(table, 2) == KAnonymity(table.tolist(), 2)
    assert BinCovering(table[1], 1) == BinCovering([2, 3], 1)
    assert RGather(distances=1 - np.eye(2, dtype=int), r=1).n == 2
    for make in (
        lambda lone: BinCovering(lone, 1),
        lambda lone: KAnonymity(lone, 1),
        lambda lone: KAnonymity([lone], 1),
        lambda lone: RectangleTiling(lone, 1),
        lambda lone: RectangleTiling([lone], 1),
        lambda lone: RGather(distances=[lone], r=1),
    ):
        with pytest.raises(InvalidInstanceError, match=r"expected (a|\[x, y, w)"):
            make(np.array(3))


@pytest.mark.parametrize("odd", NO_NUMBERS, ids=repr)
def test_what_is_no_number_is_told(odd):
    for make in (
        lambda: BinCovering([1, odd], 1),
        lambda: BinCovering([1], odd),
        lambda: KAnonymity([[odd]], 1),
        lambda: RGather(points=[[odd]], r=1),
        lambda: RGather(distances=[[0, odd], [odd, 0]], r=1),
        lambda: CellularClustering(points=[[1]], facility_costs=[odd]),
        lambda: ConnectedPartition([1, 1], [(0, odd)], 1),
        lambda: RectangleTiling([(1, 1, odd)], 1),
    ):
        with pytest.raises(InvalidInstanceError, match="expected") as caught:
            make()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [10**MOST_DIGITS, 10**5000, -(10**5000), [10**5000], (Seven(), 10**5000)],
    ids=["one more", "unprintable", "negative", "list", "strange"],
)
@pytest.mark.parametrize("field", ["sizes", "k"])
def test_absurd_magnitudes_are_refused_on_one_line(value, field):
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
    parsed = Table().parse([["a", 1], (Name("b"), Seven()), iter([2**70, ""])], "t")
    assert parsed == (("a", 1), ("b", 7), (2**70, ""))
    assert {type(cell) for row in parsed for cell in row} == {str, int}
    assert Table().parse([], "t") == ()
    assert Table().parse([[], []], "t") == ((), ())


def test_equal_cells_are_one_object():
    """Texts and numbers are never equal; tables of a million cells hold few values."""
    table = json.loads('[["one", 1000, "1"], ["one", 1000, 1]]')
    first, second = Table().parse(table, "t")
    assert [first, second] == [("one", 1000, "1"), ("one", 1000, 1)]
    assert first[0] is second[0]
    assert first[1] is second[1]


@pytest.mark.parametrize(
    ("value", "message"),
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
def test_messages_about_tables(value, message):
    with pytest.raises(InvalidInstanceError) as caught:
        Table().parse(value, "t")
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 200


def test_texts_are_texts():
    assert Text().parse("a", "t") == "a"
    with pytest.raises(InvalidInstanceError, match="t: expected a text, got 1"):
        Text().parse(1, "t")


POINTS = ListOf(Row("[x, weight]", (Number(minimum=-1), Integer(minimum=0))))


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[0.5, 1], (7, 0), [-1, 3]],
        [[0.5, 1], [float("nan"), 1]],
        [[0.5, 1], [float("inf"), 1]],
        [[10**309, 1]],
        [[1, 1], [-1.5, 1]],
        [[1, 1], [1, -1]],
        [[1, 1], [1, 1.0]],
        [[1, 1], [True, 1]],
        [[1, 1], [1]],
        [[1, 1], "12"],
        [[np.float32(0.5), np.int8(1)]],
    ],
)
def test_many_rows_are_judged_as_each_of_them(rows):
    """Lists of plain rows of plain numbers are looked at column by column."""

    def parsed(parse):
        try:
            found = parse()
        except InvalidInstanceError as error:
            return str(error)
        return found, [[*map(type, row)] for row in found]

    def each():
        parse = POINTS.item.parse
        return tuple(parse(row, f"rows[{i}]") for i, row in enumerate(rows))

    assert parsed(lambda: POINTS.parse(rows, "rows")) == parsed(each)
