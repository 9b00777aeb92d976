from types import SimpleNamespace

import pytest
from every_problem import NEW

from atleastk.models.results.result import Event
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.clock import CLOCK
from scripts.benchmarks import last_moves as script
from scripts.benchmarks.last_moves import OPEN, last_moves, main, stages_of

SPEC = """
problem = "bin-covering"
[[instances]]
family = "uniform"
n = {}
"""


def frame(*files):
    found = None
    for file in reversed(files):
        code = SimpleNamespace(co_filename=file)
        found = SimpleNamespace(f_code=code, f_back=found)
    return found


def inside(place):
    return f"{script._SOLVERS}/{place}.py"


def test_what_ran_after_both_ends_had_moved():
    events = [
        Event(0.5, 20, None),
        Event(1.0, 20, 10),
        Event(2.0, 18, 10),
        Event(3.0, 18, 11),
    ]
    search = SimpleNamespace(events=events, seconds=9.0)
    samples = [
        (1.0, frozenset({"early"})),
        (4.0, frozenset({"listing"})),
        (6.0, frozenset({"listing", "search"})),
        (9.0, frozenset({"search"})),
    ]
    found = last_moves(search, samples)
    assert (found.cost, found.bound, found.ended) == (2.0, 3.0, 9.0)
    assert found.then == {"listing": 3.0, "search": 5.0}


def test_stages_are_the_innermost_modules_of_problems():
    frames = {
        1: frame(inside("compiled/compile"), inside("tables/annealing")),
        2: frame("threading.py", inside("backends/highs"), inside("r_gather/auto")),
        3: frame("threading.py", inside("engine/race"), inside("r_gather/auto")),
        4: frame(inside("budget")),
        5: frame("elsewhere.py"),
    }
    assert stages_of(frames) == {"annealing", "auto (highs)"}


@pytest.mark.parametrize("name", ["bins", "tiling", "gather with outliers"])
def test_instances_are_the_same_each_time(name):
    assert OPEN[name]().sha256 == OPEN[name]().sha256


def test_every_problem_that_is_not_polynomial_has_an_instance(monkeypatch):
    monkeypatch.delenv("ATLEASTK_DATA", raising=False)
    found = {make().problem for make in OPEN.values()}
    assert found | NEW == {*PROBLEMS} - {"interval-covering"}


def test_a_line_for_every_limit_and_number_of_workers(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(CLOCK, "source", CLOCK.source)
    path = tmp_path / "study.toml"
    path.write_text(SPEC.format(70))
    main([str(path), "--limits", "5,6", "--workers", "1,2", "--cpu-clock"])
    heads, _, *rows = capsys.readouterr().out.splitlines()
    assert heads.startswith("| instance | limit | workers |")
    told = [[cell.strip() for cell in row.split("|")[2:4]] for row in rows]
    assert told == [["5", "1"], ["5", "2"], ["6", "1"], ["6", "2"]]
