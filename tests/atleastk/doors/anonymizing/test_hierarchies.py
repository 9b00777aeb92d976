import json
import random
import re
from collections import Counter

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from tables import drawn_rows, of_columns, rows_of

import atleastk
from atleastk import Hierarchy, InvalidInstanceError, anonymize
from atleastk.doors.anonymizing import hierarchies as making
from atleastk.doors.anonymizing.hierarchies import at_levels
from atleastk.frames.frame import Column
from atleastk.instances.generalization import Generalization

AGE = [
    [str(x), f"{x // 10 * 10}s", "young" if x < 40 else "old", "?"]
    for x in range(20, 70)
]
TOWN = [[f"130{x}", "130*", "*"] for x in (53, 54, 67, 68)]
NAMES = ("age", "town", "sex")
HIERARCHIES = {"age": AGE, "town": TOWN}


def people(seed, n=6):
    towns = ["13053", "13054", "13067"]
    cells = {"age": [23, 25, 34, 47], "town": towns, "sex": "mf", "note": int}
    return drawn_rows(random.Random(seed), n, **cells)


def chain_of(name, value):
    chains = {"age": AGE, "town": TOWN, "sex": [["m", "*"], ["f", "*"]]}[name]
    return next(chain for chain in chains if chain[0] == str(value))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("on", ["attributes", "entries"])
@pytest.mark.parametrize("loss", ["height", "precision"])
def test_what_is_published_are_labels(seed, on, loss):
    rows = people(seed)
    wish = {"hierarchies": HIERARCHIES, "on": on, "loss": loss}
    made = anonymize(rows, 2, NAMES, **wish)
    assert atleastk.check(made.instance, made.result).feasible
    part = made.report.generality
    lost = 0.0
    for i, (old, new) in enumerate(zip(rows, made.frame, strict=True)):
        assert new["note"] == old["note"]
        for j, name in enumerate(NAMES):
            chain, level = chain_of(name, old[name]), made.levels[i, j]
            assert str(new[name]) == chain[level]
            assert made.suppressed[i, j] == (level == len(chain) - 1)
            lost += level / (len(chain) - 1)
    classes = Counter(tuple(row[name] for name in NAMES) for row in made.frame)
    assert min(classes.values()) >= 2
    assert part.precision == pytest.approx(1 - lost / 18)
    assert part.discernibility == sum(size**2 for size in classes.values())
    assert part.class_size == 6 / (len(classes) * 2)
    counts = {name: Counter(made.levels[:, j]) for j, name in enumerate(NAMES)}
    for name, cells in part.cells.items():
        assert dict(enumerate(cells)) == {
            level: counts[name][level] for level in range(part.heights[name] + 1)
        }
    chosen = made.levels[:1] if on == "attributes" else made.levels
    assert part.height == chosen.sum()
    if on == "attributes":
        assert (made.levels == made.levels[0]).all()
    proved = {"height": part.height, "precision": part.precision}[loss]
    assert part.bound == pytest.approx(proved)


@pytest.mark.parametrize("loss", ["discernibility", "average-class-size"])
def test_losses_of_the_lattice_are_proved_in_their_own_terms(loss):
    wish = {"hierarchies": HIERARCHIES, "loss": loss}
    made = anonymize(people(1), 2, NAMES, **wish)
    part = made.report.generality
    found = {
        "discernibility": part.discernibility,
        "average-class-size": part.class_size,
    }
    # The stand-in for a solver looks at the levels that groupings need only.
    assert part.bound <= found[loss]
    assert loss in str(made)
    assert "at least" in str(made)


def test_columns_without_hierarchies_are_suppressed():
    rows = people(2)
    by_cell = anonymize(rows, 2, NAMES, on="entries")
    assert by_cell.result.cost == anonymize(rows, 2, NAMES).result.cost
    assert {row["sex"] for row in by_cell.frame} <= {"m", "f", "*"}
    assert {row["age"] for row in by_cell.frame} <= {23, 25, 34, 47, None}
    whole = anonymize(rows, 2, NAMES, on="attributes")
    for name in NAMES:
        assert len({row[name] in ("*", None) for row in whole.frame}) == 1
    assert whole.report.generality.now_text == ()


@pytest.mark.parametrize(
    ("wrap", "kind"),
    [
        (pandas.DataFrame, lambda f: pandas.api.types.is_string_dtype(f["age"].dtype)),
        (polars.DataFrame, lambda f: f["age"].dtype == polars.String),
        (pyarrow.Table.from_pylist, lambda t: t.schema.field("age").type == "string"),
        (list, lambda rows: all(isinstance(row["age"], str) for row in rows)),
    ],
    ids=["pandas", "polars", "pyarrow", "rows"],
)
def test_columns_of_other_types_become_text(wrap, kind):
    towns = ["13053", "13053"]
    table = wrap(of_columns(age=[23, 25], town=towns, size=[1, 1], day=[1, 2]))
    hierarchies = {**HIERARCHIES, "size": [[1, "small"]]}
    made = anonymize(table, 2, hierarchies=hierarchies)
    assert kind(made.frame)
    assert rows_of(made.frame) == [("20s", "13053", 1, None)] * 2
    assert made.report.generality.now_text == ("age",)
    assert "  now text    age\n" in str(made)


def test_missing_values_are_found_at_the_empty_text():
    frame = pandas.DataFrame({"x": [1.0, None, 2.0, 1.0, None, 3.0]})
    hierarchy = [["", "none", "*"], ["1", "low", "*"], ["2", "high", "*"]]
    with pytest.raises(InvalidInstanceError, match='"3" in row 6 has no line'):
        anonymize(frame, 2, hierarchies={"x": hierarchy}, on="entries")
    hierarchy.append(["3", "high", "*"])
    made = anonymize(frame, 2, hierarchies={"x": hierarchy}, on="entries")
    told = [None if pandas.isna(cell) else cell for cell in made.frame["x"]]
    assert told == ["1", None, "high", "1", None, "high"]
    made = anonymize(frame, 3, hierarchies={"x": hierarchy})
    assert set(made.frame["x"]) == {"*"}
    told = "the missing value, an empty text, in row 2"
    with pytest.raises(InvalidInstanceError, match=told):
        anonymize(frame, 2, hierarchies={"x": hierarchy[1:]})


@pytest.mark.parametrize("wrap", [pandas.DataFrame, polars.DataFrame])
def test_text_and_categories(wrap):
    frame = wrap({"x": ["a", "b"], "y": ["a", "b"], "z": [1, 2]})
    if wrap is pandas.DataFrame:
        frame = frame.astype({"x": "category", "y": "string"})
    else:
        frame = frame.with_columns(polars.col("x").cast(polars.Categorical))
    letters = [["a", "letter"], ["b", "letter"]]
    made = anonymize(frame, 2, ["x", "y"], hierarchies={"x": letters, "y": letters})
    assert list(made.frame["x"]) == list(made.frame["y"]) == ["letter"] * 2
    assert made.frame["y"].dtype == frame["y"].dtype
    assert made.frame["z"].dtype == frame["z"].dtype
    assert made.report.generality.now_text == ("x",)


def test_hierarchies_come_from_files_lists_and_objects(tmp_path):
    path = tmp_path / "age.csv"
    path.write_text("".join(";".join(chain) + "\n" for chain in AGE))
    given = [path, str(path), AGE, Hierarchy(AGE)]
    made = [anonymize(people(1), 3, NAMES, hierarchies={"age": h}) for h in given]
    assert len({m.instance.sha256 for m in made}) == 1
    assert isinstance(made[0].instance, Generalization)


@pytest.mark.parametrize(
    "given",
    [
        {int(age): labels for age, *labels in AGE},
        {float(age): tuple(labels) for age, *labels in AGE},
        [
            {age: decade for age, decade, *_ in AGE},
            {decade: kind for _, decade, kind, _ in AGE},
            {"young": "?", "old": "?"},
        ],
        pandas.DataFrame([[int(age), *labels] for age, *labels in AGE * 2]),
        polars.DataFrame(AGE, orient="row"),
        pyarrow.table({str(j): [chain[j] for chain in AGE] for j in range(4)}),
        lambda age: [f"{age // 10 * 10}s", "young" if age < 40 else "old", "?"],
    ],
    ids=["dict", "floats", "dicts", "pandas", "polars", "pyarrow", "function"],
)
def test_what_says_the_labels_of_a_value(given):
    made = anonymize(people(1), 3, NAMES, hierarchies={"age": given})
    wanted = anonymize(people(1), 3, NAMES, hierarchies={"age": AGE})
    assert made.instance == wanted.instance
    assert made.report.generality.hierarchies["age"] == "given"


def test_the_top_is_added_where_the_last_labels_differ():
    made = anonymize(people(1), 3, ["age"], hierarchies={"age": lambda x: x // 10 * 10})
    chains = made.request.hierarchies["age"].hierarchy.chains
    assert {chain[1:] for chain in chains} == {("20", "*"), ("30", "*"), ("40", "*")}
    one = {age: "any" for age, *_ in AGE}
    made = anonymize(people(1), 3, ["age"], hierarchies={"age": one})
    assert made.instance.heights == (1,)


def test_automatic_hierarchies():
    born = [f"199{i}-0{1 + i}-11" for i in range(8)]
    zips = [f"1305{i % 3}" for i in range(8)]
    rows = of_columns(age=range(20, 76, 7), zip=zips, born=born, x="ab" * 4)
    told = {
        "age": "bands:10,20,40 (auto: numbers)",
        "zip": "prefix (auto: 5 digits each)",
        "born": "dates (auto: dates, as 1990-01-11)",
        "x": "suppression (auto: neither numbers nor dates nor codes)",
    }
    instances = []
    for table in (rows, pandas.DataFrame(rows), polars.DataFrame(rows)):
        made = anonymize(table, 2, hierarchies="auto")
        assert made.report.generality.hierarchies == told
        instances.append(made.instance)
        assert "of 4  bands:10,20,40 (auto: numbers)\n" in str(made)
    assert instances[0] == instances[1] == instances[2]
    one = dict.fromkeys(told, "auto") | {"age": "bands:10+top:60"}
    made = anonymize(rows, 2, hierarchies=one, on="entries")
    assert made.report.generality.hierarchies == {**told, "age": "bands:10+top:60"}
    assert {row["x"] for row in made.frame} <= {"a", "b", "*"}
    again = anonymize(rows, 2, hierarchies=made.request.hierarchies, on="entries")
    assert again.instance == made.instance


@pytest.mark.parametrize("wrap", [pandas.DataFrame, polars.DataFrame])
def test_by_rules_missing_values_stay_missing_up_to_the_top(wrap):
    frame = wrap({"x": [1.0, None, 12.0, 1.0, None, 13.0]})
    for given in ("bands:10", lambda x: f"{int(x) // 10}0s"):
        made = anonymize(frame, 2, hierarchies={"x": given}, on="entries")
        told = [None if pandas.isna(cell) else cell for cell in made.frame["x"]]
        assert told[:2] == told[3:5] == ["1", None]
        assert told[2] == told[5] in ("10-19", "10s")
        assert made.instance.heights == (2,)
        assert set(anonymize(frame, 6, hierarchies={"x": given}).frame["x"]) == {"*"}
    for empty in ([None] * 3, [float("nan")] * 3, []):
        made = anonymize(wrap({"x": empty}), 2, hierarchies="auto")
        told = made.report.generality.hierarchies
        assert told == {"x": "suppression (auto: no value)"}


@pytest.mark.parametrize("wrap", [pandas.DataFrame, polars.DataFrame])
def test_markers_of_missing_values_are_values_of_their_own(wrap):
    """One NA among ages suppressed the column; so do rules that are given."""
    frame = wrap({"age": ["30", "31", "NA", "38", "39", "NA"]})
    for given in ("auto", "bands:2,4", "bands:2+top:38", "quantiles:2", "round:10"):
        made = anonymize(frame, 2, hierarchies={"age": given}, on="entries")
        cells = list(made.frame["age"])
        assert cells.count("NA") == 2
        assert "*" not in cells


def test_decimal_commas_are_told_with_commas():
    frame = [{"x": text} for text in ("3,5", "3,75", "12,25", "12")]
    made = anonymize(frame, 2, hierarchies={"x": "bands:1"}, on="entries")
    assert [row["x"] for row in made.frame] == ["[3; 4)"] * 2 + ["[12; 13)"] * 2


def test_notes_of_files_are_in_the_report(tmp_path):
    path = tmp_path / "h.csv"
    path.write_text("value;group\n31;young\n31;young\n72;old\n73;old\n")
    frame = [{"age": age} for age in (31, 31, 72, 72)]
    made = anonymize(frame, 2, hierarchies={"age": path})
    assert made.report.warnings == (
        f"{path}:3: line 2 once more",
        f'{path}:2: ends in "young", line 1 in "group": * is added as the top',
        f'{path}: "value" of its first line is no value of the column; if it is a '
        "header, delete it",
    )
    assert made.instance.heights == (2,)
    assert str(made).count("\n  warning     ") == 3
    assert made.report.to_dict()["warnings"] == made.report.warnings
    path.write_text("31;young;*\n72;old;*\n")
    assert anonymize(frame, 2, hierarchies={"age": path}).report.warnings == ()


def test_columns_without_a_rule_keep_their_type():
    frame = pandas.DataFrame({"x": [0, 1], "y": ["a", "b"]})
    made = anonymize(frame, 2, hierarchies="auto", marker="-")
    assert list(made.frame["y"]) == ["-", "-"]
    assert made.frame["x"].isna().all()
    assert made.report.generality.now_text == ()


def test_folders_of_files(tmp_path):
    (tmp_path / "age.csv").write_text("".join(";".join(c) + "\n" for c in AGE))
    made = anonymize(people(1), 3, NAMES, hierarchies=tmp_path)
    assert made.instance.heights == (3, 1, 1)
    assert made.report.generality.hierarchies == {
        "age": str(tmp_path / "age.csv"),
        "town": "suppression",
        "sex": "suppression",
    }


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("bands", 'hierarchy of "note": row 2: "x" is no number'),
        ("dates", 'hierarchy of "note": row 1: "12" is no date in ISO 8601'),
        ("bands:5,x", 'hierarchy of "note": rule "bands:5,x": "x" is no number'),
        ({"x": "a"}, 'column "note": "12" in row 1 has no line in its hierarchy'),
        ({"12": "a", "x": ["a", "b"]}, '"x" has 2 labels, expected 1 as "12" has'),
        (
            [{"12": "a", "x": "b"}, {"a": "c"}],
            r'\[1\]: has no label for "b" of the lev',
        ),
        (int, 'row 2: the function fails at "x": ValueError: invalid literal'),
        (7, 'hierarchy of "note": expected a rule, a file, .* a function, got int'),
        (pandas.DataFrame({"a": ["12"]}), '"x" in row 2 has no line in its hierarchy'),
        ("no.csv", r"no\.csv: no such file"),
        ("prefx", 'prefx is neither a file nor a rule; did you mean "prefix"'),
        ("band:5", 'did you mean "bands"[?] rules are auto, bands, quantiles, round'),
    ],
)
def test_values_that_do_not_fit_are_told_with_their_row(given, told):
    with pytest.raises(InvalidInstanceError, match=told) as caught:
        anonymize([{"note": "12"}, {"note": "x"}], 2, hierarchies={"note": given})
    assert "\n" not in str(caught.value)


def test_the_marker_may_be_a_label():
    rows = [("*", "a"), ("?", "b")]
    top = [["*", "all"], ["?", "all"]]
    assert anonymize(rows, 2, hierarchies={0: top}).frame == [("all", "*")] * 2
    with pytest.raises(InvalidInstanceError, match='column "0" holds the marker'):
        anonymize(rows, 2, on="entries")


def test_the_report_of_no_table():
    made = anonymize(people(1), 7, NAMES, hierarchies=HIERARCHIES)
    assert (made.frame, made.levels) == (None, None)
    assert "no table of 6 rows is 7-anonymous" in str(made)
    part = json.loads(json.dumps(made.report.to_dict()))["generality"]
    assert part["precision"] is None


def test_missing_values_and_empty_texts_of_one_label_look_alike():
    table = pyarrow.table({"zip": [None, "", "1234", "1235"]})
    chains = [["", "", "*"], ["1234", "12", "*"], ["1235", "12", "*"]]
    made = atleastk.anonymize(table, 2, hierarchies={"zip": chains})
    assert made.frame.column("zip").to_pylist() == [None, None, "12", "12"]


def test_a_column_that_is_hidden_for_its_missing_values_is_told():
    rows = [("11101", "f"), ("11102", "f"), (None, "m"), ("11201", "m")]
    rows += [("11202", "f"), ("11203", "m"), ("11301", "m"), ("11302", "f")]
    made = anonymize(rows, 2, hierarchies="auto")
    lines = str(made.report).splitlines()
    assert "  missing     fill or drop 1 missing value of 0 to hide less" in lines
    assert '  WARNING     nothing is left of column "0":' in lines
    few = anonymize(rows, 3, hierarchies="auto", suppress_rows=2)
    assert "2 allowed, fewer than the 3 of a class of them" in str(few.report)


LACKING = {
    1: '"1305" in row 2 has no line in {}; add one, as 1305;LABEL;*',
    3: '"1305" in row 2, "1306" in row 3, "" in row 4 have no line in {}; add one for '
    "each, as 1305;LABEL;*",
    5: '"1305" in row 2, "1306" in row 3, "" in row 4 and 2 more have no line in {}; '
    "add one for each, as 1305;LABEL;*",
}


@pytest.mark.parametrize("lacking", LACKING)
def test_values_without_a_line_are_told_with_what_to_add(tmp_path, lacking):
    path = tmp_path / "zip.csv"
    path.write_text("1304;13;*\n")
    values = ["1304", *["1305", "1306", "", "1307", "1308"][:lacking], "1304"]
    told = f'column "zip": {LACKING[lacking].format(path)}'
    with pytest.raises(InvalidInstanceError, match=re.escape(told)):
        anonymize([{"zip": v} for v in values], 2, hierarchies={"zip": path})


@pytest.mark.parametrize("on", ["attributes", "entries"])
@pytest.mark.parametrize("marker", ["*", "hidden", ""])
def test_one_mark_hides_whatever_is_hidden(on, marker):
    """Rules of every kind, and a column without one."""
    rules = {"zip": "prefix", "age": "bands:20", "code": "prefix:.", "day": "dates"}
    days = [f"{1960 + 20 * i}-01-0{1 + i}" for i in range(4)]
    cells = {"zip": ["10000", "30000", "50000", "70000"], "age": range(0, 28, 7)}
    cells |= {"code": ["A.0", "B.1", "A.2", "B.3"], "day": days, "sex": "fmfm"}
    rows = of_columns(**cells)
    made = anonymize(rows, 4, hierarchies=rules, on=on, marker=marker)
    assert made.frame == [dict.fromkeys(rows[0], marker)] * 4
    assert set(made.report.use.columns["zip"].distinct) == {4, 1}


def test_rows_that_are_suppressed_hold_the_mark():
    rows = of_columns(zip="1124", sex="ffmm", ill="abcd")
    how = {"hierarchies": {"zip": "prefix"}, "suppress_rows": 2, "marker": "?"}
    made = anonymize(rows, 2, ["zip", "sex"], **how)
    hidden = [row for row in made.frame if row["zip"] == "?"]
    assert hidden == [{"zip": "?", "sex": "?", "ill": ill} for ill in "cd"]


def test_recoded_to_the_top_is_the_mark():
    rows = [{"zip": "13053", "sex": "f"}, {"zip": "13068", "sex": "f"}]
    how = {"recode": {"zip": ("prefix", 5)}, "marker": "-"}
    assert anonymize(rows, 2, ["sex"], **how).frame[0]["zip"] == "-"


def test_a_mark_that_a_rule_has_below_its_top_is_an_error():
    rows = [{"zip": "1?"}, {"zip": "10"}]
    how = {"hierarchies": {"zip": "prefix"}}
    told = r'hierarchy of "zip": prefix has the marker "1\*" below its top already'
    with pytest.raises(InvalidInstanceError, match=told):
        anonymize(rows, 2, **how, marker="1*")
    assert anonymize(rows, 2, **how, marker="?").frame == [{"zip": "1*"}] * 2


def test_the_top_of_a_file_is_published_as_it_is_there(tmp_path):
    (tmp_path / "zip.csv").write_text("10;***\n20;***\n")
    rows = [{"zip": "10"}, {"zip": "20"}]
    how = {"hierarchies": {"zip": tmp_path / "zip.csv"}, "marker": "?"}
    assert anonymize(rows, 2, **how).frame == [{"zip": "***"}] * 2


def test_a_column_without_rows_has_no_texts_at_any_level():
    nothing = np.empty(0, dtype=np.int32)
    assert not at_levels(Column(nothing, [], text=True), [], nothing).values


def test_many_hierarchies_are_made_in_time(monkeypatch):
    """Few are made whatever the time: a run has an answer at any limit."""
    table = [[i, i % 3] for i in range(9)]
    wish = {"k": 2, "hierarchies": "auto", "time_limit": 1e-9}
    assert anonymize(table, **wish).frame is not None
    monkeypatch.setattr(making, "_FEW", 11)
    words = (
        r"^hierarchies: the time is up before those of 12 different values are made; "
        r"raise time_limit, or leave out columns such as 0, with 9 of them$"
    )
    with pytest.raises(InvalidInstanceError, match=words):
        anonymize(table, **wish)
    assert anonymize(table, **{**wish, "hierarchies": {0: "bands:3"}}).frame is not None
    assert anonymize(table, **{**wish, "time_limit": None}).frame is not None
    assert anonymize(table, **{**wish, "time_limit": 60}).frame is not None
    making_fails = {**wish, "time_limit": 60, "hierarchies": "bands:2,3"}
    with pytest.raises(InvalidInstanceError, match="each to divide the next"):
        anonymize(table, **making_fails)
