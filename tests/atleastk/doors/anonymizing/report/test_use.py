import json
import math

import pytest

from atleastk import anonymize
from atleastk.doors.anonymizing.report.use import Use
from atleastk.frames.frame import Selection
from atleastk.frames.rows import RowsFrame

pytestmark = pytest.mark.usefixtures("quick")

ROWS = [(34, "1", "x"), (34, "1", "y"), (36, "2", "x"), (37, "2", "x")]


def test_of_four_rows():
    made = anonymize(ROWS, 2, [0, 1])
    age, text = made.report.use.columns.values()
    assert (age.distinct, age.entropy, age.kept) == ((3, 2), (1.5, 1.0), 1.0)
    assert (age.share, age.mean, age.error) == (1.0 / 1.5, (35.25, 34.0), 0.0)
    assert (text.share, text.mean) == (1.0, (1.5, 1.5))
    assert text.error == pytest.approx(math.sqrt(1 / 3 / 4))
    assert "67% of its information" in str(made)


def test_correlations_are_of_columns_of_numbers():
    rows = [(i // 2, 9 - i // 2, "abc"[i % 3], True) for i in range(8)]
    made = anonymize(rows, 2, [0, 1])
    ((one, other, before, after, both),) = made.report.use.correlations
    assert both == 8
    assert (one, other) == ("0", "1")
    assert (before, after) == (pytest.approx(-1.0), pytest.approx(-1.0))
    document = json.loads(json.dumps(made.report.to_dict()))["use"]
    assert document["correlations"] == [["0", "1", before, after, 8]]
    assert document["columns"]["0"]["share"] == 1.0


def test_correlations_are_of_numbers_of_any_magnitude():
    """Whose squares would overflow."""
    rows = [(1e285 * (i // 2), -1e-142 * (i // 2)) for i in range(8)]
    (found,) = anonymize(rows, 2, [0, 1]).report.use.correlations
    assert found.before == pytest.approx(-1.0)


@pytest.mark.parametrize("value", [None, "", "n/a", float("nan"), True, 10**400])
def test_what_is_no_number_has_no_mean(value):
    made = anonymize([(value,), (value,), ("x",), ("x",)], 2)
    assert made.report.use.columns["0"].mean is None


@pytest.mark.parametrize(
    ("name", "values", "code"),
    [
        ("zip", ["1010", "8010"], "4 digits each, a code by its name"),
        ("zip", [1010, 8010], "4 digits each, a code by its name"),
        ("x", ["01067", "01099"], "5 digits each, with leading zeros"),
        ("x", [13053, 13068, None], "5 digits each"),
        ("patient_id", ["7", "30"], "digits, a code by its name"),
        ("income", [25000, 31000], None),
        ("age", ["31", "42"], None),
        ("year", [1987, 1999], None),
        ("id", [1.5, 2.5], None),
    ],
)
def test_codes_made_of_digits_have_no_mean(name, values, code):
    rows = [{name: value, "other": i} for i, value in enumerate(values * 2)]
    made = anonymize(rows, 2, [name])
    column = made.report.use.columns[name]
    assert column.code == code
    assert (column.mean is None) == (code is not None)
    assert ("Codes made of digits" in made.to_html()) == (code is not None)


def test_codes_correlate_with_nothing():
    rows = [{"zip": 13053 + i // 2, "age": 30 + i // 2} for i in range(8)]
    assert anonymize(rows, 2).report.use.correlations == ()


def test_a_column_that_is_one_value_keeps_everything():
    first, second = anonymize([("a", 1), ("a", 2)], 2).report.use.columns.values()
    assert first.share == 1.0
    assert second.share == 0.0


def test_shares_are_of_common_values():
    cells = ["a"] * 10 + ["b"] * 8 + [None] * 2 + [f"x{i}" for i in range(5)]
    ((column,)) = anonymize([(c,) for c in cells], 2).report.use.columns.values()
    few = ("*", 0, 5), ("no value", 2, 2), ("others", 5, 0)
    assert column.shares == (("a", 10, 10), ("b", 8, 8), *few)
    many = anonymize([(i,) for i in range(100)], 100).report.use.columns["0"]
    assert many.shares == (("no value", 0, 100), ("others", 100, 0))
    long = anonymize([("x" * 99,), (10**500,)] * 2, 2).report.use.columns["0"]
    assert {len(value) < 60 for value, _, _ in long.shares} == {True}


def test_a_group_of_values_stands_for_all_of_them():
    rows = [(age,) for age in (31, 34, 35, 41, 48, 49, 71, 85, 97)]
    made = anonymize(rows, 3, hierarchies={0: "bands:10"}, suppress_rows=3)
    column = made.report.use.columns["0"]
    bands = ("30-39", 3, 3), ("40-49", 3, 3)
    assert column.shares == (*bands, ("*", 0, 3), ("others", 3, 0))


def test_a_group_stands_for_values_whose_rows_are_suppressed():
    """Whether some of them are, or all: 01001 is in suppressed rows only."""
    cells = [(f"01{i % 3}67", "fm"[i // 3 % 2]) for i in range(36)]
    cells += [(text, "x") for text in ("01067", "01067", "01001", "02001", "02001")]
    cells += [("01999", "y"), ("01999", "z")]
    rules = {0: "prefix", 1: "suppression"}
    made = anonymize(cells, 7, hierarchies=rules, suppress_rows=8, levels={1: 0})
    zips, sexes = made.report.use.columns.values()
    assert zips.shares == (("01***", 41, 36), ("*", 0, 7), ("others", 2, 0))
    assert sexes.shares[:2] == (("f", 18, 18), ("m", 18, 18))
    assert (zips.distinct, zips.unsuppressed) == ((6, 2), (3, 1))


def test_what_hides_a_value_is_no_finer_than_the_value():
    """Though it stands first, and for no other."""
    frame = RowsFrame.of(list(zip("aaab", "*aab", strict=True)))
    use = Use.of(Selection.of(frame, [0]), [frame.column(1)])
    (shares,) = (column.shares for column in use.columns.values())
    assert shares == (("a", 3, 2), ("b", 1, 1), ("*", 0, 1))


def test_values_that_are_published_somewhere_count_as_themselves():
    frame = RowsFrame.of(list(zip("aabbc", "axbxx", strict=True)))
    use = Use.of(Selection.of(frame, [0]), [frame.column(1)])
    (column,) = use.columns.values()
    assert column.shares == (("x", 1, 3), ("a", 2, 1), ("b", 2, 1))
    assert column.kept == pytest.approx(column.entropy[1] - 0.8)  # a and b: a bit each


def test_a_mean_is_near_within_its_error():
    rows = [(1, "x"), (3, "x"), (5, "y"), (7, "y")]
    column = anonymize(rows, 2, [0], method="auto").report.use.columns["0"]
    assert column.mean is None  # all cells are hidden
    column = anonymize(rows, 1, [0]).report.use.columns["0"]
    assert (column.mean, column.extremes, column.mean_is_near) == ((4, 4), (1, 7), True)
