import csv
import io
import json
import os
import sys
from pathlib import Path

import pytest

import atleastk
from atleastk.cli import outputs
from atleastk.cli.main import main
from atleastk.cli.outputs import print_result
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.files import files


@pytest.fixture
def here(tmp_path, squares, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("age,sex\n1,f\n1,f\n2,m\n2,m\n")
    Path("h").mkdir()
    Path("h/age.csv").write_text("1;*\n2;*\n")
    Path("nodes.csv").write_text("fips,population\n1,3\n2,4\n3,3\n4,4\n")
    Path("edges.csv").write_text("fips_u,fips_v\n1,2\n2,3\n3,4\n")
    files.write("g.json", {"problem": "bin-covering", "sizes": [10, 6, 6, 6], "k": 10})
    files.write("set.json", {"problem": "set-cover", "sets": [[0]]})
    assert main(["solve", "g.json", "-o", "r.json"]) == 0
    Path("link.csv").symlink_to("t.csv")
    os.link("t.csv", "hard.csv")
    Path("linked").symlink_to(".")
    Path("two.jsonl").write_text(Path("g.json").read_text() * 2)
    return tmp_path


def contents(folder):
    return {
        path: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "linked" not in path.parts
    }


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("solve g.json -o g.json", "g.json: is an instance that is read"),
        ("solve g.json two.jsonl -o linked/two.jsonl", "is an instance"),
        ("solve g.json --start r.json -o r.json", "is the result to start from"),
        ("approximate g.json --all -o g.json", "g.json: is the instance that is read"),
        ("reduce X3C 3DM g.json -o ./g.json", "is the instance that is read"),
        ("reduce X3C 3DM g.json --back r.json -o r.json", "r.json: is the result"),
        ("plot g.json r.json -o r.json", "r.json: is the result; give another name"),
        ("anonymize t.csv -k 2 -o t.csv", "t.csv: is the original table"),
        ("anonymize t.csv -k 2 -o h/../t.csv", "is the original table"),
        ("anonymize t.csv -k 2 -o linked/t.csv", "is the original table"),
        ("anonymize t.csv -k 2 -o link.csv", "link.csv: is the original table"),
        ("anonymize t.csv -k 2 -o hard.csv", "hard.csv: is the original table"),
        ("anonymize link.csv -k 2 -o hard.csv", "hard.csv: is the original table"),
        ("anonymize t.csv -k 2 --report t.csv", "t.csv: is the original table"),
        ("anonymize t.csv -k 2 --result t.csv", "t.csv: is the original table"),
        ("anonymize t.csv -k 2 --instance t.csv", "t.csv: is the original table"),
        ("anonymize t.csv -k 2 --plot t.csv", "t.csv: is the original table"),
        ("anonymize t.csv -k 2 --hierarchy age=h/age.csv -o h/age.csv", "a hierarchy"),
        ("anonymize t.csv -k 2 --hierarchies h -o h/age.csv", "is a hierarchy"),
        ("cluster t.csv -r 2 -o link.csv", "link.csv: is the original table"),
        ("cluster t.csv -r 2 --result t.csv", "t.csv: is the original table"),
        ("partition nodes.csv --edges edges.csv -k 7 -o edges.csv", "of neighbours"),
        ("partition squares.geojson -k 7 --plot squares.geojson", "original table"),
        # two outputs to one file, whether it is there or not
        ("anonymize t.csv -k 2 --report a.json --result a.json", "another output"),
        ("anonymize t.csv -k 2 --report a.json --result linked/A.json", "another out"),
        ("anonymize t.csv -k 2 --report r.json --result ./r.json", "another output"),
        ("cluster t.csv -r 2 --instance - --result /dev/stdout", "another output"),
        ("partition squares.geojson -k 7 --instance a.json --result a.json", "another"),
        # places where nothing can be written
        ("solve g.json -o nowhere/r.json", "cannot be written: no such directory"),
        ("solve g.json -o h", "h: cannot be written: is a directory, not a file"),
        ("solve g.json -o a\0b.json", "not a file name"),
        # names that promise something else
        ("solve g.json -o x.xlsx", "JSON is written to one of .json, .jsonl (or .gz"),
        ("solve g.json -o x.json.GZ", "JSON is written to one of .json, .jsonl"),
        ("approximate g.json --all -o x.csv", "JSON is written to one of"),
        ("generate bin-covering uniform -o x.png", "JSON is written to one of"),
        ("plot g.json r.json -o x.foo", "x.foo: cannot be written: a picture is"),
        ("anonymize t.csv -k 2 -o x.sav", "a table of a text file is written to"),
        ("anonymize t.csv -k 2 -o x.dta", ".csv, .tsv, .txt, .xlsx"),
        ("anonymize x.parquet -k 2 -o x", "a table of a Parquet file is written to"),
        ("anonymize t.csv -k 2 --plot x.foo", "a picture is written to one of"),
        ("anonymize t.csv -k 2 --report x.txt", "a report is written to one of"),
        ("cluster t.csv -r 2 -o x.dta", ".csv, .tsv, .txt, .xlsx, .parquet, .arrow"),
        ("cluster t.csv -r 2 --plot x.csv", "a picture is written to one of"),
        ("partition squares.geojson -k 7 -o x.csv", "a map of polygons is written to"),
        ("check - -", "-: standard input can be only one of the inputs"),
        ("plot g.json -", "needs -o"),
    ],
)
def test_refused_before_any_work(here, words, told, refused):
    before = contents(here)
    assert told in refused(*words.split(" "))
    assert contents(here) == before


def test_a_folder_or_file_that_may_not_be_written(here, run, monkeypatch):
    closed = {here}
    monkeypatch.setattr(outputs.os, "access", lambda path, _: path not in closed)
    assert "no permission for its folder" in run("solve", "g.json", "-o", "x.json")[2]
    closed = {here / "r.json"}
    assert (
        "r.json: cannot be written: no perm"
        in run("solve", "g.json", "-o", "r.json")[2]
    )


@pytest.mark.parametrize(
    "words",
    [
        "solve g.json -o out",
        "solve g.json -o out.json.gz",
        "solve two.jsonl -o out.jsonl",
        "solve g.json -o out.json.zip",
        "anonymize t.csv -k 2 -o out.csv.bz2",
        "solve g.json -o /dev/null",
        "anonymize t.csv -k 2 -o out.TXT --result /dev/null --instance /dev/null",
        "cluster t.csv -r 2 --columns age -o out.tsv.gz --plot out.SVG",
        "partition squares.geojson --weight people -k 7 -o out.json --plot out",
    ],
)
def test_what_is_let_through(here, words, done):
    done(words)
    assert not [path for path in here.iterdir() if "part" in path.suffix]
    assert Path(os.devnull).is_char_device()


SOLVED = [
    "anonymize t.csv -k {}",
    "anonymize t.csv -k {} --columns age --average",
    "cluster t.csv -r {} --columns age",
    "pack nodes.csv --weight population -k {}",
    "partition nodes.csv --edges edges.csv -k {}",
]
"""Of four rows or regions."""


@pytest.mark.parametrize("words", SOLVED)
def test_results_are_those_of_instances(here, done, words):
    plot = "" if "average" in words else "--plot p.png"
    done(f"{words.format(2)} --instance i.json --result new.json {plot}")
    assert "holds: " in done("check i.json new.json")
    assert not plot or Path("p.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("words", SOLVED)
def test_without_a_solution_nothing_is_written(here, words, denied):
    before = contents(here)
    plot = "" if "average" in words else "--plot p.png"
    page = "--report p.html" if "partition" in words else ""
    told = denied(f"{words.format(99)} -o new.csv {plot} {page}")
    assert "written     nothing" in told
    assert contents(here) == before


def test_a_table_keeps_its_own_ending(here, done):
    Path("t.data").write_text(Path("t.csv").read_text())
    done("anonymize", "t.data", "-k", 2, "-o", "out.data")


def fed(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


@pytest.mark.parametrize(
    ("words", "fed_file"),
    [
        ("solve - -o -", "g.json"),
        ("solve - --json", "g.json"),
        ("solve - -o -", "two.jsonl"),
        ("check - r.json --json", "g.json"),
        ("check g.json - --json", "r.json"),
        ("approximate - --algorithm fold -o -", "g.json"),
        ("approximate - --algorithm fold -o -", "two.jsonl"),
        ("generate bin-covering uniform -o -", "g.json"),
        ("anonymize - -k 2 --report -", "t.csv"),
        ("partition - --weight people -k 7 -o -", "squares.geojson"),
    ],
)
def test_a_dash_is_standard_input_and_output(here, run, monkeypatch, words, fed_file):
    fed(monkeypatch, Path(fed_file).read_text())
    before = contents(here)
    code, out, err = run(words)
    assert code == 0
    documents = [json.loads(line) for line in out.splitlines()]
    assert len(documents) == (2 if fed_file == "two.jsonl" else 1)
    assert ("Traceback" in err, contents(here)) == (False, before)


@pytest.mark.parametrize(
    ("words", "fed_file"),
    [
        ("anonymize - -k 2 -o -", "t.csv"),
        ("cluster - -r 2 --columns age -o -", "t.csv"),
        ("partition - --edges edges.csv -k 7 -o -", "nodes.csv"),
    ],
)
def test_tables_through_a_pipe(here, run, monkeypatch, words, fed_file):
    fed(monkeypatch, Path(fed_file).read_text())
    code, out, err = run(words)
    assert code == 0
    assert len({len(row) for row in csv.reader(out.splitlines())}) == 1
    assert "written     -" in err


def test_a_picture_through_a_pipe(here, capfdbinary):
    assert main(["plot", "g.json", "r.json", "-o", "-"]) == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"\x89PNG")
    assert err == b"-\n"


def test_an_input_limit(here, done, refused):
    table = "anonymize t.csv -k 2 --engine memory"  # which engines do not read whole
    for words in ("solve g.json", table, "plot g.json r.json"):
        assert "holds more than 1e-09 GB, unpacked; " in refused(
            *words.split(), "--input-limit", "1e-9"
        )
    refused("solve", "g.json", "--input-limit", "0")
    done("solve", "g.json", "--input-limit", "0.1")


@pytest.mark.parametrize("name", ["r.json", "r.json.gz", "r.jsonl"])
def test_an_unknown_result_replaces_no_solution(here, run, stand_in, name, done):
    done("solve", "g.json", "-o", name)
    stand_in()
    before = Path(name).read_bytes()
    code, out, err = run("solve", "g.json", "--method", "sulks", "-o", name)
    assert code == 1
    assert "UNKNOWN" in out
    told = f"{name}: is left as it is: it holds a solution, and this run has found none"
    assert err == f"atleastk: {told}\n"
    assert Path(name).read_bytes() == before
    for other in ('{"problem": "x"}\n', "no JSON", ""):
        Path("other.json").write_text(other)
        words = ("solve", "g.json", "--method", "sulks", "-o", "other.json")
        assert run(*words)[2] == ""
        assert files.read("other.json")["status"] == "UNKNOWN"
    assert run("solve", "g.json", "--method", "exact", "-o", name)[2] == ""


def test_a_result_that_cannot_be_written_is_printed(here, run, monkeypatch):
    """So an hour of work is not lost to a full disk."""

    def full(*_):
        raise AtleastkError("r.json: cannot be written: no space left on device")

    monkeypatch.setattr(files, "write_bytes", full)
    code, out, err = run("solve", "g.json", "-o", "r.json")
    assert (code, "cost    16" in out) == (2, True)
    assert (
        err == "atleastk: error: r.json: cannot be written: no space left on device\n"
    )


def test_of_large_groups_the_first_members_are_printed(capsys):
    one = atleastk.solve(atleastk.BinCovering([1] * 1_234, 1_234), 5)
    print_result(one, as_json=False)
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith("    0 1 2 3")
    assert line.endswith(" 998 999 ... 234 more")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize(
    "failing", ["--report", "--result", "--instance", "--row-risk"]
)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_what_fails_after_the_table_says_that_it_is_written(
    tmp_path, engine, failing, refused
):
    table, output = tmp_path / "t.csv", tmp_path / "o.csv"
    table.write_text("age\n31\n31\n42\n42\n")
    words = ["anonymize", str(table), "-k", "2", "--hierarchies", "suppression"]
    engine = "memory" if failing == "--row-risk" else engine
    full = tmp_path / "r.json"
    full.symlink_to("/dev/full")
    words += ["--engine", engine, "-o", str(output), failing, str(full)]
    told = refused(*words)
    assert told.endswith(f"{output} is written already, whole\n")
    assert told.count("\n") == 1
    assert output.read_text() == table.read_text()
    assert "already" not in refused(
        *[word for word in words if word not in ("-o", str(output))]
    )
