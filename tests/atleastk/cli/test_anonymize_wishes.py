import json
import shlex
from pathlib import Path

import pytest

from atleastk import anonymize, load
from atleastk.frames.open_frame import read_frame

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
def table(here):
    (here / "people.csv").write_text(PEOPLE)
    (here / "age.csv").write_text(AGE)
    (here / "folder").mkdir()
    (here / "folder" / "data_hierarchy_age.csv").write_text(AGE)
    zips = "13053;1305*;*\n13068;1306*;*\n"
    (here / "folder" / "zip.csv").write_text(zips)
    return ["anonymize", "people.csv", "--columns", "age,zip,sex"]


FOLDER = {"age": "folder/data_hierarchy_age.csv", "zip": "folder/zip.csv"}
FILES = {**FOLDER, "age": "age.csv"}
MIXED = {**FOLDER, "zip": "auto"}
RULE = "bands:10,20+top:40"
AUTO = {"age": RULE, "zip": "auto", "sex": "auto"}
LIMITS = {"rows": 6, "columns": 3, "entries": 8, "per_row": 2, "per_column": 4}
NOTES = {"note": [["a", "b"], ["f"], ["c", "d", "e"]]}
MAXIMISED = {"minimise": "k", "limits": {"entries": 10}}


@pytest.mark.parametrize(
    ("words", "wishes"),
    [
        (
            " ".join(f"--max-{q.replace('_', '-')} {LIMITS[q]}" for q in LIMITS),
            {"limits": LIMITS},
        ),
        (
            "--column-order 'sex > age, zip'",
            {"column_order": [["sex"], ["age", "zip"]]},
        ),
        ("--row-order rank", {"row_order": "rank"}),
        ("--row-order 'note: a,b > f > c, d,e'", {"row_order": NOTES}),
        ("--intact zip", {"intact": ["zip"]}),
        ("--minimise k --max-entries 10", MAXIMISED),
        ("--problem e-MAX-k-SUP --max-entries 10", MAXIMISED),
        ("--minimise per-row", {"minimise": "per_row"}),
        ("--minimise per_column", {"minimise": "per_column"}),
        ("--minimise nothing", {"minimise": "none"}),
        ("--minimise rows --deletion", {"minimise": "rows", "deletion": True}),
        ("--hierarchy age=age.csv --hierarchies folder", {"hierarchies": FILES}),
        ("--hierarchies folder --hierarchies zip=auto", {"hierarchies": MIXED}),
        ("--hierarchies folder --on entries", {"hierarchies": FOLDER, "on": "entries"}),
        (f"--hierarchies auto --hierarchy age={RULE}", {"hierarchies": AUTO}),
        (
            "--hierarchies folder --loss discernibility",
            {"hierarchies": FOLDER, "loss": "discernibility"},
        ),
        (
            "--hierarchies folder --suppress-rows 49%",
            {"hierarchies": FOLDER, "suppress_rows": "49%"},
        ),
        (
            "--hierarchies folder --level zip=0..2 --level age=1",
            {"hierarchies": FOLDER, "levels": {"zip": (0, 2), "age": 1}},
        ),
        ("--recode zip=2:prefix", {"recode": {"zip": ("prefix", 2)}}),
        ("--weight age=3 --weight zip=2", {"weights": {"age": 3, "zip": 2}}),
        ("--row-weight rank", {"row_weights": "rank"}),
        ("--ambiguous --marker ?", {"ambiguous": True, "marker": "?"}),
        ("--sensitive rank --l 2 --t 0.9", {"sensitive": "rank", "l": 2, "t": 0.9}),
        ("--household note --mean-risk 40%", {"household": "note", "mean_risk": "40%"}),
        ("--small 3 --at-risk 0", {"small": 3, "at_risk": 0}),
        ("--population all.csv --k-map 4", {"population": "all.csv", "k_map": 4}),
    ],
)
def test_the_command_asks_for_what_the_call_asks_for(table, done, words, wishes):
    Path("all.csv").write_text("".join([PEOPLE, *PEOPLE.splitlines(keepends=True)[1:]]))
    told = done(*table, "-k", 2, *shlex.split(words), "--instance", "i.json", "--json")
    if "population" in wishes:
        wishes = {**wishes, "population": read_frame(Path("all.csv"))}
    made = anonymize("people.csv", 2, NAMES, **wishes)
    assert load("i.json") == made.instance
    report = json.loads(json.dumps(made.report.to_dict()))
    for name in ("k", "risk", "quantities", "generality", "weighting", "thresholds"):
        assert json.loads(told).get(name) == report.get(name)


def test_other_words_mean_the_same(run, table, done):
    usual = ["--minimise", "entries", "--max-entries", "9", "--column-order", "sex>zip"]
    other = ["--minimize", "cells", "--max-cells", "9", "--importance", "sex>zip"]
    instance = ("--instance", "i.json")
    done(*table, "-k", 2, *usual, *instance)
    asked = load("i.json")
    assert run("anonymise", *table[1:], "-k", 2, *other, *instance)[::2] == (0, "")
    assert load("i.json") == asked
    told = run("anonymize", "--help-all")[1]
    assert "--minimise" in told
    assert "--minimize" not in told


def test_several_k_are_compared_by_what_was_minimised(run, table, done):
    _, told, _ = run(*table, "-k", "2,3", "--minimise", "rows")
    assert " rows " in told
    _, told, _ = run(*table, "-k", "2,3", "--max-rows", 6)
    assert " rows " not in told
    assert " height " in done(*table, "-k", "2,3", "--hierarchy", "age=age.csv")
    told = done(*table, "-k", "2,3", "--weight", "age=3")
    assert "cost" in told.splitlines()[2]


def test_files_of_a_folder_go_before_a_rule_in_any_order(table, done):
    """A rule that came last took the place of every file, without a word."""
    given = (("--hierarchies", "folder"), ("--hierarchies", "auto"))
    for first, second in (given, given[::-1]):
        told = done(*table, "-k", 2, *first, *second, "--json")
        sources = json.loads(told)["generality"]["hierarchies"]
        assert sources["age"] == "folder/data_hierarchy_age.csv"
        assert sources["zip"] == "folder/zip.csv"
        assert sources["sex"].startswith("suppression (auto: ")


def test_a_share_is_refused_by_its_option(table, refused):
    told = refused(*table, "-k", 2, "--mean-risk", "nan")
    assert "error: --mean-risk: expected a share" in told


def test_two_hierarchies_of_one_column_are_refused(table, tmp_path, refused):
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
        assert told in refused(*table, "-k", 2, *words)


def test_an_edited_hierarchy_is_not_written_over(table, tmp_path, done, refused):
    (tmp_path / "made").mkdir()
    words = (*table, "--hierarchies", "auto", "--write-hierarchies", "made")
    done(*words)
    edited = "31;thirties;*\n42;forties;*\n"
    for name in ("age", "zip"):
        (tmp_path / "made" / f"{name}.csv").unlink()
    (tmp_path / "made" / "sex.csv").write_text(edited)
    err = refused(*words)
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


def test_hierarchies_are_written_and_read_again(run, table, tmp_path, done):
    (tmp_path / "made").mkdir()
    wish = ("--hierarchies", "auto", "--hierarchies", "age=bands:10+top:40")
    told = done(*table, *wish, "--write-hierarchies", "made")
    assert told == (
        "made/age.csv: bands:10+top:40\nmade/zip.csv: prefix (auto: 5 digits each)\n"
        "made/sex.csv: suppression (auto: neither numbers nor dates nor codes)\n"
    )
    assert (tmp_path / "made" / "age.csv").read_text() == "31;30-39;*\n42;>=40;*\n"
    done(*table, "-k", 2, *wish, "--instance", "i.json")
    read = ("--hierarchies", "made", "--instance", "j.json")
    done(*table, "-k", 2, *read)
    assert load("i.json") == load("j.json")
    told = run(*table, *wish, "--write-hierarchies", "made", "--json")[1]
    assert json.loads(told)["made/zip.csv"] == "prefix (auto: 5 digits each)"
    words = ("-k", 3, *wish, "--write-hierarchies", "made", "-o", "out.csv")
    done(*table, *words)
    assert len(Path("out.csv").read_text().splitlines()) == 7


def test_written_hierarchies_have_a_line_for_everybody(here, done):
    (here / "few.csv").write_text("age\n31\n32\n")
    (here / "all.csv").write_text("age\n31\n32\n38\n50\n")
    table = ("anonymize", "few.csv", "--population", "all.csv")
    wish = ("--hierarchies", "bands:10", "--write-hierarchies", ".")
    done(*table, *wish)
    lines = (here / "age.csv").read_text().splitlines()
    assert lines == ["31;30-39;*", "32;30-39;*", "38;30-39;*", "50;50-59;*"]
    told = done(*table, "-k", 2, "--hierarchies", "age=age.csv")
    assert "every row may be at least 3 of 4 persons" in told


def test_what_is_published_beside_hierarchies_is_none(here, done, refused):
    (here / "t.csv").write_text("age,ill\n31,a\n32,b\n31,c\n32,d\n")
    (here / "age.csv").write_text("31;30-39;*\n32;30-39;*\n")
    line = ("anonymize", "t.csv", "-k", 4, "--columns", "age", "--hierarchies", ".")
    for _ in range(2):
        done(*line, "-o", "out.csv")
    assert (here / "out.csv").read_text().startswith("age,ill\n30-39,a\n")
    assert "age.csv: is a hierarchy" in refused(*line, "-o", "age.csv")


def test_what_hierarchies_are_not_written_over(table, tmp_path, refused):
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
        assert told in refused(*table, *words, *more)
    assert "--write-hierarchies needs hierarchies, as of --hierarchies auto" in refused(
        *table, "-k", 2, "--write-hierarchies", "folder"
    )
    (tmp_path / "slash.csv").write_text("a/b\n1\n2\n")
    assert 'column "a/b" cannot be the name of a file in folder' in refused(
        "anonymize slash.csv", *words, "folder"
    )


def test_several_k_of_ambiguity_come_with_the_risk_of_equal_rows(run, tmp_path, done):
    (tmp_path / "four.csv").write_text("x,y\na,1\nb,2\nc,3\nd,4\n")
    words = ("anonymize", tmp_path / "four.csv", "-k", "2,3")
    told = done(*words, "--ambiguous")
    assert "risk" in told
    assert told.count("100.00%") == 2
    assert "risk" not in run(*words)[1]


def test_names_may_hold_what_words_mean(here, done):
    (here / "t.csv").write_text('"a,b","c>d",e=f,g:h\nx,1,u,1\nx,2,v,2\n')
    (here / "h.csv").write_text("u;*\nv;*\n")
    words = ("anonymize", "t.csv", "-k", 2)
    order = '"a,b" > "c>d", e=f,g:h'
    done(*words, "--column-order", order, "--instance", "i.json")
    assert load("i.json").column_order == ((0,), (1, 2, 3))
    done(*words, "--hierarchy", "e=f=h.csv")
    done(*words, "--row-order", "g:h", "--instance", "i.json")
    assert load("i.json").row_order == ((0,), (1,))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "-k 2 --minimise money",
            "--minimise: expected one of rows, columns, entries,",
        ),
        ("-k 2 --problem r-MIN-e-SUP", "r-MIN-e-SUP needs a limit of rows; give one"),
        ("-k 2,3 --minimise k", "a maximised k takes one -k"),
        ("-k 2,3 --minimise rows --plot x.png", "--plot of several k"),
        ("-k 2 --hierarchy age=", "expected NAME=FILE or NAME=RULE"),
        ("--check --hierarchies auto", "leave out --hierarchies"),
        ("-k 2 --hierarchy age=age.csv --hierarchy age=age.csv", '"age" twice'),
        ("-k 2 --hierarchies /", "/: has no NAME.csv of a column to anonymise"),
        (
            "-k 2 --on entries --max-rows 2 --max-columns 1",
            "--max-rows, --max-columns is for suppressing cells, --on for",
        ),
        ("-k 2 --weight note=2", '--weight: "note" is not among the columns'),
        ("-k 2 --weight age", "--weight age: expected NAME=W"),
        ("-k 2 --weight age=2 --weight age=3", '--weight: "age" twice'),
        ("-k 2 --row-weight note", '--row-weight: column "note" holds "a" in row 1'),
        ("--check --ambiguous", "leave out --ambiguous"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(table, words, told, refused):
    assert told in refused(*table, *words.split())


def test_two_files_of_one_hierarchy(table, tmp_path, refused):
    (tmp_path / "folder" / "other_age.csv").write_text(AGE)
    assert "data_hierarchy_age.csv and other_age.csv are both of age" in refused(
        *table, "-k", 2, "--hierarchies", "folder"
    )


def test_the_risk_of_every_row_is_written(run, here, done, refused):
    Path("people.csv").write_text("age,zip\n31,1\n31,1\n31,1\n42,2\n42,2\n")
    words = ("anonymize", "people.csv", "-k", 2, "--row-risk", "risk.csv")
    done(*words, "-o", "out.csv")
    assert Path("risk.csv").read_text() == (
        "row,alike,risk\n1,3,0.333333\n2,3,0.333333\n3,3,0.333333\n4,2,0.5\n5,2,0.5\n"
    )
    assert "--row-risk" in run(*words[:3], "2,3", *words[4:])[2]
    refused(*words, "--check")


def test_levels_and_risk_on_the_command_line(here, done, denied):
    rows = [f"{30 + i % 5},{13050 + i % 3},h{i % 7}" for i in range(30)]
    Path("people.csv").write_text("\n".join(["age,zip,home", *rows, ""]))
    asked = ("--household", "home", "--mean-risk", "20%", "--small", 4, "--at-risk", 0)
    words = ("anonymize", "people.csv", "--columns", "age,zip", "-k", 3)
    levels = ("--hierarchies", "auto", "--level", "zip=0..2", "--level", "age=1")
    written = ("-o", "out.csv", "--save-recipe", "r.toml", "--report", "r.json")
    done(*words, *asked, *levels, *written)
    document = json.loads(Path("r.json").read_text())
    assert list(document["thresholds"]) == ["mean_risk", "at_risk", "household"]
    assert document["generality"]["allowed"] == {"age": [1, 1], "zip": [0, 2]}
    done(*words[:1], "people.csv", "--recipe", "r.toml", "-o", "again.csv")
    assert Path("again.csv").read_bytes() == Path("out.csv").read_bytes()
    done("anonymize", "out.csv", "--check", "--recipe", "r.toml")
    stricter = ("--mean-risk", "0.01", "--report", "check.html")
    told = denied("anonymize out.csv --check --recipe r.toml", *stricter)
    assert "not so: mean risk at most 1.00%" in told
    assert "not so: mean risk at most 1.00%" in Path("check.html").read_text()


def test_an_option_without_effect_is_told(run, here):
    Path("people.csv").write_text("age,zip\n31,1\n31,1\n")
    words = ("anonymize", "people.csv", "-k", 2)
    for told in (words, (*words, "--average"), ("inspect", "people.csv")):
        _, _, err = run(*told, "--memory", "1GB")
        assert "read into memory: --memory is for tables that stay in their fi" in err
    _, _, err = run(*words, "--delimiter", ";")
    assert "one column, since no ';' is in its first line; ',' would split it" in err
