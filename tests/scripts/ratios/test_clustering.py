"""The ratios of the clustering algorithms: instances, tallies, and a run."""

import random

import pytest

from atleastk.registry import problem_named


@pytest.fixture
def ratios(script):
    return script("ratios.clustering")


def test_instances_are_metrics(ratios):
    """Every reading of centres, and lengths that obey the triangle inequality."""
    rng = random.Random(1)
    draws = {**ratios.GATHERING, **ratios.CELLULAR}
    drawn = [
        ratios.random_metric(rng, draw) for draw in draws.values() for _ in range(40)
    ]
    assert all(instance.not_metric is None for instance in drawn)
    assert not any(instance.squared for instance in drawn)
    assert {instance.centres for instance in drawn} == {"input", "member", "any"}


def test_script_writes_its_report(ratios, tmp_path):
    """A row for every algorithm, nothing wrong."""
    ratios.main(["--instances", "15", "--out", str(tmp_path)])
    report = (tmp_path / "ratios_clustering.md").read_text()
    rows = [line for line in report.splitlines() if line.startswith("| `")]
    names = ("r-gather", "cellular-clustering")
    assert len(rows) == sum(len(problem_named(name).algorithms) for name in names)
    assert report.endswith("costs below the optimum: 0.\n")


def test_wrong_answers_end_the_script(ratios, monkeypatch, tmp_path):
    """Loudly, with exit code 1."""
    monkeypatch.setattr(ratios, "enumerated", lambda _instance: 10**6)
    with pytest.raises(SystemExit, match=r"WRONG\n.*is below the optimum"):
        ratios.main(["--instances", "3", "--out", str(tmp_path)])
