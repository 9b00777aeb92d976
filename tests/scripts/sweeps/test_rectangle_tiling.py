"""The sweep of tilings: silent about honest methods, and not about others."""

import json

import pytest


@pytest.fixture
def sweep(script):
    return script("sweeps.rectangle_tiling")


def test_honest_methods_pass(sweep, capsys):
    """Exit code 0, progress, and how often every way was tried."""
    assert sweep.main(["--instances", "10", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "10/10: 0 mismatches"
    assert any(line.endswith("rectangle-tiling by auto") for line in lines)


def test_a_mismatch_is_printed(sweep, capsys, monkeypatch):
    """Infeasible, whatever it is."""

    def claim(search):
        search.close_infeasible("claim")

    monkeypatch.setattr(sweep, "ways", lambda _instance: {"auto": claim})
    arguments = ["--problem", "rectangle-tiling", "--instances", "5", "--seed", "1"]
    assert sweep.main(arguments) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert reports
    assert all(report["fault"].startswith("infeasible, but ") for report in reports)
