"""The check of the clustering reductions: honest claims hold, others are named."""

from dataclasses import replace

import pytest

from atleastk.instances.reductions import cellular_clustering


@pytest.fixture
def check(script):
    return script("reductions.check_clustering_reductions")


def test_claims_hold(check, tmp_path):
    """On the smallest formulas and systems, and a few random ones."""
    check.main(["--instances", "3", "--out", str(tmp_path)])
    report = (tmp_path / "reductions_clustering.md").read_text()
    assert report.count("| holds |") == 2


def test_a_wrong_claim_is_refuted(check, tmp_path, monkeypatch):
    """One set too few."""
    (right,) = cellular_clustering.REDUCTIONS
    wrong = replace(right, cost=lambda system, cost: right.cost(system, cost) - 1)
    monkeypatch.setattr(cellular_clustering, "REDUCTIONS", (wrong,))
    monkeypatch.setattr(check, "formulas", lambda _rng, _count: [])
    with pytest.raises(SystemExit, match="refuted"):
        check.main(["--instances", "1", "--out", str(tmp_path)])
    report = (tmp_path / "reductions_clustering.md").read_text()
    assert "1 sets, not 0 as the cost 3 has it" in report
