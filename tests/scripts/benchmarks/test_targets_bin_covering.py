"""The targets of bin covering: the table and the exit code."""

from dataclasses import replace

import pytest


@pytest.fixture
def targets(script):
    return script("benchmarks.targets_bin_covering")


def test_every_target_can_be_drawn(targets, cases):
    """Each family and size has an instance, and none twice."""
    found = list(cases.cases(targets.TARGETS, 1))
    assert len(found) == sum(map(len, targets.TARGETS.values()))


def test_summary_names_what_is_open(targets, run):
    """The slowest of the met, all of the missed."""
    runs = [run(), run(seed=1, seconds=2.0), run(seed=2, status="FEASIBLE", cost=8)]
    assert targets.summary(runs) == (
        "2 of 3 proved, the slowest in 2.00 s (uniform-1e2 n=9 seed=1); "
        "open: uniform-1e2 n=9 seed=2"
    )
    lines = list(targets.report_lines(runs))
    assert any("| FEASIBLE | proved | 8 | 7 | 12.5000% |" in line for line in lines)
    assert sum("**no**" in line for line in lines) == 1


@pytest.mark.parametrize("solved", [True, False])
def test_exit_code_tells_whether_all_are_met(
    targets, trials, monkeypatch, tmp_path, solved
):
    """Only the instances asked for are run, and written."""

    def perform(trial):
        status = {"status": "OPTIMAL", "cost": 7, "bound": 7}
        return replace(trial.blank, **(status if solved else {"error": "broke"}))

    monkeypatch.setattr(trials.Trial, "perform", perform)
    asked = ["--only", "no n=(15|30) seed=[01]", "--out", str(tmp_path)]
    if solved:
        targets.main(asked)
    else:
        with pytest.raises(SystemExit, match="0 of 4 proved"):
            targets.main(asked)
    report = (tmp_path / "targets_bin_covering.md").read_text()
    assert report.count("\n| three-partition-no |") == 4
    assert report.count("broke") == (0 if solved else 4)


def test_pattern_without_a_target_is_told(targets, tmp_path):
    """On one line."""
    with pytest.raises(SystemExit, match="nothing matches 'no-such'"):
        targets.main(["--only", "no-such", "--out", str(tmp_path)])
