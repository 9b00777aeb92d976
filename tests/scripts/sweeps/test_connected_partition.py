"""The sweep of maps: silent about honest methods, and not about others."""

import json

import pytest


@pytest.fixture
def sweep(script):
    return script("sweeps.connected_partition")


def test_honest_methods_pass(sweep, capsys):
    """Exit code 0, progress, and how often every way was tried."""
    assert sweep.main(["--instances", "25", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "25/25: 0 mismatches"
    assert sum(int(line.split()[0]) for line in lines[1:]) == 25


def test_a_mismatch_is_printed(sweep, capsys, monkeypatch):
    """Everything in one part, and called optimal."""

    def claim(search):
        search.offer([range(search.instance.n)] if search.instance.n else [], "claim")
        search.raise_bound(search.cost, "claim")

    monkeypatch.setattr(sweep, "ways", lambda _instance: {"auto": claim})
    assert sweep.main(["--way", "auto", "--instances", "30", "--seed", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert reports
    assert all(", but " in r["fault"] or "wrong" in r["fault"] for r in reports)


def test_formulations_are_compared(sweep, capsys):
    """Who proved the same."""
    arguments = ["--agree", "--instances", "1", "--seed", "4", "--seconds", "2"]
    assert sweep.main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1/1: 0 mismatches"
    assert all("auto" in line for line in lines[1:])
