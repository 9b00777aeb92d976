"""The sweep of clustering: silent about honest methods, and not about others."""

import json
import random

import pytest

from atleastk.registry import PROBLEMS


@pytest.fixture
def sweep(script):
    return script("sweeps.clustering")


@pytest.mark.parametrize("problem", ["r-gather", "cellular-clustering"])
def test_honest_methods_pass(sweep, capsys, problem):
    """Exit code 0, progress, and how often every way was tried."""
    arguments = ["--instances", "25", "--seed", "3", "--problem", problem]
    assert sweep.main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "25/25: 0 mismatches"
    assert sum(int(line.split()[0]) for line in lines[1:]) == 25


def test_a_mismatch_is_printed(sweep, capsys, monkeypatch):
    """Everything in one cluster, and called optimal."""

    def claim(search):
        instance = search.instance
        if instance.n > instance.max_outliers and instance.n < instance.r:
            search.close_infeasible("claim", {"kind": "count"})
            return
        search.offer([range(instance.n)] if instance.n else [], "claim")
        search.raise_bound(search.cost, "claim")

    monkeypatch.setattr(sweep, "ways", lambda _instance: {"auto": claim})
    assert sweep.main(["--instances", "30", "--seed", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert reports
    assert all(", but " in r["fault"] or "wrong" in r["fault"] for r in reports)


def test_formulations_are_compared(sweep, capsys):
    """Who proved the same."""
    assert sweep.main(["--agree", "--instances", "2", "--seed", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2/2: 0 mismatches"
    assert all("auto" in line for line in lines[1:])


def test_instances_are_repeatable_and_varied(script):
    """The same seed draws the same; all options are drawn."""
    drawing = script("sweeps.clustering_instances")
    for problem in ("r-gather", "cellular-clustering"):
        first, again = (
            [drawing.random_clustering(rng, problem, 5) for _ in range(200)]
            for rng in (random.Random(7), random.Random(7))
        )
        assert first == again
        assert {each.centres for each in first} == {"input", "member", "any"}
        assert {each.metric for each in first} >= {"hamming", "great-circle", None}
        assert any(each.max_clusters and each.max_outliers for each in first)
        assert {type(each) for each in first} == {PROBLEMS[problem].instance}
    assert any(each.facility_costs for each in first)
