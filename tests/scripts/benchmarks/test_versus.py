import json
import time

import pytest
from every_problem import NEW

import atleastk
from atleastk.runs.registry import PROBLEMS
from scripts.benchmarks import versus
from scripts.benchmarks.peers import PEERS, expect


def run(instance, rival, cost, bound, seconds, status="FEASIBLE"):
    ends = {"cost": cost, "bound": bound, "seconds": seconds, "status": status}
    made = {"problem": "bins", "instance": instance, "rival": rival}
    return {**made, **ends, "software": "Software: none."}


def test_a_rival_stands_beside_the_automatic_choice_on_what_it_takes():
    runs = [
        run("a", "auto", 10, 10, 1.0, "OPTIMAL"),
        run("a", "HiGHS", 12, 9, 5.0),
        run("b", "auto", 20, 20, 0.0, "OPTIMAL"),
    ]
    *_, line, total = versus.page_lines(runs, 5.0, 1)
    row = "| HiGHS | 1 | 1 | 0 | 10.00 | 25.0 | 20.0 | 1 | 1 | 1.00 | 0.0 | 10 |"
    assert line == f"| bins {row}"
    assert total == f"| all {row}"


def test_a_bound_above_a_cost_is_told():
    runs = [run("a", "auto", 10, 9, 1.0), run("a", "HiGHS", None, 11, 1.0)]
    assert list(versus.contradictions(runs)) == ["a: HiGHS 11 above auto 10"]
    assert not list(versus.contradictions(runs[:1]))


def test_every_problem_is_drawn_at_several_sizes():
    assert {*versus.DRAWS} == {*PROBLEMS}
    assert min(map(len, versus.DRAWS.values())) >= 6
    assert {*NEW} <= {*versus.DRAWS}


def test_plain_models_agree_and_a_command_goes_on(tmp_path, monkeypatch):
    draws = {"bin-covering": [("uniform", {"n": 8})], "k-ambiguity": [("people", {})]}
    monkeypatch.setattr(versus, "DRAWS", draws)
    monkeypatch.setattr(versus, "USES", {})
    file, page = tmp_path / "runs.jsonl", tmp_path / "versus.md"
    words = ["--time-limit", "60", "--runs", str(file), "--markdown", str(page)]
    versus.main(words)
    runs = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(runs) == 6
    costs = {(each["instance"], each["cost"], each["bound"]) for each in runs}
    assert len(costs) == 2
    told = page.read_text()
    versus.main(words)
    assert page.read_text() == told
    assert "| all | CP-SAT | 2 | 2 | 2 |" in told


def test_wrong_bounds_end_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(versus, "DRAWS", {})
    monkeypatch.setattr(versus, "USES", {})
    file = tmp_path / "runs.jsonl"
    file.write_text(json.dumps(run("a", "auto", 3, 4, 1.0)) + "\n")
    with pytest.raises(SystemExit, match="3"):
        versus.main(["--runs", str(file)])
    assert capsys.readouterr().err == "a: auto 4 above auto 3\n"


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_package_that_fails_or_hangs_has_no_answer():
    """One that failed was waited for, though its end could be seen by nobody."""
    asked, began = (atleastk.BinCovering([2, 3], 2), 60.0, 1), time.monotonic()
    nothing = {"status": "UNKNOWN", "cost": None}
    assert versus.foreign(lambda *_: 1 // 0, *asked) == nothing
    assert versus.foreign(lambda *_: [[0], [1]], *asked)["cost"] == 3
    with pytest.raises(atleastk.NotApplicableError):
        versus.foreign(lambda *_: expect(False), *asked)
    assert versus.foreign(lambda *_: time.sleep(600), asked[0], 0.01, 1) == nothing
    assert time.monotonic() - began < 60


@pytest.mark.filterwarnings("ignore")  # of theirs
@pytest.mark.parametrize("name", PEERS)
def test_peers_that_are_installed_find_groups(name):
    drawn = (
        atleastk.generate("pair-partition", "points", 1, n=20),
        atleastk.generate("connected-partition", "delaunay", 1, n=30, parts=5),
        atleastk.generate("k-anonymity", "uniform", 1, n=30),
        atleastk.generate("r-gather", "uniform", 1, n=30),
    )
    found = [each for each in (_asked(name, i) for i in drawn) if each is not None]
    assert found
    assert all(each["cost"] is not None for each in found)


def _asked(name, instance):
    return versus.timed(name, instance, 2.0, 1)
