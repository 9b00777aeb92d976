import csv
import gzip
import html
import json
import random
import re
import shlex
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pyarrow
import pytest
from patience import PATIENCE

import atleastk
from atleastk import Result
from atleastk.runs import solving

pytestmark = pytest.mark.usefixtures("quick")

SCRIPT = Path(__file__).parents[2] / "helpers/sorted_rows.py"


@pytest.fixture
def table(tmp_path):
    rng = random.Random(1)
    rows = [
        (i, rng.randrange(30, 33), rng.choice("ab"), rng.choice("mf"), f"{i * i:07}")
        for i in range(40)
    ]
    path = tmp_path / "people.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("id", "age", "zip", "sex", "pay"), *rows])
    return path


def rows_of(path):
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return list(csv.reader(text.splitlines()))


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("--sensitive ill --l 2 --t 4/5", "0 classes break what is asked"),
        ("--sensitive ill --l 2 --diversity frequency", "0 classes break"),
        ("--sensitive ill", "one value in"),
        ("--except ill --ambiguous", "a suppressed cell matches anything"),
        ("--except ill --ambiguous --marker -", "a suppressed cell matches anything"),
    ],
)
def test_the_page_tells_the_command_that_checks(tmp_path, wish, told, done):
    table, page, out = (tmp_path / name for name in ("t.csv", "r.html", "out.csv"))
    names = ["town, street", ' a "b" <c>', "1", "ill"]
    rows = [[*f"{i:03b}", "xyz"[i % 3]] for i in range(8)]
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([names, *rows])
    words = ("-k", 3, *wish.split(), "--report", page, "-o", out)
    done("anonymize", table, *words)
    command = re.search("<code>atleastk anonymize FILE (.*)</code>", page.read_text())
    told_of = done("anonymize", out, *shlex.split(html.unescape(command[1])))
    assert told in told_of


@pytest.mark.parametrize("name", ["r.html", "r.HTML", "r.html.json"])
def test_the_end_of_the_name_says_whether_the_report_is_a_page(
    table, tmp_path, name, done
):
    done("anonymize", table, "-k", 5, "--report", tmp_path / name)
    told = (tmp_path / name).read_text()
    if name.endswith("json"):
        assert json.loads(told)["k"] == 5
    else:
        assert "<title>Anonymisation of people.csv</title>" in told


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_the_table_written_is_anonymous(table, tmp_path, suffix, done):
    out = tmp_path / f"out{suffix}"
    told = done("anonymize", table, "-k", 5, "--columns", "age,zip,sex", "-o", out)
    before, after = rows_of(table), rows_of(out)
    assert before[0] == after[0]
    quasi = [tuple(row[1:4]) for row in after[1:]]
    assert min(map(quasi.count, quasi)) >= 5
    stars = 0
    for old, new in zip(before[1:], after[1:], strict=True):
        assert (old[0], old[4]) == (new[0], new[4])
        for a, b in zip(old[1:4], new[1:4], strict=True):
            assert b in (a, "*")
            stars += b == "*"
    assert f"  suppressed  {stars} of 120 cells" in told
    assert "  unchanged   id, pay" in told
    assert f"  written     {out}\n  SHA-256     people.csv" in told
    done("anonymize", out, "--check", "-k", 5, "--except", "id, pay")


@pytest.mark.parametrize(
    ("place", "doing"),
    [
        ("frames.open_frame.read_text_frame", "people.csv: reading"),
        ("doors.anonymizing.anonymize.published", "anonymizing"),
        ("cli.anonymize._write", "atleastk"),
    ],
)
def test_too_little_memory_is_one_line(
    table, tmp_path, monkeypatch, place, doing, refused
):
    def fails(*_arguments):
        raise pyarrow.ArrowMemoryError

    monkeypatch.setattr(f"atleastk.{place}", fails)
    out = tmp_path / "out.csv"
    assert f"{doing}: memory ran out" in refused("anonymize", table, "-k", 2, "-o", out)
    assert not out.exists()


def test_without_output_it_only_reports(table, tmp_path, done):
    told = done("anonymize", table, "-k", 3, "--columns", "age")
    assert told.startswith("k = 3: ")
    assert list(tmp_path.iterdir()) == [table]


def test_what_is_not_listed_may_be_dropped(table, tmp_path, done):
    out = tmp_path / "out.csv"
    words = ("--columns", "sex,age", "--drop-unlisted", "--marker", "?")
    done("anonymize", table, "-k", 30, *words, "-o", out)
    rows = rows_of(out)
    assert rows[0] == ["age", "sex"]
    assert {cell for row in rows[1:] for cell in row} <= {*"mf?", "30", "31", "32"}


def test_report_result_and_instance(table, tmp_path, done):
    report, result, instance = (tmp_path / f"{n}.json" for n in "abc")
    files = ("--report", report, "--result", result, "--instance", instance)
    told = done(f"anonymize {table} -k 4 --columns age,zip --json", *files)
    document = json.loads(report.read_text())
    assert document == json.loads(told)
    assert document["attained"] >= 4
    done("check", instance, result)
    answer = Result.from_dict(json.loads(result.read_text()))
    assert answer.cost == document["suppressed"]
    solved = atleastk.load(instance)
    assert solved.columns == ("age", "zip")
    assert {type(cell) for row in solved.table for cell in row} == {int}


def test_several_k_are_compared(table, tmp_path, done, denied):
    reports, picture = tmp_path / "r.jsonl", tmp_path / "curve.svg"
    words = ("--columns", "age,zip,sex", "--report", reports, "--plot", picture)
    told = done("anonymize", table, "-k", "2,5,20", *words)
    documents = [json.loads(line) for line in reports.read_text().splitlines()]
    assert [d["k"] for d in documents] == [2, 5, 20]
    for document in documents:
        assert f" {document['suppressed']} " in told
    assert "<svg" in picture.read_text()
    told = denied("anonymize", table, "-k", "2,5,41", "--json")
    assert [json.loads(line)["status"] for line in told.splitlines()][2] == "INFEASIBLE"


def test_no_anonymous_table(table, tmp_path, denied):
    out = tmp_path / "out.csv"
    told = denied("anonymize", table, "-k", 41, "-o", out, "--time-limit", 500)
    assert told == (
        "k = 41: INFEASIBLE (proved)\n"
        "  no table of 40 rows is 41-anonymous\n"
        "  relax       -k: 41 -> 40 is enough\n"
        "  written     nothing\n"
        f"  SHA-256     people.csv  {sha256(table.read_bytes()).hexdigest()}\n"
    )
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "code", "k"),
    [
        ((), 0, 1),
        (("-k", 1), 0, 1),
        (("-k", 2), 1, 1),
        (("-k", 2, "--wildcard"), 0, 2),
        (("-k", 3, "--wildcard"), 1, 2),
        (("-k", 2, "--wildcard", "--marker", "c"), 1, 1),
        (("-k", 3, "--columns", "y"), 0, 3),
    ],
)
def test_check_says_yes_or_no(run, tmp_path, words, code, k):
    path = tmp_path / "t.csv"
    path.write_text("x,y\na,1\n*,1\nb,1\n")
    ended, told, _ = run("anonymize", path, "--check", *words)
    equal = "" if k != 2 else " by matching, 1 by equal rows"
    assert (ended, told.startswith(f"{path}: k = {k}{equal}\n")) == (code, True)
    assert ("WARNING     k-ambiguity is no protection" in told) == bool(equal)
    assert ("right with up to 100.00%" in told) == bool(equal)
    ambiguous = told.endswith("  2-ambiguous, but not 2-anonymous\n")
    assert ambiguous == (k == 2 and code == 0)
    ended, told, _ = run("anonymize", path, "--check", *words, "--json")
    document = json.loads(told)
    assert (ended, document["k"]) == (code, k)
    assert document["k_equal"] == (3 if "y" in words else 1)
    assert document["risk"]["highest"] == 1 / document["k_equal"]
    assert document["holds"] == (code == 0)


def test_check_counts_what_is_missing(run, table):
    columns = ("--columns", "age,zip,sex")
    _, told, _ = run("anonymize", table, "--check", "-k", 5, *columns)
    rows = [tuple(row[1:4]) for row in rows_of(table)[1:]]
    below = sum(rows.count(row) < 5 for row in rows)
    wanted = f"not 5-anonymous: fewer than 4 others alike, for {below} of the rows"
    assert wanted in told
    assert "reading     a suppressed cell is a value like others" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("TABLE", "anonymize needs -k"),
        ("TABLE -k 2 --columns age --except zip", "both say which columns; leave"),
        ('TABLE -k 2 --columns "age,zip', "broken CSV: unexpected end of data"),
        ("TABLE -k 2 --wildcard", "goes with --check only"),
        (
            "TABLE -k 2,3 -o out.csv",
            "several k give several tables: leave out --output",
        ),
        ("TABLE -k 2,3 --report r.json", "need a name that ends in .jsonl"),
        ("TABLE -k 2,3 --check", "--check takes one k"),
        (
            "TABLE --check -o out.csv",
            "--check writes nothing but a report: leave out --output",
        ),
    ],
)
def test_mistakes_are_one_line_and_exit_2(table, words, told, refused):
    assert told in refused("anonymize", *words.replace("TABLE", str(table)).split(" "))


def test_a_signal_leaves_the_best_table(table, tmp_path):
    out = tmp_path / "out.csv"
    words = ("anonymize", table, "-k", "5", "--columns", "age,sex", "-o", out)
    with subprocess.Popen(
        [sys.executable, str(SCRIPT), *map(str, words), "--events", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        for _ in range(2):  # wait for the solution and the bound
            process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        told, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + signal.SIGTERM
    assert json.loads(told)["status"] == "FEASIBLE"
    assert json.loads(told)["stopped"] == "SIGTERM"
    assert "Traceback" not in err
    quasi = [(row[1], row[3]) for row in rows_of(out)[1:]]
    assert min(map(quasi.count, quasi)) >= 5


def test_a_time_limit_ends_it(table, sorted_rows, monkeypatch, run, clock):
    def take_long(search):
        sorted_rows.cut(search)
        clock.put_forward(500)

    solver = sorted_rows.registered(take_long)
    monkeypatch.setattr(atleastk.runs.registry, "PROBLEMS", solver)
    code, told, _ = run("anonymize", table, "-k", 2, "--time-limit", 500)
    assert (code, told.startswith("k = 2: FEASIBLE")) == (0, True)
    assert "  stopped     at the time limit" in told


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("words", "seconds"), [((), 60), (("--time-limit", "none"), float("inf"))]
)
def test_the_limits_of_the_search(
    table, sorted_rows, monkeypatch, words, seconds, done
):
    seen = []

    def watched(search):
        seen.append(search.budget)
        sorted_rows.cut(search)

    monkeypatch.setattr(
        atleastk.runs.registry, "PROBLEMS", sorted_rows.registered(watched)
    )
    monkeypatch.setattr(solving, "resident_memory", lambda: 0.2e9)
    told = done("anonymize", table, "-k", 2, "--memory-limit", 0.5, *words)
    assert "  stopped     with nothing left to try" in told
    published_in = 1e-3  # of a few cells
    assert seen[0].remaining == pytest.approx(seconds, abs=published_in)
    assert seen[0].memory == 0.3e9


def test_columns_are_left_out_as_if_they_were_not_there(tmp_path, done, refused):
    table = tmp_path / "t.csv"
    table.write_text("name,age,ill\nAnn,30,flu\nBob,30,cold\n")
    out = tmp_path / "out.csv"
    words = ["anonymize", str(table), "-k", "2", "--drop", "name"]
    told = done(*words, "--columns", "age", "-o", str(out))
    assert "WARNING" not in told
    assert out.read_text() == "age,ill\n30,flu\n30,cold\n"
    assert '"name"' in refused(*words, "--columns", "age,name")
    assert 'did you mean "name"?' in refused(*words[:-1], "nam")


def test_several_k_of_levels_say_which_levels(tmp_path, done):
    table = tmp_path / "t.csv"
    ages = (31, 32, 36, 37, 41, 42, 46, 47)
    table.write_text("age\n" + "".join(f"{age}\n" for age in ages))
    words = ["--hierarchies", "bands:5,10", "--loss", "precision", "-k", "2,4,8"]
    told = done("anonymize", str(table), *words)
    assert re.search("levels +keeps +rows off +cost", told)
    rows = [line.split() for line in told.splitlines() if " optimal " in line]
    assert [row[2:6] for row in rows] == [
        ["age", "1", "66.67%", "0"],
        ["age", "2", "33.33%", "0"],
        ["age", "3", "0.00%", "0"],
    ]
