import csv
import json
from pathlib import Path

import pytest

from atleastk import Result, load

PEOPLE = """age,zip,sex,rank,note
31,13053,f,1,a
42,13053,m,1,b
42,13068,f,2,c
31,13053,f,2,d
42,13068,f,2,e
31,13068,m,10,f
"""
AGE = "31;30-39;*\n42;40-49;*\n"
NAMES = ["age", "zip", "sex"]


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "age.csv").write_text(AGE)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "data_hierarchy_age.csv").write_text(AGE)
    zips = "13053;1305*;*\n13068;1306*;*\n"
    (tmp_path / "folder" / "zip.csv").write_text(zips)
    return ["anonymize", "people.csv", "--columns", "age,zip,sex"]


def rows():
    with Path("out.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_limits_on_the_command_line(run, table):
    words = (
        *("--max-rows", 6, "--max-columns", 3, "--max-entries", 8, "--max-per-row", 2),
        *("--max-per-column", 4, "--column-order", "sex > age, zip", "-o", "out.csv"),
        *("--result", "r.json", "--instance", "i.json", "--json"),
    )
    code, told, err = run(*table, "-k", 2, *words)
    assert (code, err) == (0, "")
    part = json.loads(told)["quantities"]
    assert part["limits"] == {
        "rows": 6,
        "columns": 3,
        "entries": 8,
        "per_row": 2,
        "per_column": 4,
    }
    stars = {name: sum(row[name] == "*" for row in rows()) for name in NAMES}
    assert stars["sex"] <= min(stars["age"], stars["zip"])
    assert sum(stars.values()) == part["measures"]["entries"] <= 8
    assert run("check", "i.json", "r.json")[0] == 0
    result = Result.from_dict(json.loads(Path("r.json").read_text()))
    assert len(result.solution.suppressed) == sum(stars.values())


def test_intact_columns_and_ranks(run, table):
    words = ("--row-order", "rank", "--drop-unlisted", "-o", "out.csv")
    assert run(*table, "-k", 2, *words, "--instance", "i.json")[0] == 0
    assert list(rows()[0]) == NAMES
    assert load("i.json").row_order == ((0, 1), (2, 3, 4), (5,))
    order = ("--row-order", "note: a,b > f > c, d,e", "--instance", "i.json")
    run(*table, "-k", 2, *order)
    assert load("i.json").row_order == ((0, 1), (5,), (2, 3, 4))
    assert run(*table, "-k", 2, "--intact", "zip", "-o", "out.csv")[0] == 0
    assert all(row["zip"] != "*" for row in rows())


def test_k_may_be_maximised(run, table):
    code, told, _ = run(*table, "--minimise", "k", "--max-entries", 10)
    assert code == 0
    assert told.startswith("k = ")
    assert "  at most     k = " in told
    assert (
        run(*table, "--problem", "e-MAX-k-SUP", "--max-entries", 10)[1][:5] == told[:5]
    )


@pytest.mark.parametrize(
    "word",
    ["rows", "columns", "per-row", "per-column", "per_column", "none", "nothing"],
)
def test_what_to_minimise(run, table, word):
    code, told, _ = run(*table, "-k", 3, "--minimise", word)
    assert code == 0
    assert ("minimised" in told) == (word not in ("none", "nothing"))


def test_other_words_mean_the_same(run, table):
    usual = ["--minimise", "entries", "--max-entries", "9", "--column-order", "sex>zip"]
    other = ["--minimize", "cells", "--max-cells", "9", "--importance", "sex>zip"]
    instance = ("--instance", "i.json")
    assert run(*table, "-k", 2, *usual, *instance)[0] == 0
    asked = load("i.json")
    assert run("anonymise", *table[1:], "-k", 2, *other, *instance)[::2] == (0, "")
    assert load("i.json") == asked
    told = run("anonymize", "--help-all")[1]
    assert "--minimise" in told
    assert "--minimize" not in told


def test_several_k_are_compared_by_what_was_minimised(run, table):
    _, told, _ = run(*table, "-k", "2,3", "--minimise", "rows")
    assert " rows " in told
    _, told, _ = run(*table, "-k", "2,3", "--max-rows", 6)
    assert " rows " not in told
    code, told, _ = run(*table, "-k", "2,3", "--hierarchy", "age=age.csv")
    assert (code, " height " in told) == (0, True)


def test_infeasible_limits_exit_with_1(run, table, monkeypatch):
    told = ("rows: 0 -> 5 is enough",)
    monkeypatch.setattr(
        "atleastk.doors.anonymizing.anonymize.relaxed_limits",
        lambda _i, outcome, _b: (told, outcome),
    )
    code, shown, err = run(*table, "-k", 2, "--max-rows", 0, "-o", "out.csv")
    assert (code, err) == (1, "")
    assert "  relax       rows: 0 -> 5 is enough\n" in shown
    assert "  written     nothing\n" in shown


def test_hierarchies_on_the_command_line(run, table):
    wish = ("--hierarchy", "age=age.csv", "--hierarchies", "folder")
    code, told, _ = run(*table, "-k", 2, *wish, "-o", "out.csv", "--on", "entries")
    assert code == 0
    assert {r["age"] for r in rows()} <= {"31", "42", "30-39", "40-49", "*"}
    assert {r["zip"] for r in rows()} <= {"13053", "13068", "1305*", "1306*", "*"}
    assert "  levels      age  " in told
    code, told, _ = run(*table, "-k", 2, *wish, "--loss", "discernibility", "--json")
    document = json.loads(told)
    assert document["generality"]["heights"] == {"age": 2, "zip": 2, "sex": 1}
    assert document["suppressed"] is None
    assert run("anonymize", "out.csv", "--check", "-k", 2, *table[2:])[0] == 0


def test_rows_may_be_suppressed_altogether(run, table):
    wish = ("--hierarchy", "age=age.csv", "--suppress-rows", "49%")
    code, told, _ = run(*table, "-k", 2, *wish, "--instance", "i.json")
    assert code == 0
    assert load("i.json").suppress_rows == 2
    assert "2 of 6 rows, 33.33%; at most 2 allowed" in told
    code, told, _ = run(*table, "-k", 2, *wish, "--json")
    assert json.loads(told)["generality"]["suppress_rows"] == 2


def test_rules_on_the_command_line(run, table):
    wish = ("--hierarchies", "auto", "--hierarchy", "age=bands:10,20+top:40")
    code, told, _ = run(*table, "-k", 2, *wish, "--json")
    assert code == 0
    sources = json.loads(told)["generality"]["hierarchies"]
    assert sources == {
        "age": "bands:10,20+top:40",
        "zip": "prefix (auto: 5 digits each)",
        "sex": "suppression (auto: neither numbers nor dates nor codes)",
    }
    _, told, _ = run(
        *table, "-k", 2, "--hierarchies", "folder", "--hierarchies", "zip=auto"
    )
    assert "of 2  folder/data_hierarchy_age.csv\n" in told
    assert "of 5  prefix (auto: 5 digits each)\n" in told


def test_files_of_a_folder_go_before_a_rule_in_any_order(run, table):
    """A rule that came last took the place of every file, without a word."""
    given = (("--hierarchies", "folder"), ("--hierarchies", "auto"))
    for first, second in (given, given[::-1]):
        code, told, _ = run(*table, "-k", 2, *first, *second, "--json")
        assert code == 0
        sources = json.loads(told)["generality"]["hierarchies"]
        assert sources["age"] == "folder/data_hierarchy_age.csv"
        assert sources["zip"] == "folder/zip.csv"
        assert sources["sex"].startswith("suppression (auto: ")


def test_two_hierarchies_of_one_column_are_refused(run, table, tmp_path):
    """Of two for all columns one would be ignored."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "age.csv").write_text(AGE)
    for more, told in [
        (("auto", "prefix"), "auto and prefix are both for all columns"),
        (
            ("folder", "other"),
            "folder/data_hierarchy_age.csv and other/age.csv are both of age",
        ),
    ]:
        words = [word for text in more for word in ("--hierarchies", text)]
        code, out, err = run(*table, "-k", 2, *words)
        assert (code, out) == (2, "")
        assert told in err


def test_an_edited_hierarchy_is_not_written_over(run, table, tmp_path):
    (tmp_path / "made").mkdir()
    words = (*table, "--hierarchies", "auto", "--write-hierarchies", "made")
    assert run(*words)[0] == 0
    edited = "31;thirties;*\n42;forties;*\n"
    for name in ("age", "zip"):
        (tmp_path / "made" / f"{name}.csv").unlink()
    (tmp_path / "made" / "sex.csv").write_text(edited)
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err == (
        "atleastk: error: made/sex.csv: holds another hierarchy than would be "
        "written; give --write-hierarchies another folder, or delete the file (to use "
        "it, give --hierarchies made)\n"
    )
    assert (tmp_path / "made" / "sex.csv").read_text() == edited
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["sex.csv"]


def test_notes_of_hierarchies_that_are_only_written(run, table, tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "twice.csv").write_text(AGE + AGE)
    words = ("--hierarchies", "age=twice.csv", "--write-hierarchies", "made")
    code, _, err = run(*table, *words)
    note = "twice.csv:3: line 1 once more, and 1 more such"
    assert (code, err) == (0, f"atleastk: {note}\n")


def test_hierarchies_are_written_and_read_again(run, table, tmp_path):
    (tmp_path / "made").mkdir()
    wish = ("--hierarchies", "auto", "--hierarchies", "age=bands:10+top:40")
    code, told, err = run(*table, *wish, "--write-hierarchies", "made")
    assert (code, err) == (0, "")
    assert told == (
        "made/age.csv: bands:10+top:40\nmade/zip.csv: prefix (auto: 5 digits each)\n"
        "made/sex.csv: suppression (auto: neither numbers nor dates nor codes)\n"
    )
    assert (tmp_path / "made" / "age.csv").read_text() == "31;30-39;*\n42;>=40;*\n"
    assert run(*table, "-k", 2, *wish, "--instance", "i.json")[0] == 0
    read = ("--hierarchies", "made", "--instance", "j.json")
    assert run(*table, "-k", 2, *read)[0] == 0
    assert load("i.json") == load("j.json")
    told = run(*table, *wish, "--write-hierarchies", "made", "--json")[1]
    assert json.loads(told)["made/zip.csv"] == "prefix (auto: 5 digits each)"
    words = ("-k", 3, *wish, "--write-hierarchies", "made", "-o", "out.csv")
    assert run(*table, *words)[0] == 0
    assert len(rows()) == 6


def test_written_hierarchies_have_a_line_for_everybody(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.csv").write_text("age\n31\n32\n")
    (tmp_path / "all.csv").write_text("age\n31\n32\n38\n50\n")
    table = ("anonymize", "few.csv", "--population", "all.csv")
    wish = ("--hierarchies", "bands:10", "--write-hierarchies", ".")
    assert run(*table, *wish)[0] == 0
    lines = (tmp_path / "age.csv").read_text().splitlines()
    assert lines == ["31;30-39;*", "32;30-39;*", "38;30-39;*", "50;50-59;*"]
    code, told, _ = run(*table, "-k", 2, "--hierarchies", "age=age.csv")
    assert code == 0
    assert "every row may be at least 3 of 4 persons" in told


def test_what_is_published_beside_hierarchies_is_none(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("age,ill\n31,a\n32,b\n31,c\n32,d\n")
    (tmp_path / "age.csv").write_text("31;30-39;*\n32;30-39;*\n")
    line = ("anonymize", "t.csv", "-k", 4, "--columns", "age", "--hierarchies", ".")
    for _ in range(2):
        code, _, err = run(*line, "-o", "out.csv")
        assert (code, err) == (0, "")
    assert (tmp_path / "out.csv").read_text().startswith("age,ill\n30-39,a\n")
    code, _, err = run(*line, "-o", "age.csv")
    assert (code, "age.csv: is a hierarchy" in err) == (2, True)


def test_what_hierarchies_are_not_written_over(run, table, tmp_path):
    (tmp_path / "empty").mkdir()
    words = ("--hierarchies", "auto", "--write-hierarchies")
    for more, told in [
        (("nowhere",), "nowhere/age.csv: cannot be written: no such directory"),
        (("folder", "--hierarchies", "folder"), "folder/zip.csv: is a hierarchy"),
        ((".", "-k", 2, "--report", "age.csv"), "age.csv: cannot be written: a report"),
        ((".", "-o", "zip.csv", "-k", 2), "zip.csv: is another output already"),
        ((".", "-o", "zip.csv"), "zip.csv: is another output already"),
        (("folder",), "folder/zip.csv: holds another hierarchy than would be written"),
        (("empty", "-o", "out.csv"), "anonymize needs -k"),
    ]:
        code, out, err = run(*table, *words, *more)
        assert (code, out) == (2, "")
        assert told in err
    code, _, err = run(*table, "-k", 2, "--write-hierarchies", "folder")
    assert code == 2
    assert "--write-hierarchies needs hierarchies, as of --hierarchies auto" in err
    (tmp_path / "slash.csv").write_text("a/b\n1\n2\n")
    code, _, err = run("anonymize", "slash.csv", *words, "folder")
    assert code == 2
    assert 'column "a/b" cannot be the name of a file in folder' in err


def test_ambiguity_on_the_command_line(run, table):
    code, told, _ = run(*table, "-k", 3, "--ambiguous", "-o", "out.csv")
    assert code == 0
    assert "every row matches at least" in told
    checked = ("anonymize", "out.csv", "--check", "-k", 3, "--wildcard", *table[2:])
    assert run(*checked)[0] == 0


def test_several_k_of_ambiguity_come_with_the_risk_of_equal_rows(run, tmp_path):
    (tmp_path / "four.csv").write_text("x,y\na,1\nb,2\nc,3\nd,4\n")
    words = ("anonymize", tmp_path / "four.csv", "-k", "2,3")
    code, told, _ = run(*words, "--ambiguous")
    assert code == 0
    assert "risk" in told
    assert told.count("100.00%") == 2
    assert "risk" not in run(*words)[1]


def test_names_may_hold_what_words_mean(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text('"a,b","c>d",e=f,g:h\nx,1,u,1\nx,2,v,2\n')
    (tmp_path / "h.csv").write_text("u;*\nv;*\n")
    words = ("anonymize", "t.csv", "-k", 2)
    order = '"a,b" > "c>d", e=f,g:h'
    assert run(*words, "--column-order", order, "--instance", "i.json")[0] == 0
    assert load("i.json").column_order == ((0,), (1, 2, 3))
    assert run(*words, "--hierarchy", "e=f=h.csv")[0] == 0
    assert run(*words, "--row-order", "g:h", "--instance", "i.json")[0] == 0
    assert load("i.json").row_order == ((0,), (1,))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("-k 2 --intact agee", 'did you mean "age"?'),
        ("-k 2 --column-order age>zip,age", '"age" is named twice'),
        ("-k 2 --column-order age,zip,sex", "expected two classes or more"),
        ("-k 2 --row-order note", 'holds "a"; expected numbers'),
        ("-k 2 --row-order size", 'no column is called "size"'),
        ("-k 2 --row-order sex:f", 'column "sex": "m" is left out'),
        ("-k 2 --max-rows -1", "expected an integer of at least 0"),
        ("-k 2 --max-entries few", 'expected an integer of at least 0, got "few"'),
        (
            "-k 2 --minimise money",
            "--minimise: expected one of rows, columns, entries,",
        ),
        ("-k 2 --problem r-MIN-e-SP", 'did you mean "r-MIN-e-SUP"'),
        ("-k 2 --problem r-MIN-e-SUP", "r-MIN-e-SUP needs a limit of rows; give one"),
        ("-k 2 --deletion", "rows or columns must be limited or minimised"),
        ("--max-rows 3", "anonymize needs -k"),
        ("-k 2,3 --minimise k", "a maximised k takes one -k"),
        ("-k 2,3 --minimise rows --plot x.png", "--plot of several k"),
        ("-k 2 --hierarchies age", "hierarchies: age is neither a folder nor a rule"),
        ("-k 2 --hierarchies prefx", 'a folder nor a rule; did you mean "prefix"? rul'),
        ("-k 2 --hierarchy age=", "expected NAME=FILE or NAME=RULE"),
        ("-k 2 --hierarchies sex=bands", 'hierarchy of "sex": row 1: "f" is no number'),
        ("--check --hierarchies auto", "leave out --hierarchies"),
        ("--check --write-hierarchies .", "leave out --write-hierarchies"),
        ("-k 2 --hierarchy note=age.csv", '"note" is not among the columns'),
        ("-k 2 --hierarchy age=age.csv --hierarchy age=age.csv", '"age" twice'),
        ("-k 2 --hierarchy zip=age.csv", 'column "zip": "13053" in row 1, "13068" in'),
        ("-k 2 --hierarchies nowhere", "nowhere is neither a folder nor a rule"),
        ("-k 2 --hierarchies /", "/: has no NAME.csv of a column to anonymise"),
        ("-k 2 --suppress-rows some", "--suppress-rows: expected a number of rows, or"),
        (
            "-k 2 --suppress-rows 1 --max-rows 2",
            "--max-rows is for suppressing cells, --suppress-rows for",
        ),
        (
            "-k 2 --max-rows 2 --hierarchies auto",
            "--max-rows is for suppressing cells, --hierarchies for generalising them,",
        ),
        ("--check --suppress-rows 5%", "leave out --suppress-rows"),
        (
            "-k 2 --on entries --max-rows 2 --max-columns 1",
            "--max-rows, --max-columns is for suppressing cells, --on for",
        ),
        ("-k 2 --ambiguous --max-rows 2", "--ambiguous and --max-rows cannot both be"),
        (
            "-k 2 --k-map 2 --hierarchies auto",
            "--k-map: of which population? give --po",
        ),
        ("-k 2 --weight note=2", '--weight: "note" is not among the columns'),
        ("--check --max-entries 2", "leave out --max-entries"),
        ("--check --deletion", "leave out --deletion"),
        ("--check --ambiguous", "leave out --ambiguous"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(run, table, words, told):
    code, out, err = run(*table, *words.split())
    assert (code, out) == (2, "")
    assert err.startswith("atleastk: error: ")
    assert err.count("\n") == 1
    assert told in err


def test_two_files_of_one_hierarchy(run, table, tmp_path):
    (tmp_path / "folder" / "other_age.csv").write_text(AGE)
    code, _, err = run(*table, "-k", 2, "--hierarchies", "folder")
    assert code == 2
    assert "data_hierarchy_age.csv and other_age.csv are both of age" in err


def test_weights_on_the_command_line(run, table):
    words = ("--weight", "age=3", "--weight", "zip=2", "-o", "out.csv", "--json")
    files = ("--result", "r.json", "--instance", "i.json")
    code, told, err = run(*table, "-k", 2, *words, *files)
    assert (code, err) == (0, "")
    report = json.loads(told)
    stars = {name: sum(row[name] == "*" for row in rows()) for name in NAMES}
    assert report["suppressed"] == sum(stars.values())
    assert report["cost"] == 3 * stars["age"] + 2 * stars["zip"] + stars["sex"]
    assert report["weighting"]["columns"] == {"age": 3, "zip": 2, "sex": 1}
    assert run("check", "i.json", "r.json")[0] == 0
    told = run(*table, "-k", "2,3", "--weight", "age=3")[1]
    assert "cost" in told.splitlines()[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("age",), "--weight age: expected NAME=W"),
        (("age=x",), '--weight age: expected an integer, got "x"'),
        (("age=0",), "--weight age: expected an integer of at least 1, got 0"),
        (("age=2", "--weight", "age=3"), '--weight: "age" twice'),
        (("age=1000000000",), "above 1000000000; take smaller weights\n"),
        (
            ("age=1000000000", "--hierarchies", "auto", "--loss", "precision"),
            "take smaller weights, or the loss height\n",
        ),
        (
            ("age=2", "--minimise", "rows"),
            "--minimise and --weight cannot both be had",
        ),
    ],
)
def test_weights_that_are_refused(run, table, words, message):
    code, _, err = run(*table, "-k", 2, "--weight", *words)
    assert code == 2
    assert message in err


def test_persons_and_population_on_the_command_line(run, table):
    lines = PEOPLE.splitlines()
    texts = [f"{line},{'w' if i == 0 else i / 4}" for i, line in enumerate(lines)]
    Path("survey.csv").write_text("\n".join(texts) + "\n")
    Path("all.csv").write_text("\n".join([*texts, *texts[1:]]) + "\n")
    words = ("--row-weight", "w", "--population", "all.csv", "--except", "rank,note")
    files = ("--result", "r.json", "--instance", "i.json")
    code, told, err = run(
        "anonymize", "survey.csv", "-k", 2, *words, *files, "--json", "-o", "out.csv"
    )
    assert (code, err) == (0, "")
    report = json.loads(told)
    paid = sum(
        float(row["w"]) * sum(row[name] == "*" for name in NAMES) for row in rows()
    )
    assert report["weighting"]["cost"] == paid == report["cost"] / 4
    assert report["risk"]["population"]["after"]["least"] >= 4
    assert run("check", "i.json", "r.json")[0] == 0
    code, told, _ = run("anonymize", "survey.csv", "-k", "2,3", "--row-weight", "w")
    assert (code, "cost" in told.splitlines()[2]) == (0, True)
    flaw = run("anonymize", "survey.csv", "-k", 2, "--row-weight", "sex")
    assert flaw[0] == 2
    assert '--row-weight: column "sex" holds "f" in row 1' in flaw[2]
    flaw = run("anonymize", "survey.csv", "--check", "--population", "all.csv")
    assert flaw[0] == 2


def test_the_risk_of_every_row_is_written(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("age,zip\n31,1\n31,1\n31,1\n42,2\n42,2\n")
    words = ("anonymize", "people.csv", "-k", 2, "--row-risk", "risk.csv")
    assert run(*words, "-o", "out.csv")[0] == 0
    assert Path("risk.csv").read_text() == (
        "row,alike,risk\n1,3,0.333333\n2,3,0.333333\n3,3,0.333333\n4,2,0.5\n5,2,0.5\n"
    )
    assert "--row-risk" in run(*words[:3], "2,3", *words[4:])[2]
    assert run(*words, "--check")[0] == 2


def test_levels_and_risk_on_the_command_line(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{30 + i % 5},{13050 + i % 3},h{i % 7}" for i in range(30)]
    Path("people.csv").write_text("\n".join(["age,zip,home", *rows, ""]))
    asked = ("--household", "home", "--mean-risk", "20%", "--small", 4, "--at-risk", 0)
    words = ("anonymize", "people.csv", "--columns", "age,zip", "-k", 3)
    levels = ("--hierarchies", "auto", "--level", "zip=0..2", "--level", "age=1")
    written = ("-o", "out.csv", "--save-recipe", "r.toml", "--report", "r.json")
    code, told, err = run(*words, *asked, *levels, *written)
    assert (code, err) == (0, "")
    document = json.loads(Path("r.json").read_text())
    assert list(document["thresholds"]) == ["mean_risk", "at_risk", "household"]
    assert document["generality"]["allowed"] == {"age": [1, 1], "zip": [0, 2]}
    assert (
        run(*words[:1], "people.csv", "--recipe", "r.toml", "-o", "again.csv")[0] == 0
    )
    assert Path("again.csv").read_bytes() == Path("out.csv").read_bytes()
    assert run("anonymize", "out.csv", "--check", "--recipe", "r.toml")[0] == 0
    stricter = ("--mean-risk", "0.01", "--report", "check.html")
    code, told, _ = run(
        "anonymize", "out.csv", "--check", "--recipe", "r.toml", *stricter
    )
    assert code == 1
    assert "not so: mean risk at most 1.00%" in told
    assert "not so: mean risk at most 1.00%" in Path("check.html").read_text()


def test_an_option_without_effect_is_told(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("age,zip\n31,1\n31,1\n")
    words = ("anonymize", "people.csv", "-k", 2)
    _, _, err = run(*words, "--memory", "1GB")
    assert "read into memory: --memory is for tables that stay in their fi" in err
    _, _, err = run(*words, "--delimiter", ";")
    assert "one column, since no ';' is in its first line; ',' would split it" in err
