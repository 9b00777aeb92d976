"""The sweep: silent about honest methods, and precise about a planted mistake."""

import json
import runpy
from pathlib import Path

import pytest

from atleastk.solvers.bin_covering.first import closed_at_once

SCRIPT = Path(__file__).parents[3] / "scripts/sweeps/bin_covering.py"


@pytest.fixture
def sweep():
    return runpy.run_path(str(SCRIPT))


def everything_in_one_bin(search):
    """Claim that one bin is best."""
    if closed_at_once(search, "one bin"):
        return
    search.offer([range(search.instance.n)], "one bin")
    search.raise_bound(search.cost, "one bin")


def test_honest_methods_pass(sweep, capsys):
    """Exit code 0, progress, and how often every way was tried."""
    assert sweep["main"](["--instances", "15", "--seed", "3", "--most-items", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "15/15: 0 mismatches"
    assert sum(int(line.split()[0]) for line in lines[1:]) == 15


def test_a_mismatch_is_printed_shrunk(sweep, capsys, monkeypatch):
    """The smallest instance on which one bin is not best, and how it was solved."""
    names = sweep["main"].__globals__
    monkeypatch.setitem(names, "solve", everything_in_one_bin)
    monkeypatch.setitem(names, "METHODS", ())  # the automatic choice comes up often
    assert sweep["main"](["--instances", "40", "--seed", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert reports
    for report in reports:
        assert report["way"]["form"] == "auto"
        assert report["fault"] in (
            "cost 2, bound 2, but optimum 1",
            "cost 1, bound 1, but optimum 0",
            "cost 2, bound 2, but optimum 0",
        )
        assert report["instance"]["sizes"] == [1, 1]
        assert report["instance"]["k"] == 1


def test_the_same_seed_sweeps_the_same(sweep, capsys):
    """Instances and ways depend on the seed alone."""
    outputs = []
    for _ in range(2):
        sweep["main"](["--instances", "10", "--seed", "5", "--most-items", "4"])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
