"""The sweep of generalisation: silent about honest methods, told of mistakes."""

import json

import pytest

from atleastk.models.generalization import solution_of_groups


@pytest.fixture
def sweep(script):
    return script("sweeps.generalization")


def everything_in_one_group(search):
    """Claim that one group is best."""
    instance = search.instance
    if 0 < instance.n < instance.k:
        search.close_infeasible("one group")
        return
    groups = [range(instance.n)] if instance.n else []
    search.offer(solution_of_groups(instance, groups), "one group")
    search.raise_bound(search.cost, "one group")


def test_honest_methods_pass(sweep, capsys):
    assert sweep.main(["--instances", "8", "--seed", "3", "--most-rows", "4"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "8/8: 0 mismatches"


def test_a_mismatch_is_printed(sweep, capsys, monkeypatch):
    monkeypatch.setattr(sweep, "solve", everything_in_one_group)
    monkeypatch.setattr(sweep, "METHODS", ())
    assert sweep.main(["--instances", "40", "--seed", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert reports
    assert all("optimum" in r["fault"] or "Error" in r["fault"] for r in reports)


def test_methods_are_compared(sweep, capsys):
    assert sweep.main(["--agree", "--instances", "3", "--seconds", "5"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "3/3: 0 mismatches"
