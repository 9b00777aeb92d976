import json
import subprocess
import sys

import pytest

import atleastk
from atleastk import packages
from atleastk.solvers.clock import CLOCK

SOLVERS = {"highspy", "numba", "ortools", "pulp", "pysat"}
OTHERS = {"matplotlib", "networkx", "pandas", "polars", "pyarrow", "scipy"}
SLOW = SOLVERS | OTHERS

TELLING = """
import atexit, sys
atexit.register(lambda: print(*{name.split(".")[0] for name in sys.modules}))
"""
COMMAND = "import runpy; runpy.run_module('atleastk', run_name='__main__')"
CHECKERS = """
import atleastk
for problem in atleastk.problems():
    problem.instance, problem.check, problem.check_certificate
"""


def imported(code, *words):
    end = subprocess.run(
        [sys.executable, "-c", TELLING + code, *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return set(end.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("code", "words"),
    [("import atleastk", []), (COMMAND, ["--version"]), (COMMAND, ["--help"])],
)
def test_who_asks_for_nothing_imports_nothing(code, words):
    assert imported(code, *words) & {*SLOW, "numpy", "rich"} == set()


@pytest.mark.parametrize(
    ("words", "most"),
    [(["--version"], 25), (["--help"], 25), (["docs"], 30), (["problems"], 85)],
)
def test_commands_that_only_tell_import_little(words, most):
    """Of more than a thousand modules of the package."""
    code = TELLING.replace('name.split(".")[0]', "name") + COMMAND
    end = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    found = end.stdout.splitlines()[-1].split()
    assert len([name for name in found if name.startswith("atleastk")]) <= most


@pytest.mark.parametrize("words", [["problems"], ["problems", "r-gather"]])
def test_what_there_is_is_told_without_what_solves_it(words):
    assert imported(COMMAND, *words) & SLOW == set()


@pytest.mark.parametrize("code", ["import atleastk; atleastk.check", CHECKERS])
def test_the_checkers_of_all_problems_know_no_solver(code):
    assert imported(code) & SLOW == set()


def test_a_check_imports_no_solver(tmp_path):
    instance = atleastk.BinCovering([10, 6, 6, 6], 10)
    result = atleastk.solve(instance, certify=True)
    places = [tmp_path / "instance.json", tmp_path / "result.json"]
    for place, document in zip(places, (instance, result), strict=True):
        place.write_text(json.dumps(document.to_dict()))
    ended = imported(COMMAND, "check", *places, "--require", "proof")
    assert ended & {*SLOW, "rich"} == set()


def test_a_package_is_the_one_it_stands_for():
    import networkx

    assert packages.nx.Graph is networkx.Graph
    with pytest.raises(AttributeError, match="module 'networkx' has no attribute"):
        _ = packages.nx.nothing


def test_the_clock_of_runs_stands_while_a_package_is_imported(tmp_path, monkeypatch):
    module = "from atleastk.solvers.clock import CLOCK\nstands = CLOCK.stands\n"
    (tmp_path / "package_that_looks.py").write_text(module)
    monkeypatch.syspath_prepend(tmp_path)
    assert packages._Later("package_that_looks").stands
    assert not CLOCK.stands
