from dataclasses import replace

import pytest

import atleastk
from atleastk.runs.pools import Here
from scripts.studies import everywhere

SPEC = """
problem = "interval-covering"

[[instances]]
family = "uniform"
seeds = 9
n = 6
"""


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SPEC)
    return path


def test_processes_lose_nothing_and_do_nothing_twice(spec, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    study = atleastk.Study.load(spec)
    few = atleastk.Study.load(everywhere.written(study, 5, out))
    atleastk.conduct(few, out / "dask.db", executor=Here())
    words = ["--spec", str(spec), "--instances", "5", "--kills", "1"]
    assert everywhere.main([*words, "--out", str(out), "--places", "processes"]) == 0
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()]
    assert [row[:2] for row in rows[-4:-2]] == [["| processes", "10"], ["| dask", "10"]]
    assert all(row[-3:] == ["0", "0", "0 |"] for row in rows[-4:-2])


def test_only_the_first_instances_are_written(spec, tmp_path):
    study = atleastk.Study.load(spec)
    again = atleastk.Study.load(everywhere.written(study, 4, tmp_path))
    assert list(again.drawn()) == list(study.drawn())[:4]
    assert (again.problem, again.seeds) == (study.problem, [0])
    assert len((tmp_path / "instances.jsonl").read_text().splitlines()) == 4


def test_other_results_and_runs_that_are_missing_are_counted(spec):
    found = atleastk.conduct(atleastk.Study.load(spec), executor=Here())
    assert everywhere.differing(found, found) == 0
    first, *others = found.rows
    assert everywhere.differing(found, replace(found, rows=others)) == 1
    wrong = {**first, "cost": 0}
    assert everywhere.differing(found, replace(found, rows=[wrong, *others])) == 1
    later = {**first, "seconds": 99.0}
    assert everywhere.differing(found, replace(found, rows=[later, *others])) == 0


def test_other_results_are_a_fault(spec, tmp_path, monkeypatch):
    monkeypatch.setattr(everywhere, "killed", lambda *_: ("", "", "", "", 0))
    study = atleastk.Study.load(spec)
    atleastk.conduct(study, tmp_path / "processes.db", executor=Here())
    words = ["--spec", str(spec), "--out", str(tmp_path), "--places", "processes"]
    for other in (0, 1):
        monkeypatch.setattr(everywhere, "differing", lambda *_, other=other: other)
        assert everywhere.main(words) == other


def test_what_is_not_planned_yet_has_nothing_done(tmp_path):
    assert everywhere._so_far(tmp_path / "none.db") == (0, 1)


@pytest.mark.filterwarnings("default")  # what Dask says of a busy machine
def test_what_a_run_costs_is_told_of_dask_too(spec, tmp_path, monkeypatch, capsys):
    pytest.importorskip("distributed", reason="the extra dask")
    monkeypatch.setattr(everywhere, "WORKERS", 1)
    words = ["--spec", str(spec), "--instances", "3", "--kills", "0"]
    asked = [*words, "--out", str(tmp_path), "--places", "processes", "dask"]
    assert everywhere.main(asked) == 0
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[2:4]]
    assert [row[:2] for row in rows] == [["| processes", "6"], ["| dask", "6"]]
    assert all(float(cost) >= 0 for row in rows for cost in row[5:7])
