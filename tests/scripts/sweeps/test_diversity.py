"""The sweep of diversity: silent about honest methods, told of mistakes."""

import json

import pytest

from atleastk.models.generalization import solution_of_groups


@pytest.fixture
def sweep(script):
    return script("sweeps.diversity")


def everything_in_one_group(search):
    """Claim that one group is best, though some tables have no solution."""
    groups = [range(search.instance.n)] if search.instance.n else []
    search.offer(solution_of_groups(search.instance, groups), "one group")
    search.raise_bound(search.cost, "one group")


def test_honest_methods_pass(sweep, capsys):
    assert sweep.main(["--instances", "8", "--seed", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "8/8: 0 mismatches"


def test_a_mismatch_is_printed(sweep, capsys, monkeypatch):
    monkeypatch.setattr(sweep, "ways", lambda _: {"bluff": everything_in_one_group})
    assert sweep.main(["--instances", "12", "--seed", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert {report["way"] for report in reports} == {"bluff"}


def test_methods_are_compared(sweep, capsys):
    assert sweep.main(["--agree", "--instances", "3", "--seconds", "5"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "3/3: 0 mismatches"
