"""The sweep of tables: silent about honest methods, precise about a planted mistake."""

import json
import random

import pytest

from atleastk.solvers.k_anonymity.first import begin


@pytest.fixture
def sweep(script):
    return script("sweeps.k_anonymity")


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
    """How many tables all proved the same of, and who proved them, in what place."""
    assert sweep.main(["--agree", "--instances", "2", "--seed", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2/2: 0 mismatches, ")
    names = [line.split(maxsplit=1)[1] for line in lines[1:]]
    assert "first: patterns" in names
    assert {name for name in names if name.startswith("third: ")} <= {
        "third: leaders",
        "third: patterns-cp-sat",
    }


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


def test_related_tables_are_consistent(sweep, capsys, monkeypatch):
    """Silent about honest runs, whether proved or not."""
    monkeypatch.setattr(sweep, "medium_instance", sweep.larger_instance)
    assert sweep.main(["--related", "--instances", "6", "--seconds", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("6/6: 0 mismatches, ")
    assert sum(int(line.split()[0]) for line in lines[1:]) == 6


def test_an_inconsistency_is_told(sweep, capsys, monkeypatch):
    """The related table costs more than it may."""
    monkeypatch.setattr(sweep, "medium_instance", sweep.larger_instance)
    honest, seen = sweep.solve, []

    def once(search):
        seen.append(search.instance)
        (honest if len(seen) % 2 else everything_in_one_group)(search)

    monkeypatch.setattr(sweep, "solve", once)
    assert sweep.main(["--related", "--instances", "4", "--seconds", "2"]) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert reports
    assert {"fault", "instance", "related", "ways"} == reports[0].keys()


def test_changes_do_to_the_optimum_what_they_say(sweep):
    """Checked by enumeration; every kind of change comes up."""
    rng, changes = random.Random(2), set()
    for _ in range(120):
        instance = sweep.random_instance(rng, 6)
        if not instance.m or instance.n < instance.k:
            continue
        other = sweep.related(rng, instance)
        if 2 * instance.k > other.instance.n or other.instance.n > 7:
            continue
        best, new = (sweep.optimum(t) for t in (instance, other.instance))
        assert other.least(best[0]) <= new[0] <= other.most(best[0])
        changes.add(other.change)
    assert len(changes) == 9


def test_the_automatic_choice_gets_random_budgets(sweep):
    """One worker or two, with and without little memory; shrunk to the plainest."""
    rng = random.Random(0)
    ways = [sweep.random_auto(rng) for _ in range(50)]
    assert {way.workers for way in ways} == {1, 2}
    assert {way.memory is None for way in ways} == {True, False}
    way = sweep.Way("auto", workers=2, memory=48.0)
    plainer = [sweep.Way("auto", memory=48.0), sweep.Way("auto", workers=2)]
    assert [*way.plainer()] == plainer


def test_the_same_seed_sweeps_the_same(sweep, capsys):
    """Instances and ways depend on the seed alone."""
    outputs = []
    for _ in range(2):
        sweep.main(["--instances", "10", "--seed", "5", "--most-rows", "4"])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
