import os
import subprocess
import sys

import pytest

import atleastk
from atleastk.cli.main import main
from atleastk.instances.fields.errors import UnknownNameError
from atleastk.runs import warming

WARM_UP = """
import atleastk
from atleastk.runs import warming

many = atleastk.generate("interval-covering", "uniform", n=3000)
warming._solve = lambda _instance, _method: atleastk.solve(many)
print(atleastk.warm_up("interval-covering"))
"""


def test_what_is_compiled_ahead_is_kept(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def loops():
        command = [sys.executable, "-c", WARM_UP]
        ended = subprocess.run(
            command, capture_output=True, text=True, check=True, env=environment
        )
        return int(ended.stdout)

    assert loops() > 0
    assert loops() == 0


def test_every_method_and_algorithm_is_run_and_every_family_solved(monkeypatch):
    solved, approximated = [], []
    monkeypatch.setattr(
        warming, "_solve", lambda instance, method: solved.append((instance, method))
    )
    monkeypatch.setattr(
        warming.api, "approximate", lambda _, name: approximated.append(name)
    )
    atleastk.warm_up("bin-covering")
    methods = {method.name for method in atleastk.methods("bin-covering")}
    assert {method for _, method in solved} == {"auto"} | methods
    families = {instance.name.split()[0] for instance, _ in solved}
    assert families == {f.name for f in warming.problem_named("bin-covering").families}
    assert approximated == [a.name for a in atleastk.algorithms("bin-covering")]


def test_problems_are_warmed_up_in_processes_of_their_own(monkeypatch):
    here = []
    monkeypatch.setattr(warming, "_processors", lambda: 2)
    monkeypatch.setattr(warming, "_solve", lambda *_: here.append("solved"))
    assert [name for name, _ in warming.warm_up_each(["interval-covering"])]
    assert here
    here.clear()
    apart = {"interval-covering": 5, "rectangle-tiling": None}
    monkeypatch.setattr(warming, "_warm_up_apart", lambda name, _: apart[name])
    monkeypatch.setattr(warming, "_warm_up", lambda name: here.append(name) or 7)
    assert sorted(warming.warm_up_each(list(apart))) == [
        ("interval-covering", 5),
        ("rectangle-tiling", 7),
    ]
    assert here == ["rectangle-tiling"]


def test_a_process_warms_up_its_problem_and_tells_how_many_loops_that_took():
    running = []
    assert warming._warm_up_apart("interval-covering", running) is not None
    assert warming._warm_up_apart("chess", running) is None
    assert [process.returncode for process in running] == [0, 1]


def test_a_process_ends_with_the_one_that_began_it():
    command = [sys.executable, "-m", "atleastk.runs.warming", "k-anonymity"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    told, _ = process.communicate()
    assert (told, process.returncode) == (b"", 1)


def test_a_frozen_program_starts_no_process(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert warming._processors() == 1


def test_the_command_tells_what_it_did(done):
    assert done("warm-up", "interval-covering").startswith("interval-covering: ")


def test_a_problem_that_does_not_exist_is_refused(capsys):
    with pytest.raises(UnknownNameError, match="chess"):
        atleastk.warm_up("chess")
    assert main(["warm-up", "interval-covering", "chess"]) == 2
    assert capsys.readouterr().out == ""
