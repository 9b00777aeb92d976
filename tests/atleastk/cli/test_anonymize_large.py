import json
from hashlib import sha256
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from atleastk.doors.anonymizing import engines

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def table(tmp_path):
    for i in range(2):
        rows = pyarrow.table({"age": [30, 31] * 4, "sex": ["f"] * 8, "id": [i] * 8})
        parquet.write_table(rows, tmp_path / f"people{i}.parquet")
    return str(tmp_path / "people*.parquet")


WISHES = ["--columns", "age,sex", "--hierarchies", "auto", "--suppress-rows", "10%"]


def test_several_files_are_anonymised_where_they_are(run, table, tmp_path):
    out, report = tmp_path / "out", tmp_path / "report.json"
    files = ["-o", str(out), "--report", str(report), "--drop-unlisted"]
    code, said, noted = run("anonymize", table, "-k", "4", *WISHES, *files)
    assert (code, "counted     by duckdb" in said) == (0, True)
    assert noted.endswith("counted by duckdb\n")
    assert parquet.read_table(out).column_names == ["age", "sex"]
    found = json.loads(report.read_text())
    assert (found["rows"], found["recount"]["smallest"]) == (16, 8)
    parts = {f.name: sha256(f.read_bytes()).hexdigest() for f in out.iterdir()}
    assert found["files"]["published"] == {"path": str(out), "parts": parts}
    code, said, _ = run("anonymize", str(out), "--check", "-k", "8", "--json")
    assert (code, json.loads(said)["k"]) == (0, 8)
    code, said, _ = run(f"anonymize {out} --check -k 9")
    assert (code, "not 9-anonymous: 16 rows" in said) == (1, True)


def test_counts_are_kept_for_a_later_run(run, table, tmp_path, refused):
    words = ("anonymize", table, "--check", "--columns", "age,sex", "-k", "8")
    kept = ("--counts", str(tmp_path / "counts"))
    for before in (0, 2):
        said = run(*words, *kept)[1]
        assert f"2 pieces, {before} of them counted before" in said
    for engine, told in (
        ("dask://127.0.0.1:1", "needs counts, a folder that all its"),
        ("dusk", "known are auto, memory, duckdb, dask://HOST:PORT"),
        *((f"dask://host{p}", "the port too, a number") for p in ("", ":", ":abc")),
    ):
        assert told in refused(*words, "--engine", engine)


def test_a_file_by_its_recipe(run, table, here, done):
    how = ("--engine", "duckdb", "--save-recipe", "r.toml", "-o", "out.parquet")
    code, said, _ = run("anonymize", "people0.parquet", "-k", "4", *WISHES, *how)
    digests = {
        name: sha256(Path(name).read_bytes()).hexdigest()
        for name in ("people0.parquet", "out.parquet")
    }
    assert (code, all(one in said for one in digests.values())) == (0, True)
    words = ("--recipe", "r.toml", "-o", "again.parquet")
    done("anonymize", "people0.parquet", *words)
    assert parquet.read_table("again.parquet").equals(parquet.read_table("out.parquet"))
    words = ("--check", "--recipe", "r.toml", "--report", "c.json")
    done("anonymize", "out.parquet", *words)
    found = json.loads(Path("c.json").read_text())
    assert found["files"]["table"]["sha256"] == digests["out.parquet"]
    assert (found["k"], found["holds"]) == (4, True)


def test_columns_are_left_out(run, table, tmp_path, refused):
    out = str(tmp_path / "out.parquet")
    words = ("anonymize", table, "-k", "4", *WISHES, "-o", out)
    assert 'column "id", left unchanged, looks like an identifier' in run(*words)[1]
    assert parquet.read_table(out).column_names == ["age", "sex", "id"]
    said = run(*words, "--drop", "id")[1]
    assert "\n  left out    id\n" in said
    assert "WARNING" not in said
    assert parquet.read_table(out).column_names == ["age", "sex"]
    check = ("anonymize", table, "--check", "--columns", "age")
    said = run(*check)[1]
    assert "looks like an identifier" in said
    found = json.loads(run(*check, "--json")[1])
    assert found["singled_out"] == {"sex": 0, "id": 0}
    assert "WARNING" not in run(*check, "--drop", "id")[1]
    assert "did you mean" in run(*words, "--drop", "ids")[2]
    assert "engine memory reads one" in refused(*words, "--engine", "memory")


def test_what_was_solved_is_a_file_of_distinct_rows(run, table, tmp_path, done):
    instance, result = (str(tmp_path / f"{name}.json") for name in "ir")
    files = ["--instance", instance, "--result", result]
    run("anonymize", table, "-k", "4", *WISHES, *files, "--memory", "1GB")
    assert "certificate of kind lattice" in done(
        f"check {instance} {result} --require proof"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--sensitive id --l 2", "leave out --sensitive"),
        ("--plot p.png", "leave out --plot"),
        ("-k 2,3", "give one -k"),
        ("--report r.html", "a report is JSON here"),
        ("--shuffle", "leave out --shuffle"),
        ("--memory much", "such as 8GB or 500MB"),
        ("--on entries", "one level per column"),
        ("--scratch nowhere", "scratch nowhere: No such file"),
        ("-o .", "is there already"),
    ],
)
def test_what_makes_no_sense_is_told_on_one_line(table, options, words, refused):
    given = ["-k", "2", *WISHES, "--engine", "duckdb", *options.split()]
    assert words in refused("anonymize", table, *given)


def test_levels_and_risk_are_those_of_memory(run, here, done):
    rows = [f"{30 + i % 5},{13050 + i % 3},x" for i in range(30)]
    Path("people.csv").write_text("\n".join(["age,zip,ill", *rows, ""]))
    words = ("anonymize", "people.csv", "-k", 2, "--columns", "age,zip")
    asked = ("--hierarchies", "auto", "--level", "zip=0..2", "--mean-risk", "20%")
    small = ("--small", 4, "--at-risk", 0)
    for engine in ("memory", "duckdb"):
        out = ("-o", f"{engine}.csv", "--engine", engine)
        done(*words, *asked, *small, *out)
    assert Path("memory.csv").read_bytes() == Path("duckdb.csv").read_bytes()
    check = ("--check", "--engine", "duckdb", "--mean-risk", "20%")
    check += ("--report", "c.json")
    code, said, _ = run(*words, *check)
    assert (code, "not so: mean risk at most 20.00%: 50.00%" in said) == (1, True)
    found = json.loads(Path("c.json").read_text())
    assert found["risk"]["highest"] == found["thresholds"]["mean_risk"]["after"] == 0.5
    assert "household" in run(*words, *asked, "--household", "ill", *check[1:3])[2]
    code, said, _ = run(*words, *check[:3], "--earlier", "memory.csv")
    assert (code, "not 2-anonymous together with the earlier" in said) == (1, True)


def test_an_engine_is_chosen_for_what_it_takes_only(run, table, tmp_path, monkeypatch):
    monkeypatch.setattr(engines, "_MANY_ROWS", 0)
    words = ("anonymize", str(tmp_path / "people0.parquet"), "-k", "4")
    taken = (), ("--hierarchies", "auto"), ("--drop-unlisted", "--columns", "age")
    for more in taken:
        assert "counted by duckdb; --engine memory reads" in run(*words, *more)[2]
    others = ("--row-risk", str(tmp_path / "r.csv")), ("--max-rows", "8"), ("-k", "2,3")
    for more in others:
        code, _, noted = run(*words, *more)
        assert (code, "duckdb" in noted) == (0, False)
    code, _, told = run(*words, "--engine", "duckdb", "--delimiter", ";")
    assert (code, "Parquet files have no delimiter" in told) == (2, True)
    check = ("anonymize", words[1], "--check", "--sensitive", "sex")
    assert run(*check)[0] == 0
    for engine in ("duckdb", "memory"):
        code, said, _ = run(*words, *taken[-1], "--engine", engine)
        assert (code, "\n  left out    sex, id\n" in said) == (0, True)
