from types import SimpleNamespace

import pytest
from every_problem import NEW

from atleastk.models.results.result import Event
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.search import Ran
from scripts.benchmarks.last_moves import OPEN, last_moves, main

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


@pytest.mark.parametrize("name", ["bins", "tiling", "gather with outliers"])
def test_instances_are_the_same_each_time(name):
    assert OPEN[name]().sha256 == OPEN[name]().sha256


def test_every_problem_that_is_not_polynomial_has_an_instance(monkeypatch):
    monkeypatch.delenv("ATLEASTK_DATA", raising=False)
    found = {make().problem for make in OPEN.values()}
    assert found | NEW == {*PROBLEMS} - {"interval-covering"}


def test_a_line_for_every_limit_and_number_of_workers(tmp_path, capsys, monkeypatch):
    path = tmp_path / "study.toml"
    path.write_text(SPEC.format(70))
    main([str(path), "--limits", "5,6", "--workers", "1,2", "--cpu-clock"])
    heads, _, *rows = capsys.readouterr().out.splitlines()
    assert heads.startswith("| instance | limit | workers |")
    told = [[cell.strip() for cell in row.split("|")[2:4]] for row in rows]
    assert told == [["5", "1"], ["5", "2"], ["6", "1"], ["6", "2"]]
