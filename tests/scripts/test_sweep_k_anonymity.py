"""The sweep of tables: silent about honest methods, precise about a planted mistake."""

import json

import pytest

from atleastk.solvers.anonymity.beginnings import begin


@pytest.fixture
def sweep(script):
    return script("sweep_k_anonymity")


def everything_in_one_group(search):
    """Claim that one group is best."""
    if search.instance.n < search.instance.k:
        begin(search, "one group")
        return
    search.offer([range(search.instance.n)], "one group")
    search.raise_bound(search.cost, "one group")


def test_honest_methods_pass(sweep, capsys):
    """Exit code 0, progress, and how often every way was tried."""
    assert sweep.main(["--instances", "15", "--seed", "3", "--most-rows", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "15/15: 0 mismatches"
    assert sum(int(line.split()[0]) for line in lines[1:]) == 15


def test_a_mismatch_is_printed_shrunk(sweep, capsys, monkeypatch):
    """Two different rows are best apart if k is 1."""
    monkeypatch.setattr(sweep, "solve", everything_in_one_group)
    monkeypatch.setattr(sweep, "METHODS", ())  # the automatic choice comes up often
    monkeypatch.setattr(sweep, "random_way", lambda rng: sweep.Way("auto"))
    assert sweep.main(["--instances", "60", "--seed", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert reports
    for report in reports:
        assert report["way"]["form"] == "auto"
        assert report["way"]["start"] is None
        assert "but optimum" in report["fault"]
        assert report["instance"]["k"] == 1
        assert [len(row) for row in report["instance"]["table"]] == [1, 1]


def test_formulations_are_compared(sweep, capsys):
    """How many tables all three proved the same of, and who proved them."""
    assert sweep.main(["--agree", "--instances", "2", "--seed", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2/2: 0 mismatches, ")
    assert any(line.endswith(" patterns") for line in lines[1:])


def test_a_disagreement_is_told(sweep, monkeypatch):
    """Who is contradicted, and what everybody claims."""
    instance = sweep.KAnonymity([[0], [0], [1], [1]], 2)

    def claimed(instance, way, seconds):
        search = sweep.Search(instance, sweep.check, sweep.Budget())
        groups = [range(4)] if way.name == "groups" else [[0, 1], [2, 3]]
        search.offer(groups, "it")
        search.raise_bound(search.cost, "it")
        return search

    monkeypatch.setattr(sweep, "solved", claimed)
    wrong, _, ended = sweep.disagreement(instance, 1.0)
    assert not ended
    assert wrong.startswith("groups is contradicted")


def test_the_same_seed_sweeps_the_same(sweep, capsys):
    """Instances and ways depend on the seed alone."""
    outputs = []
    for _ in range(2):
        sweep.main(["--instances", "10", "--seed", "5", "--most-rows", "4"])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
