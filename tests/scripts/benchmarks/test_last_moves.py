from types import SimpleNamespace

import pytest
from every_problem import NEW

from atleastk.models.results.result import Event
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.search import Ran
from scripts.benchmarks.frontier import KINDS
from scripts.benchmarks.last_moves import last_moves, main, mean_gap

SPEC = """
problem = "bin-covering"
[[instances]]
family = "uniform"
n = {}
"""


def test_what_ran_after_both_ends_had_moved():
    events = [
        Event(0.5, 20, None),
        Event(1.0, 20, 10),
        Event(2.0, 18, 10),
        Event(3.0, 18, 11),
    ]
    search = SimpleNamespace(events=events, seconds=9.0)
    ran = [
        Ran(1.0, "early", 1.0),
        Ran(6.0, "rounds: listing", 4.0),
        Ran(6.5, "rounds: search", 0.5),
        Ran(9.0, "rounds: search", 2.5),
        Ran(9.0, "rounds", 8.0),
    ]
    found = last_moves(search, ran)
    assert (found.cost, found.bound, found.ended) == (2.0, 3.0, 9.0)
    assert found.then == {"rounds: listing": 3.0, "rounds: search": 3.0}


def test_the_gap_on_the_way():
    """None for 2 s counts as all; then 20, 18 and 12 above a bound that ends at 9."""
    events = [Event(1.0, None, 5), Event(2.0, 20, 5), Event(6.0, 18, 9)]
    assert mean_gap(events, 10.0, 12, 9) == pytest.approx(
        (2 * 1.0 + 4 * 11 / 20 + 4 * 3 / 12) / 10
    )
    assert mean_gap([], 10.0, None, 9) == 1.0
    assert mean_gap([Event(5.0, -15, -19)], 10.0, -15, -18) == pytest.approx(0.6)


@pytest.mark.parametrize("name", ["bins, 90", "tiling, 100 points", "diverse, Adult"])
def test_instances_are_the_same_each_time(name):
    assert KINDS[name].draw().sha256 == KINDS[name].draw().sha256


def test_every_problem_that_is_not_polynomial_has_an_instance(monkeypatch):
    monkeypatch.delenv("ATLEASTK_DATA", raising=False)
    drawn = [kind.draw() for kind in KINDS.values()]
    found = {each.problem for each in drawn if each is not None}
    assert found | NEW == {*PROBLEMS} - {"interval-covering"}


def test_a_line_for_every_limit_number_of_workers_and_round(tmp_path, capsys):
    path, runs = tmp_path / "study.toml", tmp_path / "runs.jsonl"
    path.write_text(SPEC.format(70))
    asked = ["--limits", "5,6", "--workers", "1,2", "--cpu-clock", "--runs", str(runs)]
    main([str(path), *asked])
    heads, _, *rows = capsys.readouterr().out.splitlines()
    assert heads.startswith("| instance | seen % | goal % | limit | workers | core |")
    told = [[cell.strip() for cell in row.split("|")[4:8]] for row in rows]
    assert told == [[limit, workers, "1.0", "1"] for limit in "56" for workers in "12"]
    main([str(path), *asked, "--rounds", "2"])
    assert capsys.readouterr().out.splitlines()[2:6] == rows
    assert len(runs.read_text().splitlines()) == 8
