"""A table as it stands, from Python."""

import pyarrow
import pyarrow.parquet
import pytest
from tables import of_columns

import atleastk
from atleastk.instances.fields.errors import InvalidInstanceError

ILLS = ["flu", "cold", "flu", "flu", "gout"]
ROWS = of_columns(age=["31", "31", "42", "42", "57"], home="AABCD", ill=ILLS)


def test_rows_that_break_what_is_asked_are_named():
    made = atleastk.check_table(ROWS, 2, ["age"], sensitive="ill", l=2)
    assert not made.holds
    assert made.small_rows.tolist() == [4]
    assert made.failing_rows.tolist() == [2, 3, 4]
    assert "others alike, for 1 of the rows: row 5\n" in str(made)
    assert str(made).endswith(
        "2 classes break what is asked of their values: rows 3, 4, 5"
    )
    told = made.to_dict()
    assert (told["below_rows"], told["failing_rows"]) == ([5], [3, 4, 5])


def test_columns_are_all_that_no_wish_names():
    made = atleastk.check_table(ROWS, household="home", sensitive="ill")
    assert made.names == ["age"]
    assert made.holds


def test_thresholds_of_risk_are_judged():
    held = atleastk.check_table(ROWS, columns=["age"], mean_risk="60%")
    assert held.holds
    assert not atleastk.check_table(ROWS, columns=["age"], mean_risk=0.5).holds


def test_wishes_that_say_nothing_of_a_table_are_refused():
    with pytest.raises(
        InvalidInstanceError, match=r"^weights: says nothing of a table"
    ):
        atleastk.check_table(ROWS, 2, weights={"age": 2})


def test_a_table_at_a_path_is_counted_where_it_is(tmp_path):
    rows = [["31", "f", "a"]] * 2 + [["42", "m", "b"]] * 3
    for name, some in {"first": rows[:2], "both": rows}.items():
        (tmp_path / name).mkdir()
        lines = ["age,sex,id", *(",".join(row) for row in some), ""]
        (tmp_path / name / "1.csv").write_text("\n".join(lines))
    one = tmp_path / "both" / "1.csv"
    asked = {"columns": ["age", "sex"], "earlier": tmp_path / "first" / "1.csv"}
    here = atleastk.check_table(one, 2, **asked, household="id")
    there = atleastk.check_table(tmp_path / "both", 2, **asked, household="id")
    assert (here.growth, here.thresholds) == (there.growth, there.thresholds)
    assert (here.holds, there.holds) == (False, False)
    assert atleastk.check_table(str(one), 2, engine="duckdb", **asked).holds
    assert atleastk.check_table(str(one), 2, sensitive="id", l=1).holds
    with pytest.raises(InvalidInstanceError, match="nor sensitive columns"):
        atleastk.check_table(one, 2, engine="duckdb", sensitive="id")
    with pytest.raises(InvalidInstanceError, match="takes the path of a table"):
        atleastk.check_table(rows, 2, engine="duckdb")
    with pytest.raises(InvalidInstanceError, match=r"^earlier: expected a path"):
        atleastk.check_table(one, 2, engine="duckdb", earlier=rows)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_missing_and_empty_cells_differ_where_a_release_has_both(tmp_path, engine):
    before = ["", "", None, None]
    for name, cells in {"now": [*before, "", None], "then": before, "no": []}.items():
        table = pyarrow.table({"a": pyarrow.array(cells, "string")})
        pyarrow.parquet.write_table(table, tmp_path / f"{name}.parquet")
    now, then, no = (tmp_path / f"{name}.parquet" for name in ("now", "then", "no"))
    made = atleastk.check_table(now, 2, engine=engine, earlier=then)
    assert (made.growth.least, made.holds) == (1, False)
    assert atleastk.check_table(now, 2, engine=engine, earlier=no).holds
