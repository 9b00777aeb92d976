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
atexit.register(lambda: print(*sys.modules))
"""
COMMAND = "import runpy; runpy.run_module('atleastk', run_name='__main__')"
CHECKERS = """
import atleastk
for problem in atleastk.problems():
    problem.instance, problem.check, problem.check_certificate
"""


def imported(code, *words):
    """Return the packages that a program imports, and how many modules of our own."""
    end = subprocess.run(
        [sys.executable, "-c", TELLING + code, *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    names = [name.split(".")[0] for name in end.stdout.splitlines()[-1].split()]
    return set(names), names.count("atleastk")


@pytest.mark.parametrize(
    ("words", "most", "others"),
    [
        ("--version", 25, {*SLOW, "numpy", "rich"}),
        ("--help", 25, {*SLOW, "numpy", "rich"}),
        ("docs", 30, SLOW),
        ("problems", 85, SLOW),
        ("problems r-gather", 200, SLOW),
    ],
)
def test_commands_that_only_tell_import_little(words, most, others):
    """Of more than a thousand modules of the package."""
    packages, own = imported(COMMAND, *words.split())
    assert packages & others == set()
    assert own <= most


@pytest.mark.parametrize(
    ("code", "others"),
    [("import atleastk", {*SLOW, "numpy", "rich"}), (CHECKERS, SLOW)],
    ids=["package", "checkers"],
)
def test_neither_the_package_nor_its_checkers_know_a_solver(code, others):
    assert imported(code)[0] & others == set()


def test_a_check_imports_no_solver(tmp_path):
    instance = atleastk.BinCovering([10, 6, 6, 6], 10)
    result = atleastk.solve(instance, certify=True)
    places = [tmp_path / "instance.json", tmp_path / "result.json"]
    for place, document in zip(places, (instance, result), strict=True):
        place.write_text(json.dumps(document.to_dict()))
    ended, _ = imported(COMMAND, "check", *places, "--require", "proof")
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
