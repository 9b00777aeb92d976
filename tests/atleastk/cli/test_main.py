import gzip
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from patience import PATIENCE

import atleastk
from atleastk import BinCovering, Result
from atleastk.instances.files import files
from atleastk.runs import solving

FAKES = Path(__file__).parents[2] / "helpers/fakes.py"


@pytest.fixture(autouse=True)
def _registered(stand_in):
    stand_in()


@pytest.fixture
def poor_file(tmp_path):
    path = tmp_path / "poor.json"
    path.write_text('{"problem": "bin-covering", "sizes": [1, 2], "k": 10}')
    return path


def test_solve_prints_the_answer(instance_file, done):
    out = done("solve", instance_file)
    assert out.startswith(
        "bin-covering: OPTIMAL (proved)\n  cost    16\n  bound   16\n"
    )
    assert out.endswith("    0 1\n    2 3\n")


def test_solve_json_is_one_object_a_line(run, instance_file, poor_file):
    code, out, err = run("solve", instance_file, poor_file, "--json")
    results = [Result.from_dict(json.loads(line)) for line in out.splitlines()]
    assert [r.status for r in results] == ["OPTIMAL", "INFEASIBLE"]
    assert (code, err) == (1, "")


def test_a_memory_limit_is_that_of_the_process(
    instance_file, stand_in, fakes, monkeypatch, done, refused
):
    seen = []
    monkeypatch.setattr(solving, "resident_memory", lambda: 0.5e9)

    def watched(search):
        seen.append(search.budget.memory)
        fakes.honest("exact")(search)

    stand_in(replace(fakes.PROBLEM, solve=watched))
    done("solve", instance_file, "--memory-limit", "1.5")
    assert seen == [1e9]
    err = refused("solve", instance_file, "--memory-limit", "1e-8")
    assert "numbers take" in err
    assert "raise --memory-limit, or take a smaller instance" in err


@pytest.mark.parametrize("command", ["solve", "approximate --all"])
def test_too_little_memory_is_bad_input(run, instance_file, monkeypatch, command):
    def read(_path, _error=None):
        raise MemoryError

    monkeypatch.setattr(files, "read_text", read)
    code, out, err = run(*command.split(), instance_file)
    told = "memory ran out; it takes fewer rows or columns, or more memory\n"
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("atleastk: error: ")
    assert err.endswith(told)


CERTIFIED = ("--method", "certifies")


def test_solve_writes_what_check_reads(run, instance_file, tmp_path, done):
    written = tmp_path / "result.json.gz"
    done("solve", instance_file, *CERTIFIED, "-o", written)
    assert gzip.decompress(written.read_bytes())
    code, out, _ = run("check", instance_file, written)
    cost = "cost 16: recomputed, the groups are a solution"
    bound = "bound 16, so optimal: proved by its certificate"
    assert (code, out) == (0, f"holds: cost 16\n  {cost}\n  {bound}\n")
    code, out, _ = run("check", instance_file, written, "--json")
    assert json.loads(out) == {
        "holds": True,
        "proved": True,
        "cost": 16,
        "violations": [],
        "verified": [cost, bound],
        "claimed": [],
    }


def test_check_can_ask_for_a_proof(run, instance_file, tmp_path, done, denied):
    written = tmp_path / "result.json"
    run("solve", instance_file, *CERTIFIED, "-o", written)
    done("check", instance_file, written, "--require", "proof")
    document = json.loads(written.read_text())
    claims = {**document, "trust": "agreed", "certificate": None}
    written.write_text(json.dumps(claims))
    done("check", instance_file, written)
    out = denied("check", instance_file, written, "--require", "proof")
    assert out.startswith("not proved: cost 16\n")
    assert "  bound 16, so optimal: claimed, not proved here\n" in out
    nothing = dict.fromkeys(("groups", "cost", "bound"))
    written.write_text(json.dumps({**claims, **nothing, "status": "INFEASIBLE"}))
    out = done("check", instance_file, written)
    assert out.startswith("claimed: infeasible\n  infeasible: claimed, not proved h")


def test_what_is_written_for_many_instances_is_read(
    run, instance_file, tmp_path, done, refused, denied
):
    other = instance_file.read_text().replace("10}", "20}")
    many, results = tmp_path / "all.jsonl", tmp_path / "results.jsonl"
    many.write_text(f"{instance_file.read_text()}\n{other}\n")
    done("solve", many, *CERTIFIED, "-o", results)
    results.write_text("\n".join(reversed(results.read_text().splitlines())))
    out = done("check", many, results)
    heads = [line for line in out.splitlines() if not line.startswith(" ")]
    assert heads == [f"{results}:1: holds: cost 28", f"{results}:2: holds: cost 16"]
    code, out, _ = run("check", many, results, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["result"] for row in rows] == [f"{results}:1", f"{results}:2"]
    assert all(row["proved"] for row in rows)
    assert "another instance" in denied("check", instance_file, results)
    results.write_text(results.read_text().replace('_sha256": "', '_sha256": "0'))
    code, out, _ = run("check", many, results)
    assert (code, out.count("does not hold: the result is of none of")) == (1, 2)
    for chosen in (["--all"], ["--algorithm", "one-bin"]):
        done("approximate", many, *chosen, "-o", results)
        done("check", many, results)
        assert "a name that ends in .jsonl" in refused(
            f"approximate {many}", *chosen, "-o", tmp_path / "one.json"
        )
    assert "holds 2 results; expected one" in refused(
        f"plot {instance_file} {results} -o {tmp_path}/plot.png"
    )


def test_an_algorithm_that_cannot_leaves_the_other_instances(
    run, instance_file, tmp_path
):
    many = tmp_path / "all.jsonl"
    many.write_text(f"{instance_file.read_text()}\n" * 2)
    code, _, err = run("approximate", many, "--algorithm", "picky")
    assert code == 2
    assert err.count("picky cannot take this instance") == 2
    assert "all.jsonl, instance 2: " in err


def test_check_says_no(run, instance_file, poor_file, tmp_path, denied):
    written = tmp_path / "result.json"
    run("solve", instance_file, "-o", written)
    document = json.loads(written.read_text())
    out = denied("check", poor_file, written)
    assert "another instance" in out
    written.write_text(json.dumps({**document, "cost": 17, "bound": 17}))
    out = denied("check", instance_file, written)
    assert out == "does not hold: the claimed cost is 17, the recomputed cost 16\n"
    written.write_text(json.dumps({**document, "cost": 15}))
    out = denied("check", instance_file, written)
    assert "the bound 16 exceeds the cost 15" in out


def test_solve_starts_from_a_result(run, instance_file, tmp_path, done):
    written = tmp_path / "result.json"
    run("solve", instance_file, "-o", written)
    out = done("solve", instance_file, "--method", "sulks", "--start", written)
    assert "FEASIBLE (heuristic)" in out


def test_solve_takes_many_lines(run, instance_file, poor_file, tmp_path):
    many, results = tmp_path / "many.jsonl", tmp_path / "results.jsonl"
    many.write_text(instance_file.read_text() + "\n" + poor_file.read_text())
    _, _, err = run("solve", tmp_path / "none.json", many, "-o", results)
    assert err == f"atleastk: error: {tmp_path}/none.json: no such file\n"
    written = [json.loads(line) for line in results.read_text().splitlines()]
    assert [document["cost"] for document in written] == [16, None]


def test_events_go_to_standard_error(run, instance_file):
    _, out, err = run("solve", instance_file, "--events", "--json")
    assert len(out.splitlines()) == 1
    assert [json.loads(line)["bound"] for line in err.splitlines()] == [None, 16]
    _, _, err = run("solve", instance_file, "--events")
    assert err.splitlines()[1].endswith("cost 16   bound 16   by exact")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "the following arguments are required: COMMAND"),
        ("sing", "invalid choice: 'sing'"),
        ("solve", "the following arguments are required: FILE"),
        ("solve FILE --time-limit soon", 'expected a number, got "soon"'),
        ("solve FILE --work-limit 1 --workers 2", "work_limit: needs one worker"),
        ("solve FILE --frobnicate", "unrecognized arguments: --frobnicate"),
        ("solve FILE --seed=--", 'argument --seed: expected an integer, got "--"'),
        ("solve FILE --method guess", 'no method of bin-covering is called "guess"'),
        ("solve FILE --method picky", "picky cannot take this instance: too plain"),
        ("solve FILE FILE -o one.json", "need a name that ends in .jsonl"),
        ("solve FILE --start none.json", "none.json: no such file"),
        ("solve none.json", "none.json: no such file"),
        ("check FILE FILE", "status: missing; a result needs it"),
        ("approximate FILE", "one of the arguments --algorithm --all is required"),
        ("approximate FILE --algorithm two-bins", 'did you mean "one-bin"'),
        ("generate bin-covering flat --n x", 'flat n: expected an integer, got "x"'),
        ("generate bin-covering flat --n 3 7", 'unexpected argument "7"'),
        ("problems knapsack", 'no problem is called "knapsack"'),
        ("problems --schema", "needs the name of a problem"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(instance_file, words, told, refused):
    assert told in refused(words.replace("FILE", str(instance_file)))


def test_a_contradiction_exits_3(run, instance_file):
    code, out, err = run("solve", instance_file, "--method", "overbids")
    assert (code, out) == (3, "")
    assert "overbids claims that nothing costs less than" in err


def test_approximate_one_and_all(run, instance_file, poor_file, done, denied):
    out = done("approximate", instance_file, "--algorithm", "one-bin")
    assert "promise cost <= n * OPT if n >= 1 ([Nobody] Theorem 1)" in out
    out = done("approximate", instance_file, "--all")
    assert "[Nobody] Theorem 1" in out
    assert "picky cannot take this instance: too plain" in out
    assert run("approximate", instance_file, "--algorithm", "all")[:2] == (0, out)
    out = done("approximate", instance_file, "--all", "--json")
    assert [json.loads(line)["cost"] for line in out.splitlines()] == [28]
    denied("approximate", poor_file, "--algorithm", "one-bin")


def test_a_problem_without_algorithms_says_so(instance_file, monkeypatch, refused):
    monkeypatch.setattr("atleastk.runs.api.algorithms", lambda _problem: ())
    err = refused("approximate", instance_file, "--all")
    assert err == "atleastk: error: bin-covering has no approximation algorithm\n"


def test_generate_by_parameters(tmp_path, done):
    out = done("generate", "bin-covering", "flat", "--seed", 1, "--n", 3)
    assert json.loads(out)["sizes"] == [2, 3, 1]
    path = tmp_path / "flat.json"
    words = ("--set", "shape=round", "--k=2", "-o", path)
    done("generate", "bin-covering", "flat", *words)
    generated = atleastk.load(path)
    assert generated == BinCovering(sizes=[1, 2, 3, 1], k=2)
    assert generated.name == "flat n=4 k=2 shape=round seed=0"


def test_problems_tells_what_there_is(run):
    known = run("problems")[1]
    for problem in atleastk.problems():
        assert problem.name in known
        assert problem.question in known
    page = run("problems", "bin-covering")[1]
    assert "exaggerates" in page
    assert "n=4 k=5 shape=flat" in page
    assert "cost <= n * OPT" in page
    schema = json.loads(run("problems", "bin-covering", "--schema")[1])
    assert schema == BinCovering.json_schema()


def test_plot_writes_a_picture(run, instance_file, tmp_path, done):
    written = tmp_path / "result.json"
    run("solve", instance_file, "-o", written)
    code, out, _ = run("plot", instance_file, written)
    picture = tmp_path / "result.png"
    assert (code, out) == (0, f"{picture}\n")
    assert picture.read_bytes().startswith(b"\x89PNG")
    other = tmp_path / "events.svg"
    done("plot", instance_file, written, "--kind", "events", "-o", other)
    assert "<svg" in other.read_text()


@pytest.mark.parametrize("kind", ["solution", "events"])
def test_plot_refuses_numbers_beyond_doubles(tmp_path, kind, done, refused):
    path, written = tmp_path / "huge.json", tmp_path / "result.json"
    files.write(path, {"problem": "bin-covering", "sizes": [10**400] * 3, "k": 10**400})
    done("solve", path, "-o", written)
    err = refused("plot", path, written, "--kind", kind)
    assert err == f"atleastk: error: {written}: its numbers are too large to be drawn\n"


def test_plot_draws_no_lies(run, instance_file, tmp_path, refused):
    written = tmp_path / "result.json"
    run("solve", instance_file, "-o", written)
    assert "a.xyz: cannot be written" in refused(
        f"plot {instance_file} {written} -o {tmp_path}/a.xyz"
    )
    document = json.loads(written.read_text())
    written.write_text(json.dumps({**document, "groups": [[0, 7]]}))
    assert "group 0 holds item 7, outside 0..3" in refused(
        f"plot {instance_file} {written}"
    )


def test_strange_names_are_printed_all_the_same(tmp_path, refused):
    """A lone surrogate is valid JSON, but no terminal can show it."""
    path = tmp_path / "odd.json"
    path.write_text(r'{"problem": "\ud800", "sizes": [1], "k": 1}')
    assert r"\ud800" in refused("solve", path)


def command(*words, **options):
    return subprocess.Popen(
        [sys.executable, str(FAKES), *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--gap", "97%"), "gap"),
        (("--gap", "0.97"), "gap"),
        (("--target", "28"), "target"),
    ],
)
def test_a_run_ends_when_it_is_good_enough(run, instance_file, words, why, done):
    words = ("solve", instance_file, "--method", "waits", *words)
    out = done(*words)
    assert f"  ended   {why}\n" in out
    _, out, _ = run(*words, "--json")
    assert json.loads(out)["stopped_because"] == why


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("method", "times"), [("waits", 1), ("hangs", 1), ("hangs", 2)]
)
def test_signals_end_with_the_best_solution_written(
    instance_file, number, method, times
):
    written = instance_file.with_name("r.json")
    words = ("solve", instance_file, "--method", method, "-o", written)
    with command(*words, "--json", "--events") as process:
        for _ in range(2):  # wait for the solution and the bound
            process.stderr.readline()
        for _ in range(times):
            process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (128 + number, "")
    result = json.loads(out)
    assert (result["status"], result["cost"], result["bound"]) == ("FEASIBLE", 28, 1)
    assert files.read(written) == result
    assert {*written.parent.iterdir()} == {instance_file, written}


def test_a_time_limit_holds_against_a_solver_that_hangs(instance_file):
    words = ("solve", instance_file, "--method", "hangs", "--time-limit", 1000)
    with command(*words) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "cost    28" in out
    assert err == ""


@pytest.mark.parametrize("words", ["solve FILE --json", "problems"])
def test_a_reader_that_leaves_is_no_catastrophe(instance_file, words):
    """What `head` does to everybody."""
    with command(*words.replace("FILE", str(instance_file)).split()) as process:
        process.stdout.close()
        err = process.stderr.read()
    assert process.returncode == 141
    assert err == ""


def test_python_m_atleastk_runs_anywhere(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-m", "atleastk", "--help"],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "exit codes:" in ended.stdout
