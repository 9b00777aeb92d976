"""The sweep of k-ambiguity: silent about honest methods, and not about others."""

import json

import pytest


@pytest.fixture
def sweep(script):
    return script("sweeps.k_ambiguity")


def test_honest_methods_pass(sweep, capsys):
    """Exit code 0, progress, and how often every way was tried."""
    assert sweep.main(["--instances", "12", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "12/12: 0 mismatches"
    tried = [int(line.split()[0]) for line in lines[1:] if "misses" not in line]
    assert sum(tried) == 12


def test_a_mismatch_is_printed(sweep, capsys, monkeypatch):
    """All cells suppressed, and called optimal."""

    def claim(search):
        instance = search.instance
        if 0 < instance.n < instance.k:
            search.close_infeasible("claim", {"kind": "count"})
            return
        search.offer([range(instance.n)] if instance.n else [], "claim")
        search.raise_bound(search.cost, "claim")

    monkeypatch.setattr(sweep, "random_run", lambda rng: ("claim", claim))
    assert sweep.main(["--instances", "30", "--seed", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert reports
    assert all(", but [" in report["fault"] for report in reports)


def test_formulations_are_compared(sweep, capsys):
    """Who proved the same."""
    wanted = ["--agree", "--instances", "2", "--seed", "4", "--seconds", "1"]
    assert sweep.main(wanted) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2/2: 0 mismatches"
    assert all("auto" in line for line in lines[1:])
